#!/usr/bin/env bash
# Runs every end-to-end test RUNS times in a row, beside HOGS loops that burn a processor each; used by `make repeat-e2e`,
# which compiles the tests and says in CLASSPATH what they need: Maven would look for changes thirty times.
# One line a run; the logs are in out/repeat-e2e. Ends with 1 if any run failed.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:?how often} hogs=${2:-0} classpath=${CLASSPATH:?}
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
  java -Xmx2g -XX:+UseSerialGC -Djava.awt.headless=true "-Dberth.root=$PWD" -cp "$classpath" \
    org.junit.platform.console.ConsoleLauncher execute --disable-banner --details=tree --disable-ansi-colors \
    --select-package=dev.berth.workbench --include-tag=cluster --exclude-tag=slow --fail-if-no-tests > "$logs/$run.log" 2>&1 || {
    result="FAILED, see $logs/$run.log" failed=$((failed + 1))
  }
  echo "run $run of $runs beside $hogs hogs: $result, $((SECONDS - began)) s, $(grep -o '[0-9]* tests successful' "$logs/$run.log"), load $(cut -d' ' -f1 /proc/loadavg)"
done
echo "$((runs - failed)) of $runs runs passed beside $hogs hogs"
((failed == 0))
