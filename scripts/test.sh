#!/usr/bin/env bash
# Runs everything that CI runs. If a step fails, the other steps still run. The last lines of the output list the failed
# steps.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=() times=()
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
step() { # NAME COMMAND...
  local name=$1 began=$SECONDS
  shift
  printf '\n== after %d s: %s\n' "$began" "$name"
  "$@" > >(tee "$outputs/$name") 2>&1 || failed+=("$name")
  times+=("$(printf '%5d s  %s' $((SECONDS - began)) "$name")")
}
in_module() ( # FOLDER ARGUMENTS OF go...
  cd "$1" && go mod tidy -diff && go vet ./... && { [ $# -eq 1 ] || go "${@:2}"; }
)
wait_for_fuzzing() {
  local result=0
  wait "$fuzzing" || result=$?
  cat .build/fuzz.txt
  return "$result"
}
# Prints the lines of a test output that name a failed test. If there is no such line, prints the last lines.
what_failed() { # FILE
  grep -m 20 -E '^ *--- FAIL|^FAIL|^ *✘|^panic:|^[^ ]+\.go:[0-9]+:[0-9]+:|over its budget' "$1" || tail -n 15 "$1"
}

# The tests of store/elastic need servers, so a separate step runs them.
packages=$(go list ./... | grep -v /store/elastic$)
# A separate step runs the tests of these packages and measures their coverage.
covered=$(go list ./guideline/... ./evaluator/... ./decide/... ./cli/... ./server/rest ./server/mcp)
# The step with the race detector runs every test of these packages, so the step "tests" leaves these packages out.
raced=$(scripts/race.sh --complete $packages)
others=$(grep -vxF "$covered" <<<"$packages" | grep -vxF "$raced")
detectors=$(git ls-files 'detect/**corpus_test.go' 'service/**corpus_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|')
export CGO_ENABLED=0
# The step "checks" runs vet, so the tests need not run it again.
GOFLAGS="$(go env GOFLAGS) -vet=off"
export GOFLAGS

step "checks" scripts/check.sh
# Many tests wait, for example for another process, so test more packages at once than there are processors.
step "tests" go test -count=1 -timeout 20m -p 4 $others
step "tests of rules, judgement, commands and servers, and their coverage" scripts/coverage.sh $covered
step "detectors on labelled examples" \
  go test -count=1 -v -run '^Test(Corpus|Threads|Messages|Intents|Answers|Sessions|Pairs|Words)Of' $detectors
step "tests with the race detector" scripts/race.sh $packages
step "the proofs are tidy (a separate module)" in_module store/proof
# The next step mostly waits for servers, so the fuzz targets run at the same time. Their low priority keeps them from
# slowing the tests down.
mkdir -p .build
nice -n 19 scripts/fuzz.sh "${FUZZTIME:-2s}" >.build/fuzz.txt 2>&1 &
fuzzing=$!
step "stores on Elasticsearch and OpenSearch, and the proofs" scripts/stores.sh
step "fuzz targets, two seconds each" wait_for_fuzzing
step "globs match as another implementation does (a separate module)" in_module guideline/pattern/proof test -count=1 ./...
step "the first steps of a new user, in an empty HOME" scripts/fresh.sh
step "the hooks in Claude Code, in two versions" make --no-print-directory e2e
step "the page in a browser" scripts/ui.sh
step "MCP clients of others" scripts/mcp.sh
step "REST clients of others" scripts/schemathesis.sh
step "budgets" make --no-print-directory bench
# "make bench" has measured the same goals on SQLite.
step "budgets of large companies on Elasticsearch, on small data" scripts/bench-full.sh --small --only Elasticsearch/

if [ -n "$(git status --porcelain)" ] && [ "${CI:-}" = true ]; then
  git status --porcelain
  echo "the tests changed files or left new ones; run make generate and commit the result"
  failed+=("generated files are current")
fi
printf '\n== time of each step\n'
printf '%s\n' "${times[@]}"
if [ ${#failed[@]} -gt 0 ]; then
  printf '\nafter %d s, %d steps had failed:\n' "$SECONDS" "${#failed[@]}"
  for name in "${failed[@]}"; do
    printf '\n  %s\n' "$name"
    [ -f "$outputs/$name" ] && what_failed "$outputs/$name"
  done
  exit 1
fi
echo "all steps passed, after $SECONDS s"
