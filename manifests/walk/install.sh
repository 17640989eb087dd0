#!/usr/bin/env bash
# docs/install.md on a cluster whose scheduler is the stock one: beside it, in its place in shadow, in its place for all, and all the way back.
. "$(dirname "$0")/lib.sh" test-install
. "$(dirname "$0")/cluster.sh"

# on_node FILE HEADING [N]: that block on the control-plane node, as root there.
on_node() {
  say "on the node: $1, $2"
  docker exec -i berth-control-plane bash -euo pipefail -c "$(block "$@")"
}
scheduler_image() { kubectl -n kube-system get pod -l component=kube-scheduler -o jsonpath='{.items[*].spec.containers[0].image}'; }
scheduler_is() { # IMAGE: ready with that image
  [[ $(scheduler_image) == *"$1"* ]] && kubectl -n kube-system wait pod -l component=kube-scheduler --for=condition=Ready --timeout=5s > /dev/null 2>&1
}
service_state() {
  kubectl -n berth-system get namespace/berth-system statefulset/berth-service pvc/state-berth-service-0 pod/berth-service-0 \
    -o jsonpath='{range .items[*]}{.kind} {.metadata.uid}{"\n"}{end}'
}
unchanged() { [[ $(service_state) == "$state" ]] || fail "$1: the service is another: $state, now $(service_state)"; }

docker image inspect localhost/berth-scheduler:0.1.0 localhost/berth-service:0.1.0 > /dev/null 2>&1 || run docs/kind.md '## 1.'
printf 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nname: berth\nnodes: [{role: control-plane}, {role: worker}, {role: worker}]\n' > .cluster.yaml
kind create cluster --config .cluster.yaml
load_images localhost/berth-scheduler:0.1.0 localhost/berth-service:0.1.0

run docs/install.md '# Installing'
run docs/install.md '## Step 1' 1
kubectl -n berth-monitoring rollout status deployment/prometheus daemonset/node-exporter --timeout=180s
run docs/kind.md '## 7.'
run docs/install.md '## Step 1' 2
kubectl rollout status deployment/nginx --timeout=180s
by_the_service 0 6
within 60 no_target_down
! kubectl -n berth-system logs -l app.kubernetes.io/name=berth-scheduler --tail=-1 | grep -i forbidden || fail "a right is missing"
say "beside the stock scheduler: $(ask "$by_service") placed by the service's scores"
state=$(service_state)
stock=$(scheduler_image)

run docs/install.md '## Step 2' 1
docker exec berth-control-plane mkdir -p /etc/berth
docker cp manifests/overlays/replace-default/control-plane/. berth-control-plane:/etc/berth
kubectl -n berth-system get secret berth-token -o jsonpath='{.data.token}' | base64 -d |
  docker exec -i berth-control-plane bash -c 'umask 077; cat > /etc/berth/token; chown 1000:1000 /etc/berth/token'
on_node docs/install.md '## Step 2' 2
within 120 scheduler_is localhost/berth-scheduler:0.1.0
run docs/install.md '## Step 2' 3
kubectl rollout status deployment/nginx --timeout=180s
unchanged "second-scheduler to replace-default"
within 90 more 'sum(berth_score_call_duration_seconds_count{result="shadow_ok"})' 0
say "in its place, looking only: $(ask 'sum(berth_score_call_duration_seconds_count{result="shadow_ok"})') questions answered"

on_node docs/install.md '## Step 3'
within 120 scheduler_is localhost/berth-scheduler:0.1.0
by_the_service "$(ask "$by_service")" 9
within 60 no_target_down
say "in its place for all: $(ask "$by_service") placed by the service's scores"

on_node docs/install.md '## The way back' 1
within 120 scheduler_is "$stock"
run docs/install.md '## The way back' 2
kubectl -n berth-system rollout status deployment/berth-scheduler --timeout=180s
run docs/install.md '## Step 1' 2
place 12
unchanged "replace-default back to second-scheduler"
placed=$(kubectl get events --field-selector reason=Scheduled -o jsonpath='{range .items[*]}{.reportingComponent}{"\n"}{end}' | grep -c berth-scheduler)
((placed > 0)) || fail "the second scheduler places nothing after the way back"
within 60 no_target_down
run docs/install.md '## Going away' 1
unchanged "the second scheduler deleted"
run docs/install.md '## Going away' 2
echo "1 passed, 0 failed"
