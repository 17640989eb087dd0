#!/usr/bin/env bash
# The Indexed Job of docs/sweeps.md on a cluster of one node, with the notebook's grid, whose units take seconds.
. "$(dirname "$0")/lib.sh" test-sweep
. "$(dirname "$0")/cluster.sh"

run docs/sweeps.md '## One unit' 1
cp notebooks/grid.yaml manifests/sweep/grid.yaml # "put your grid into"
sed -i 's/completions: [0-9]*/completions: 4/' manifests/sweep/job.yaml
printf 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nname: berth\n' > .cluster.yaml
kind create cluster --config .cluster.yaml
load_images localhost/berth-workbench:0.1.0

run docs/sweeps.md '## One unit' 2 | tee .sweep
done_units=$(kubectl -n berth-sweep get job sweep -o jsonpath='{.status.completedIndexes}')
[[ $done_units == 0-3 ]] || fail "units done: $done_units, not 0-3"
(($(grep -cE '^\| 0.*±' .sweep) == 2)) || fail "the table has not the two cells of the grid, each with its interval"
say "4 units done: $done_units"
echo "1 passed, 0 failed"
