#!/usr/bin/env bash
# Installs Debian's Chromium with its driver for the tests of the page, where this user may; else says what to do. Never
# fails: without a browser those tests are skipped, and say so.
set -euo pipefail

chromium=${BERTH_CHROMIUM:-/usr/bin/chromium} driver=${BERTH_CHROMEDRIVER:-/usr/bin/chromedriver}
[[ -x $chromium && -x $driver ]] && exit 0

if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
  echo "installing chromium and chromium-driver for the tests of the page (about 100 MB)"
  export DEBIAN_FRONTEND=noninteractive
  if apt-get update -qq >/dev/null && apt-get install -qq -y --no-install-recommends chromium chromium-driver fonts-dejavu-core >/dev/null; then
    exit 0
  fi
fi
echo "no browser: the tests of the page are skipped. As root: apt-get install chromium chromium-driver; or set BERTH_CHROMIUM and BERTH_CHROMEDRIVER" >&2
