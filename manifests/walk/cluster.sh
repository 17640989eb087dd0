# What the two walks on kind share. Sourced after lib.sh.
command -v kind > /dev/null || skip "no kind"
command -v kubectl > /dev/null || skip "no kubectl"
! command kind get clusters 2> /dev/null | grep -qx berth || fail "a cluster named berth is there: kind delete cluster --name berth"
export KUBECONFIG=$work/.kubeconfig

# The pinned node image, or without a registry the one that is here.
node_image=$(grep -oE 'kindest/node:\S+' kind-config.yaml | head -1)
docker image inspect "$node_image" > /dev/null 2>&1 || timeout 300 docker pull -q "$node_image" 2> /dev/null ||
  node_image=$(docker image ls kindest/node --format '{{.Repository}}:{{.Tag}}' | head -1)
kind() {
  if [[ $1 == create && -n $node_image ]]; then
    command kind "$@" --image "$node_image"
  else
    command kind "$@"
  fi
}

cleanup() {
  local code=$?
  if ((code)) && [[ -f $KUBECONFIG ]]; then # what a reader of the log will ask for
    kubectl get pods --all-namespaces -o wide || true
    kubectl -n kube-system logs -l component=kube-scheduler --tail=30 || true
    kubectl -n berth-system logs berth-service-0 --tail=30 || true
    curl -sS -G --data-urlencode 'query=sum by (__name__, result) ({__name__=~"berth_score_call_duration_seconds_(count|sum)"})' http://127.0.0.1:9090/api/v1/query || true
  fi
  # shellcheck disable=SC2046 # one word a job
  kill $(jobs -p) 2> /dev/null || true
  command kind delete cluster --name berth
  rm -rf "$work"
  exit "$code"
}
trap cleanup EXIT

# load_images: images that are here need not be pulled by the nodes.
load_images() {
  local image
  for image in $(grep -rhoE 'image: (quay.io|nginx)\S+' manifests prometheus | cut -d' ' -f2 | sort -u) "$@"; do
    ! docker image inspect "$image" > /dev/null 2>&1 || command kind load docker-image -q --name berth "$image"
  done
}

# ask QUERY: the number Prometheus answers, 0 when it knows none; through the port-forward of docs/kind.md, step 7.
ask() {
  curl -fsS --retry 20 --retry-connrefused --retry-delay 1 -G --data-urlencode "query=$1" http://127.0.0.1:9090/api/v1/query |
    grep -oE '"value":\[[^]]*\]' | head -1 | sed 's/.*,"\(.*\)"\]/\1/' | grep . || echo 0
}
more() { awk -v a="$(ask "$1")" -v b="$2" 'BEGIN { exit !(a > b) }'; }

by_service='sum(berth_placements_total{decided_by="service"})'
by_others='sum(berth_placements_total{decided_by!="service"})'
no_target_down() { [[ $(ask 'count(up == 0) or vector(0)') == 0 ]]; }

# place N: N pods of nginx, all of them running.
place() {
  kubectl scale deployment nginx --replicas "$1"
  kubectl rollout status deployment/nginx --timeout=180s
}

# by_the_service BEFORE N: until more than BEFORE pods are placed by the service's scores, five of N pods of nginx go and come again:
# on two cores that carry four kubelets too, a service that has just started answers some questions after the deadline.
by_the_service() {
  local turn until
  for turn in 1 2 3 4 5; do
    place "$2"
    for ((until = SECONDS + 40; SECONDS < until; )); do # two scrapes
      ! more "$by_service" "$1" || return 0
      sleep 1
    done
    say "turn $turn: no answer in time"
    place $(($2 - 5))
  done
  fail "nothing is placed by the service's scores"
}
