# What the walks share: they run the commands of the documents word for word, in a copy of the checkout, and look at what came of it.
# Sourced with the walk's name. Needs a container engine; says so and ends well without one.
set -euo pipefail
walk=$1 checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
started=$SECONDS

skip() { echo "SKIPPED $walk: $*"; exit 0; }
fail() { echo "FAILED $walk: $*" >&2; exit 1; }
say() { echo "-- $((SECONDS - started)) s: $*"; }

export DOCKER_BUILDKIT=1 # the default since Docker 23; the Dockerfile needs it

docker info > /dev/null 2>&1 || skip "no container engine answers (docker info)"

# The files as they are, changes included. A user's, when root walks: what only root's own files allow must not pass.
work=$(mktemp -d)
git -C "$checkout" ls-files -z --cached --others --exclude-standard | tar -C "$checkout" --ignore-failed-read --null -T - -c 2> /dev/null | tar -C "$work" -x
((UID)) || chown -R "${OWNER:-1000:1000}" "$work"
cd "$work"

# block FILE HEADING [N]: the Nth block of shell commands under the heading that starts so.
block() {
  awk -v heading="$2" -v wanted="${3:-1}" '
    /^```/ { inside = !inside; if (inside) { shell = /^```sh/; n += under && shell }; next }
    !inside && /^#/ { under = index($0, heading) == 1 }
    inside && shell && under && n == wanted' "$1"
}

# run FILE HEADING [N]: runs that block here, as if pasted.
run() {
  local commands
  commands=$(block "$@")
  [[ -n $commands ]] || fail "$1 has no block ${3:-1} of commands under '$2'"
  say "$1, $2"
  eval "$commands"
}

# within SECONDS COMMAND...: waits until the command succeeds.
within() {
  local until=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < until)) || fail "not within time: $*"
    sleep 1
  done
}
