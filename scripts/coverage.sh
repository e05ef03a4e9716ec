#!/usr/bin/env bash
# Runs the tests of the given packages, and fails if they cover less than 90 % of a package in guideline, evaluator or
# decide.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p coverage
go test -count=1 -timeout 20m -p 4 -coverprofile=coverage/profile \
  -coverpkg=./guideline/...,./evaluator/...,./decide/... "$@" >coverage/tests.txt 2>&1 ||
  { grep -vE '^ok|no test files' coverage/tests.txt; exit 1; }

# A statement counts once, even if several tests run it. A line of the profile is "FILE:FROM,TO STATEMENTS RUNS".
awk '
  NR > 1 { size[$1] = $2; if ($3 > 0) covered[$1] = 1 }
  END {
    for (block in size) {
      package = block
      sub(/\/[^\/]*$/, "", package)
      all[package] += size[block]
      if (block in covered) run[package] += size[block]
    }
    for (package in all) {
      percent = 100 * run[package] / all[package]
      printf "%-44s %5.1f %% covered\n", package, percent
      if (percent < 90) { print "the coverage of " package " is below 90 %"; low = 1 }
    }
    exit low
  }' coverage/profile
