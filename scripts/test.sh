#!/usr/bin/env bash
# Runs everything that CI runs, and stops at the first failure.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== after %d s: %s\n' "$SECONDS" "$*"; }

scripts/check.sh

# The Elasticsearch driver needs servers, so it has a step of its own.
packages=$(go list ./... | grep -v /store/elastic$)

step "tests"
# Many tests wait, for example for another process, so more packages than processors run at the same time.
CGO_ENABLED=0 go test -count=1 -timeout 20m -p 4 $packages

step "detectors on labelled examples"
CGO_ENABLED=0 go test -count=1 -v -run '^Test(Corpus|Threads|Messages|Intents|Answers|Sessions|Pairs|Words)Of' \
  $(git ls-files 'detect/**corpus_test.go' 'service/**corpus_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|')

step "tests with the race detector, and coverage"
scripts/race.sh $packages

step "stores on Elasticsearch and OpenSearch, and the proofs (a separate module)"
(cd store/proof && go mod tidy -diff && go vet ./...)
scripts/stores.sh

step "globs match as another implementation does; that test is a module of its own"
(cd guideline/pattern/proof && go mod tidy -diff && go vet ./... && CGO_ENABLED=0 go test -count=1 ./...)

step "fuzz targets, two seconds each"
scripts/fuzz.sh "${FUZZTIME:-2s}"

step "the first steps of a new user, in an empty HOME"
scripts/fresh.sh

step "the hooks in Claude Code, in two versions"
make --no-print-directory e2e

step "the page in a browser"
scripts/ui.sh

step "MCP and REST clients of others"
scripts/mcp.sh
scripts/schemathesis.sh

step "budgets"
CGO_ENABLED=0 make --no-print-directory bench
CGO_ENABLED=0 scripts/bench-full.sh --small

step "generated files are current"
if [ -n "$(git status --porcelain)" ] && [ "${CI:-}" = true ]; then
  git status --porcelain
  echo "the tests changed files or left new ones; run make generate and commit the result"
  exit 1
fi
echo "all steps passed, after $SECONDS s"
