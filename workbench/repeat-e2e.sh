#!/usr/bin/env bash
# Runs every end-to-end test RUNS times in a row, beside HOGS loops that burn a processor each; used by `make repeat-e2e`.
# One line a run; the logs are in out/repeat-e2e. Ends with 1 if any run failed.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:?how often} hogs=${2:-0}
logs=out/repeat-e2e/hogs-$hogs; rm -rf "$logs"; mkdir -p "$logs"

burning=()
trap '[[ ${#burning[@]} == 0 ]] || kill "${burning[@]}"' EXIT
for ((i = 0; i < hogs; i++)); do
  (while :; do :; done) &
  burning+=($!)
done

failed=0
for ((run = 1; run <= runs; run++)); do
  began=$SECONDS result=passed
  mvn -B -q -pl workbench -am test -Dgroups=cluster -Dexcluded.groups=slow -Dsurefire.failIfNoSpecifiedTests=false > "$logs/$run.log" 2>&1 || {
    result="FAILED, see $logs/$run.log" failed=$((failed + 1))
  }
  echo "run $run of $runs beside $hogs hogs: $result, $((SECONDS - began)) s, load $(cut -d' ' -f1 /proc/loadavg)"
done
echo "$((runs - failed)) of $runs runs passed beside $hogs hogs"
((failed == 0))
