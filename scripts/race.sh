#!/usr/bin/env bash
# Runs the tests of those given packages that use goroutines or guard something against them, with the race detector. It
# makes tests five to ten times slower. With -short, tests with 100,000 random cases run fewer cases.
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
