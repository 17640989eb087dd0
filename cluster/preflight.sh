#!/usr/bin/env bash
# Says what this machine lacks to build Berth: Go >= 1.26, a JDK >= 17, Maven. Silent when all is there.
set -euo pipefail

fail=0
lacks() {
  echo "berth needs $1" >&2
  fail=1
}

# at_least FOUND WANTED compares dotted versions.
at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n1) == "$2" ]]; }

if ! command -v go >/dev/null; then
  lacks "Go 1.26 or newer, and there is no go on the PATH: see https://go.dev/doc/install"
else
  found=$(GOTOOLCHAIN=local go env GOVERSION)
  at_least "${found#go}" 1.26 || lacks "Go 1.26 or newer, found ${found#go}: see https://go.dev/doc/install"
fi

if ! command -v "${JAVA_HOME:+$JAVA_HOME/bin/}javac" >/dev/null; then
  lacks "a JDK 17 or newer, and there is no javac (JAVA_HOME is ${JAVA_HOME:-not set}): apt-get install openjdk-17-jdk-headless"
else
  found=$("${JAVA_HOME:+$JAVA_HOME/bin/}javac" -version 2>&1)
  at_least "${found#javac }" 17 || lacks "a JDK 17 or newer, found ${found#javac }: apt-get install openjdk-17-jdk-headless"
fi

command -v mvn >/dev/null || lacks "Maven: apt-get install maven"

exit "$fail"
