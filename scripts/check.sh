#!/usr/bin/env bash
# Runs the checks that are not tests. It checks the formatting, runs go vet for three operating systems, and checks that
# the modules are tidy. Then it runs the linter, which also checks the imports between packages. Finally, it checks the
# guidelines with which guardrails guards this repository, and that the programs link only the allowed packages.
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

step "lint and layers"
scripts/lint.sh

step "the guidelines for this repository, and their cases"
for command in lint test; do go run ./cmd/guardrails "$command" .claude/guardrails/house.yaml; done

step "what the programs link"
scripts/linked.sh
