#!/usr/bin/env bash
# Builds the four hooks into a folder (default bin). They are loaded for every tool call, so their size counts: the shell
# parser comes from a lean copy (scripts/lean), functions are not inlined, and nothing is kept for debuggers.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-bin}
go=${GO:-go}
export CGO_ENABLED=0
# Functions are not padded: amd64 needs it for nothing, and on other systems instructions must be aligned.
align=8
if [ "$("$go" env GOARCH)" = amd64 ]; then align=1; fi
# A hook ends long before anything is collected, and the older collector touches fewer pages until then: a tenth of the
# time that a process takes to start. A Go that does not have it any more builds with its own.
GOOS='' GOARCH='' "$go" run ./scripts/lean
older=nogreenteagc
GOEXPERIMENT=$older "$go" list runtime >/dev/null 2>&1 || older=
export GOEXPERIMENT=$older
mkdir -p "$bin"
for hook in inject subagent enforce stop; do
  "$go" build -modfile=.build/lean/go.mod -trimpath -buildmode=exe -ldflags "-s -w -funcalign=$align" \
    -gcflags 'guardrails/...=-l' -gcflags 'mvdan.cc/...=-l' -o "$bin/" "./cmd/guardrails-$hook"
done
