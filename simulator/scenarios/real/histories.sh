#!/usr/bin/env bash
# histories.sh TRACES OUT: imports what lies below TRACES (planetlab/, google2011/, bitbrains/, lifetimes/; archives
# or unpacked) into the histories that the scenarios of this folder name. What is there already stays.
set -euo pipefail
traces=$1 out=$2
berth=$(dirname "$0")/../../../bin/berth
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# usage NAME: an archive is unpacked first.
usage() {
  [[ -d $traces/$1 && ! -e $out/$1.csv.gz ]] || return 0
  mkdir "$work/$1"
  for archive in "$traces/$1"/*.tar.gz; do
    [[ -e $archive ]] && tar xzf "$archive" -C "$work/$1"
  done
  if [[ -z $(ls -A "$work/$1") ]]; then
    "$berth" import "$1" "$traces/$1" -o "$out/$1.csv.gz"
  else
    "$berth" import "$1" "$work/$1" -o "$out/$1.csv.gz"
  fi
}

# arrivals FORMAT NAME
arrivals() {
  [[ -d $traces/lifetimes && ! -e $out/$2.csv.gz ]] || return 0
  "$berth" import "$1" "$traces/lifetimes" -o "$out/$2.csv.gz"
}

usage planetlab
usage google2011
usage bitbrains
arrivals azure-v1 azure-v1
arrivals swf lcg
arrivals dlrm dlrm
