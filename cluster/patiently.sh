#!/usr/bin/env bash
# patiently.sh WHAT COMMAND [ARGUMENT...]: runs a command that may take minutes; from its fifth second on a line every
# twenty says that it is at work on WHAT. The command takes the place of this script, and with it signals and exit code;
# what tells of it ends a second after it at most, however it ends.
set -euo pipefail
if (($# < 2)); then
  echo "usage: patiently.sh WHAT COMMAND [ARGUMENT...]" >&2
  exit 2
fi
what=$1
shift
(
  seconds=0
  while sleep 1 > /dev/null 2>&1 && kill -0 $$ 2> /dev/null; do
    seconds=$((seconds + 1))
    if ((seconds % 20 == 5)); then
      echo "  $what: $seconds s"
    fi
  done
) &
exec "$@"
