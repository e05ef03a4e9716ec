#!/usr/bin/env bash
# Prints how much of each package the tests of all packages cover. It fails if guideline, evaluator or decide is below
# 90 %.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p coverage
CGO_ENABLED=0 go test -short -coverpkg=./... -coverprofile=coverage/profile $(go list ./... | grep -vE '^guardrails$|/(store/elastic|scripts/.*)$') >coverage/tests.txt ||
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
    for (package in all) printf "%-44s %5.1f %%\n", package, 100 * run[package] / all[package]
  }' coverage/profile | sort >coverage/packages.txt
cat coverage/packages.txt
awk '$1 ~ /^guardrails\/(guideline|evaluator|decide)($|\/)/ && $2 < 90 { print "the coverage of " $1 " is below 90 %"; low = 1 }
  END { exit low }' coverage/packages.txt
