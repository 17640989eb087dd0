#!/usr/bin/env bash
# Known vulnerabilities of the Go modules (govulncheck) and the jars (OWASP Dependency-Check). Where a database cannot be
# reached the audit is skipped and says so; a vulnerability that was found, or an audit that broke, is a failure.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.9.0
dependency_check=org.owasp:dependency-check-maven:12.1.0
go_database=${GOVULNDB:-https://vuln.go.dev}
nvd=https://services.nvd.nist.gov/rest/json/cves/2.0
bad=0 skipped=()

reachable() { curl --silent --fail --location --max-time 20 --output /dev/null "$1"; }

if reachable "$go_database/index/modules.json"; then
  for module in scheduler-plugin-go cluster manifests/check mutate; do
    echo "== govulncheck: $module"
    (cd $module && GOVULNDB=$go_database go run $govulncheck ./...) || { bad=1; echo "audit: $module: see above"; }
  done
else
  skipped+=("Go modules NOT AUDITED: $go_database cannot be reached (GOVULNDB names another database)")
fi

if [[ -n ${NVD_FEED:-} ]] || reachable "$nvd?resultsPerPage=1"; then
  echo "== OWASP Dependency-Check: the jars (its first run fetches the whole NVD)"
  mvn -B -q $dependency_check:aggregate -DfailBuildOnCVSS=7 -DskipTestScope=true -Dodc.outputDirectory=out/audit \
    ${NVD_FEED:+-DnvdDatafeedUrl=$NVD_FEED} || { bad=1; echo "audit: jars: see above"; }
else
  skipped+=("jars NOT AUDITED: $nvd cannot be reached (NVD_FEED names a mirror of the data feeds)")
fi

for what in "${skipped[@]}"; do echo "audit: SKIPPED: $what"; done
exit $bad
