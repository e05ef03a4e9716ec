#!/usr/bin/env bash
# Runs the tests of the given packages with the race detector, and fails if the tests cover less than 90 % of a package
# in guideline, evaluator or decide. The race detector makes tests five to ten times slower. With -short, tests with
# 100,000 random cases run fewer cases.
set -euo pipefail
cd "$(dirname "$0")/.."

# Only packages that start goroutines, or that guard something against them, can have a race. Testing the others would
# only take minutes longer.
concurrent='^[[:space:]]*go [a-z]|\.Go\(|make\(chan|t\.Parallel\(|sync\.(Mutex|RWMutex|WaitGroup|Cond)|atomic\.'
mapfile -t packages < <(go list -f '{{.ImportPath}} {{.Dir}}' "$@" | while read -r path dir; do
  if grep -qsE "$concurrent" "$dir"/*.go; then echo "$path"; fi
done)
echo "${#packages[@]} of $# packages start goroutines or guard something against them"
CGO_ENABLED=1 go test -race -short -count=1 -timeout 30m "${packages[@]}"

mkdir -p coverage
CGO_ENABLED=0 go test -short -p 4 -coverprofile=coverage/profile -coverpkg=./guideline/...,./evaluator/...,./decide/... \
  ./guideline/... ./evaluator/... ./decide/... ./cli/... ./server/rest ./server/mcp >coverage/tests.txt 2>&1 ||
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
