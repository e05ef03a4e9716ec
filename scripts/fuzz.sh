#!/usr/bin/env bash
# Runs every fuzz target for the given time (default 60s) and prints how many times each was executed.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-60s}
total=0

# ran_out reports whether a failure only means that the time was over. On a busy machine, go reports its own deadline as
# a failure: "context deadline exceeded" and nothing else. If a target really fails, go also names the file with the
# input.
ran_out() { [ "$(grep -A1 -- '--- FAIL' <<<"$1" | tail -n +2 | tr -d ' ')" = contextdeadlineexceeded ] && ! grep -q 'Failing input' <<<"$1"; }

for dir in $(go list -f '{{.Dir}}' ./...) "$PWD/guideline/pattern/proof"; do
  for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go 2>/dev/null | sed 's/^func //'); do
    echo "== ${dir#"$PWD/"} $target ($time)"
    log=$(cd "$dir" && go test . -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 5x 2>&1) || ran_out "$log" || { echo "$log"; exit 1; }
    execs=$(grep -oE 'execs: [0-9]+' <<<"$log" | tail -n 1 | grep -oE '[0-9]+' || echo 0)
    echo "   $execs executions"
    total=$((total + execs))
  done
done
echo "fuzzed: $total executions, no failure"
