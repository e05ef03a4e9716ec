#!/usr/bin/env bash
# Everything that CI runs. It stops at the first thing that fails and says what that was.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; }

step "formatting"
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then echo "not formatted (run gofmt -w): $unformatted"; exit 1; fi

step "vet on linux, darwin and windows"
for os in linux darwin windows; do GOOS=$os CGO_ENABLED=0 go vet ./...; done

step "modules are tidy"
go mod verify >/dev/null
go mod tidy -diff

step "lint, which checks the layers too"
scripts/lint.sh

step "what the programs link"
scripts/linked.sh

# What needs servers has a step of its own.
packages=$(go list ./... | grep -v /store/elastic$)

step "tests"
CGO_ENABLED=0 go test -count=1 -timeout 20m $packages

step "tests with the race detector"
# The race detector slows tests five to ten times; those that compare 100,000 random cases do fewer under it.
CGO_ENABLED=1 go test -race -short -count=1 -timeout 30m $packages

step "stores on Elasticsearch and OpenSearch, and the proofs, which are a module of their own"
(cd store/proof && go mod tidy -diff && go vet ./...)
scripts/stores.sh

step "coverage"
scripts/coverage.sh

step "fuzz targets, two seconds each"
scripts/fuzz.sh "${FUZZTIME:-2s}"

step "the examples of the README and a fresh HOME"
scripts/fresh.sh

step "the hooks on the real client, in two versions"
make --no-print-directory e2e

step "clients that nobody here wrote use the server"
scripts/mcp.sh
scripts/schemathesis.sh

step "budgets"
CGO_ENABLED=0 make --no-print-directory bench

step "generated files are current"
if [ -n "$(git status --porcelain)" ] && [ "${CI:-}" = true ]; then
  git status --porcelain
  echo "the tests changed or left files in the work tree"
  exit 1
fi
echo "all steps passed"
