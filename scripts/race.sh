#!/usr/bin/env bash
# Runs tests with the race detector. It skips a given package if its code has no goroutines, channels, locks or atomic
# values, because such a package cannot have a race. The race detector makes tests five to ten times slower, so the tests
# run with -short: tests with 100,000 random cases then run fewer cases.
#
#   race.sh PACKAGE...              runs the tests
#   race.sh --complete PACKAGE...   prints the packages whose tests run completely even with -short
#   race.sh --flags                 prints the flags for the compiler
set -euo pipefail
cd "$(dirname "$0")/.."
# SQLite is translated from C and starts no goroutines. Without race detection in SQLite, the tests of the store take a
# quarter of the time.
if [ "${1:-}" = --flags ]; then echo modernc.org/sqlite/lib=-race=false; exit; fi
complete=false
if [ "${1:-}" = --complete ]; then complete=true; shift; fi

# Only packages that match this expression can have a race. Testing the other packages would take minutes and find
# nothing.
concurrent='^[[:space:]]*go [a-z]|\.Go\(|make\(chan|t\.Parallel\(|sync\.(Mutex|RWMutex|WaitGroup|Cond)|atomic\.'
mapfile -t packages < <(go list -f '{{.ImportPath}} {{.Dir}}' "$@" | while read -r path dir; do
  if ! grep -qsE "$concurrent" "$dir"/*.go; then continue; fi
  if "$complete" && grep -qs 'testing\.Short()' "$dir"/*_test.go; then continue; fi
  echo "$path"
done)
if "$complete"; then printf '%s\n' "${packages[@]}"; exit; fi
# The tests of some packages mostly wait, so test more packages at once than there are processors.
echo "${#packages[@]} of $# packages start goroutines or protect data against them"
CGO_ENABLED=1 go test -race -gcflags="$(scripts/race.sh --flags)" -short -count=1 -timeout 30m -p 3 "${packages[@]}"
