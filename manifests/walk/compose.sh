#!/usr/bin/env bash
# The commands at the head of compose.yaml, then a score from the service that they start.
. "$(dirname "$0")/lib.sh" test-compose
docker compose version > /dev/null 2>&1 || skip "docker has no compose"
trap 'code=$?; ((code == 0)) || docker compose logs --tail 30; docker compose down --volumes; rm -rf "$work"; exit $code' EXIT

commands=$(sed -n 's/^#   //p' compose.yaml)
[[ $commands == *"docker compose up"*curl* ]] || fail "compose.yaml does not begin with its commands"
say "compose.yaml"
eval "${commands%curl*}"
scored() { eval "curl${commands##*curl}" > .score && grep -q this-machine .score; }
within 60 scored # after the first two scrapes
cat .score
docker compose exec -T service berth models --help > /dev/null # the other command that an operator needs
echo "1 passed, 0 failed"
