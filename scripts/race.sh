#!/usr/bin/env bash
# Runs tests with the race detector. It skips the given packages that neither start goroutines nor protect data against
# them. The race detector makes tests five to ten times slower. With -short, tests with 100,000 random cases run fewer
# cases.
#
#   race.sh PACKAGE...              runs the tests
#   race.sh --complete PACKAGE...   prints the packages whose tests all run with all cases
#   race.sh --flags                 prints the compiler's flags
set -euo pipefail
cd "$(dirname "$0")/.."
# SQLite is translated from C and starts no goroutines. If the detector leaves it out, tests of the store take a quarter
# of the time.
if [ "${1:-}" = --flags ]; then echo modernc.org/sqlite/lib=-race=false; exit; fi
complete=false
if [ "${1:-}" = --complete ]; then complete=true; shift; fi

# Only packages that start goroutines, or that protect data against them, can have a race. Testing the others would take
# minutes and find nothing.
concurrent='^[[:space:]]*go [a-z]|\.Go\(|make\(chan|t\.Parallel\(|sync\.(Mutex|RWMutex|WaitGroup|Cond)|atomic\.'
mapfile -t packages < <(go list -f '{{.ImportPath}} {{.Dir}}' "$@" | while read -r path dir; do
  if ! grep -qsE "$concurrent" "$dir"/*.go; then continue; fi
  if "$complete" && grep -qs 'testing\.Short()' "$dir"/*_test.go; then continue; fi
  echo "$path"
done)
if "$complete"; then printf '%s\n' "${packages[@]}"; exit; fi
# Some packages mostly wait, so more of them than processors run at the same time.
echo "${#packages[@]} of $# packages start goroutines or protect data against them"
CGO_ENABLED=1 go test -race -gcflags="$(scripts/race.sh --flags)" -short -count=1 -timeout 30m -p 3 "${packages[@]}"
