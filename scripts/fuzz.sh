#!/usr/bin/env bash
# Runs every fuzz target for the given time (default 60s) and prints how many times each target ran. The script builds
# the tests of each package only once, because a build takes more time than CI gives to one target. It runs several
# targets at the same time, one on each processor.
#
#   fuzz.sh [TIME]                     runs all targets
#   fuzz.sh --build DIR                builds the tests of a package for fuzzing
#   fuzz.sh --one TIME DIR TARGET      runs one target of a package that --build has built
set -euo pipefail
cd "$(dirname "$0")/.."
built=$PWD/.build/fuzz

# The function program() prints the path of a package's test program.
program() { echo "$built/${1//\//-}.test"; }

# The function ran_out() reports whether a run failed only because its time limit was reached. On a busy machine, go
# reports its own deadline as a failure, with the text "context deadline exceeded" and nothing else. If a target really
# fails, go also prints the name of the file with the failing input.
ran_out() { [ "$(grep -A1 -- '--- FAIL' <<<"$1" | tail -n +2 | tr -d ' ')" = contextdeadlineexceeded ] && ! grep -q 'Failing input' <<<"$1"; }

one() {
  local time=$1 dir=$2 target=$3 log
  log=$(cd "$dir" && "$(program "$dir")" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" \
    -test.fuzzminimizetime 5x -test.fuzzcachedir "$built/found/$dir" -test.parallel 1 2>&1) || ran_out "$log" || {
    echo "$dir $target: $log"
    return 1
  }
  echo "$(grep -oE 'execs: [0-9]+' <<<"$log" | tail -n 1 | grep -oE '[0-9]+' || echo 0) executions of $dir $target"
}
case ${1:-} in
  --build) (cd "$2" && exec go test -c -fuzz . -ldflags '-s -w' -o "$(program "$2")" .); exit ;;
  --one) one "${@:2}"; exit ;;
esac

mkdir -p "$built"
targets=$(for dir in $(go list -f '{{.Dir}}' ./...) "$PWD/guideline/pattern/proof"; do
  grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go 2>/dev/null | sed "s|^func |${dir#"$PWD/"} |" || true
done)
on_each_processor() { xargs -P "$(getconf _NPROCESSORS_ONLN)" "$@"; }
cut -d ' ' -f 1 <<<"$targets" | sort -u | on_each_processor -n 1 scripts/fuzz.sh --build
on_each_processor -n 2 scripts/fuzz.sh --one "${1:-60s}" <<<"$targets" | tee .build/fuzzed.txt
awk '{ total += $1 } END { print "fuzzed: " total " executions, no failure" }' .build/fuzzed.txt
