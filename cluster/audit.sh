#!/usr/bin/env bash
# Known vulnerabilities of the Go modules (govulncheck) and the jars (OWASP Dependency-Check); "audit.sh go": of the Go modules
# alone. What no database can be had for is skipped, and said so. A failure is: a vulnerability that our code calls and that a
# version mends, unless audit-allow.txt has it (internal/audit/judge.go); a jar with a severe one; an audit that broke; a
# database that was asked for (GOVULNDB) and is none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.9.0
online=https://vuln.go.dev
# The same database as a Go module, for machines that reach Go modules only. Newer: go list -m golang.org/x/vulndb@latest
snapshot=golang.org/x/vulndb@v0.0.0-20261105234957-e22db6528018
dependency_check=org.owasp:dependency-check-maven:12.1.0
nvd=https://services.nvd.nist.gov/rest/json/cves/2.0
bad=0 skipped=()

reachable() { curl --silent --fail --location --max-time 20 --output /dev/null "$1"; }

# is_database URL: looks like what govulncheck -db takes, a folder of GO-*.json without an index included. To that it would
# say "nothing found" of an empty folder; internal/audit/scan.go looks once more.
is_database() {
  case $1 in
  file:///*) [[ -e ${1#file://}/index/modules.json ]] || compgen -G "${1#file://}/GO-*.json" >/dev/null ;;
  http://* | https://*) reachable "${1%/}/index/modules.json.gz" ;;
  *) return 1 ;;
  esac
}

# choose_database sets database and says which it is; 1: there is none, and why.
choose_database() {
  local answer
  if [[ -n ${GOVULNDB:-} ]]; then
    if ! is_database "$GOVULNDB"; then
      echo "audit: GOVULNDB=$GOVULNDB is no vulnerability database that can be read: it takes file:///FOLDER (with index/modules.json, or GO-*.json) or https://HOST" >&2
      exit 1
    fi
    database=$GOVULNDB
    echo "== database of Go vulnerabilities: $database (GOVULNDB)"
  elif is_database "$online"; then
    database=$online
    echo "== database of Go vulnerabilities: $database"
  elif answer=$(go mod download -json "$snapshot" 2>&1); then
    database=file://$(sed -n 's/^\t"Dir": "\(.*\)",$/\1/p' <<<"$answer")/data/osv
    is_database "$database" || { echo "audit: $snapshot holds no data/osv/GO-*.json" >&2; exit 1; }
    [[ $snapshot =~ -([0-9]{4})([0-9]{2})([0-9]{2})[0-9]{6}- ]]
    local day="${BASH_REMATCH[1]}-${BASH_REMATCH[2]}-${BASH_REMATCH[3]}"
    echo "== database of Go vulnerabilities: as of $day, $((($(date +%s) - $(date -d "$day" +%s)) / 86400)) days ago (${snapshot%@*}; $online cannot be reached)"
  else
    why=$(sed -n 's/^\t"Error": "\(.*\)".*$/\1/p' <<<"$answer")
    return 1
  fi
}

audit_go() {
  local module file flags scans=()
  (cd cluster && go run ./cmd/audit -check) || exit 1 # before the minutes of looking
  choose_database || {
    skipped+=("Go modules NOT AUDITED: neither $online nor the Go module ${snapshot%@*} can be had: ${why:-no reason given} (GOVULNDB names another database)")
    return
  }
  mkdir -p .build/bin out/audit
  GOBIN=$PWD/.build/bin go install $govulncheck || {
    skipped+=("Go modules NOT AUDITED: $govulncheck cannot be had or built, see above")
    return
  }
  for module in scheduler-plugin-go cluster manifests/check mutate; do
    echo "== govulncheck: $module"
    file=$PWD/out/audit/govulncheck-${module//\//-}.json flags=(-db "$database" -format json)
    if [[ $module == manifests/check ]]; then flags+=(-test); fi # it is all tests: without them there is nothing to look at
    if .build/bin/govulncheck -C $module "${flags[@]}" ./... >"$file"; then
      scans+=("$module=$file")
    else
      bad=1
      echo "audit: $module: NOT AUDITED, govulncheck failed: see above" >&2
    fi
  done
  ((bad)) || (cd cluster && go run ./cmd/audit "${scans[@]}") || bad=1
}

audit_jars() {
  if [[ -n ${NVD_FEED:-} ]] || reachable "$nvd?resultsPerPage=1"; then
    echo "== OWASP Dependency-Check: the jars (its first run fetches the whole NVD)"
    mvn -B -q $dependency_check:aggregate -DfailBuildOnCVSS=7 -DskipTestScope=true -Dodc.outputDirectory=out/audit \
      ${NVD_FEED:+-DnvdDatafeedUrl=$NVD_FEED} || { bad=1; echo "audit: jars: see above" >&2; }
  else
    skipped+=("jars NOT AUDITED: $nvd cannot be reached (NVD_FEED names a mirror of the data feeds)")
  fi
}

case ${1:-all} in
go) audit_go ;;
all)
  audit_go
  audit_jars
  ;;
*)
  echo "usage: audit.sh [go]" >&2
  exit 2
  ;;
esac
for what in "${skipped[@]}"; do echo "audit: SKIPPED: $what"; done
exit $bad
