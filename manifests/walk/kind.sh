#!/usr/bin/env bash
# docs/kind.md from the first command to the last, and both ways to switch off, and on again, of docs/install.md.
. "$(dirname "$0")/lib.sh" test-kind
. "$(dirname "$0")/cluster.sh"

run docs/kind.md '## 1.'
run docs/kind.md '## 2.'
run docs/kind.md '## 3.' | tee .step3
grep -qx localhost/berth-scheduler:0.1.0 .step3 || fail "the control plane's scheduler is not Berth's"
load_images
run docs/kind.md '## 4.'
run docs/kind.md '## 5.'
kubectl rollout status deployment/nginx --timeout=180s
run docs/kind.md '## 6.' > .scores
cat .scores
(($(grep -oE 'berth-(control-plane|worker[0-9]*)' .scores | sort -u | wc -l) >= 3)) || fail "the service does not score the nodes"
run docs/kind.md '## 7.'

by_the_service 0 6
within 60 no_target_down
say "placed by the service's scores: $(ask "$by_service")"

# placed_by_others N WHAT: scaled to N, nginx is placed without the service.
placed_by_others() {
  local before
  before=$(ask "$by_others")
  place "$1"
  within 60 more "$by_others" "$before"
  say "$2: placed by others $(ask "$by_others")"
}
run docs/install.md '## The switch off' 1
placed_by_others 8 "off by the ConfigMap"
kubectl -n berth-system delete configmap berth-mode
run docs/install.md '## The switch off' 2
within 60 eval '! kubectl -n berth-system get pod berth-service-0 2> /dev/null'
placed_by_others 12 "off without the service"
run docs/install.md '## The switch off' 3
placed=$(ask "$by_service")
by_the_service "$placed" 18
say "on again: placed by the service's scores: $(ask "$by_service")"
echo "1 passed, 0 failed"
