#!/usr/bin/env bash
# Runs every fuzz target for the given time (default 60s) and prints how many times each was executed. Runs several
# targets at the same time, one on each processor, because starting a target takes longer than the time for which CI
# runs it.
#
#   fuzz.sh [TIME]              runs all targets
#   fuzz.sh --one TIME DIR TARGET   runs one
set -euo pipefail
cd "$(dirname "$0")/.."

# ran_out reports whether a failure only means that the time was over. On a busy machine, go reports its own deadline as
# a failure: "context deadline exceeded" and nothing else. If a target really fails, go also names the file with the
# input.
ran_out() { [ "$(grep -A1 -- '--- FAIL' <<<"$1" | tail -n +2 | tr -d ' ')" = contextdeadlineexceeded ] && ! grep -q 'Failing input' <<<"$1"; }

one() {
  local time=$1 dir=$2 target=$3 log
  log=$(cd "$dir" && go test . -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 5x -parallel 1 2>&1) || ran_out "$log" || {
    echo "$log"
    return 1
  }
  echo "$(grep -oE 'execs: [0-9]+' <<<"$log" | tail -n 1 | grep -oE '[0-9]+' || echo 0) executions of $dir $target"
}
if [ "${1:-}" = --one ]; then one "${@:2}"; exit; fi

mkdir -p .build
for dir in $(go list -f '{{.Dir}}' ./...) "$PWD/guideline/pattern/proof"; do
  grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go 2>/dev/null | sed "s|^func |${dir#"$PWD/"} |" || true
done | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 2 scripts/fuzz.sh --one "${1:-60s}" | tee .build/fuzzed.txt
awk '{ total += $1 } END { print "fuzzed: " total " executions, no failure" }' .build/fuzzed.txt
