#!/usr/bin/env bash
# Builds the four hooks into a folder (default bin). They are loaded for every tool call, so their size matters: the shell
# parser is a reduced copy and files have no line numbers (scripts/lean), functions are not inlined, and there is no debug
# information.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-bin}
go=${GO:-go}
export CGO_ENABLED=0
# amd64 does not need aligned functions; other systems do.
align=8
if [ "$("$go" env GOARCH)" = amd64 ]; then align=1; fi
# A hook ends before the first garbage collection. The older collector touches fewer pages until then, which saves a tenth of
# the start. If this version of Go no longer has it, the default collector is used.
GOOS='' GOARCH='' "$go" run ./scripts/lean
older=nogreenteagc
GOEXPERIMENT=$older "$go" list runtime >/dev/null 2>&1 || older=
export GOEXPERIMENT=$older
mkdir -p "$bin"
for hook in inject subagent enforce stop; do
  "$go" build -modfile=.build/lean/go.mod -overlay=.build/lean/overlay.json -trimpath -buildmode=exe -ldflags "-s -w -funcalign=$align" \
    -gcflags 'guardrails/...=-l' -gcflags 'mvdan.cc/...=-l' -o "$bin/" "./cmd/guardrails-$hook"
done
