#!/usr/bin/env bash
# Runs the checks that are not tests: formatting, vet on three systems, tidy modules, lint (which also checks the layers
# of packages), and the packages that the programs link.
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

step "what the programs link"
scripts/linked.sh
