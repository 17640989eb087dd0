#!/usr/bin/env bash
# docs/modes.md, "A walk through the modes": shadow, canary, active, and off with the service dead, on a local cluster of its own.
# Prints every command with its output, and fails where a pod was not placed by whom it should have been.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
state=$(mktemp -d)/walk log=$(mktemp) port=${PORT_BASE:-24300}
service=http://127.0.0.1:$port scheduler=https://127.0.0.1:$((port + 5))
cluster=(.build/bin/berth-cluster --state "$state" --port-base "$port")
trap '"${cluster[@]}" down --delete > /dev/null; rm -f "$log"; rmdir "${state%/*}"' EXIT
PATH=$PWD/.build/bin:$PWD/bin:$PATH

quietly() { "$@" > "$log" 2>&1 || { cat "$log"; exit 1; }; }
echo "starting a control plane, the service and the scheduler" >&2
quietly "${cluster[@]}" up
quietly "${cluster[@]}" start service
quietly "${cluster[@]}" restart-scheduler --with berth
export KUBECONFIG=$state/kubeconfig

walk() { echo "\$ $*"; "$@"; echo; }
# placed: pods since the last call, by who decided.
declare -A before
placed() {
  local by count
  while read -r by count; do
    now[$by]=$((count - ${before[$by]:-0})) before[$by]=$count
  done < <(curl -sk "$scheduler/metrics" | sed -n 's/^berth_placements_total{decided_by="\(.*\)"} \(.*\)/\1 \2/p')
}
owners=0
# ten: ten Deployments of four pods, all bound.
ten() {
  local names=()
  for _ in $(seq 10); do owners=$((owners + 1)); names+=("deployment/app-$owners"); done
  for name in "${names[@]}"; do quietly kubectl create deployment "${name#*/}" --image=registry.k8s.io/pause:3.10 --replicas=4; done
  for name in "${names[@]}"; do quietly kubectl rollout status "$name" --timeout=60s; done
  declare -gA now=([service]=0 [shadow]=0 [off]=0 [fallback]=0)
  placed
  echo "# ten Deployments of four pods each; decided by:$(for by in service shadow off fallback; do printf ' %s %d' $by "${now[$by]}"; done)"
  echo
}
all_by() { [[ ${now[$1]} == 40 ]] || { echo "walk: of 40 pods ${now[$1]} were decided by '$1'"; exit 1; }; }

quietly kubectl create namespace berth-system
echo "waiting until nodes have been measured" >&2
for _ in $(seq 60); do
  curl -s "$service/readyz" | grep -q '"warnings" : { }' && break
  sleep 1
done

walk berth mode
walk berth mode shadow
sleep 1
ten; all_by shadow
walk berth report --since 1d --url "$service"
walk berth mode canary 30%
sleep 1
ten
((now[service] % 4 == 0 && now[service] + now[shadow] == 40)) || { echo "walk: a canary is whole owners, ${now[service]} pods were decided by the service"; exit 1; }
walk berth mode active
sleep 1
ten; all_by service
walk berth explain "deployment/app-$owners" --url "$service"
walk berth mode active --clip 0
"${cluster[@]}" stop service > /dev/null
echo "# the service is stopped"
walk berth mode off
sleep 1
ten; all_by off
walk kubectl --namespace=berth-system get configmap berth-mode -o 'jsonpath={.data.mode}{"\n"}'
walk berth mode
