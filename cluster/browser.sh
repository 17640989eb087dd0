#!/usr/bin/env bash
# Installs Debian's Chromium with its driver for the tests of the page, where this user may and the network lets it, within
# five minutes; else says what to do. Never fails: without a browser those tests are skipped, and say so.
set -euo pipefail

chromium=${BERTH_CHROMIUM:-/usr/bin/chromium} driver=${BERTH_CHROMEDRIVER:-/usr/bin/chromedriver}
[[ -x $chromium && -x $driver ]] && exit 0

if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
  echo "installing chromium and chromium-driver for the tests of the page (about 100 MB)"
  export DEBIAN_FRONTEND=noninteractive
  apt=(timeout --kill-after=10 150 apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o DPkg::Lock::Timeout=60)
  log=$(mktemp)
  if "${apt[@]}" update >"$log" 2>&1 && "${apt[@]}" install -y --no-install-recommends chromium chromium-driver fonts-dejavu-core >"$log" 2>&1 </dev/null; then
    rm -f "$log"
    exit 0
  fi
  tail -3 "$log" >&2
  rm -f "$log"
fi
echo "no browser: the tests of the page are skipped. As root: apt-get install chromium chromium-driver; or set BERTH_CHROMIUM and BERTH_CHROMEDRIVER" >&2
