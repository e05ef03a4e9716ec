#!/usr/bin/env bash
# Builds the four hooks into a folder (default bin). The client starts a hook for every tool call, so small programs
# matter. The hooks are built from code that scripts/lean prepares: a reduced copy of the shell parser, and source files
# with almost no line numbers. Functions of this project are not inlined, and there is no debug information. In the
# largest hook, functions of some of Go's own packages, such as "strings" and "syscall", are not inlined either. The
# option -wb=false needs the changed garbage collector of scripts/lean; see changes() in scripts/lean/lines.go. Go's own
# runtime must not be built with this option.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-bin}
go=${GO:-go}
export CGO_ENABLED=0
# On amd64, functions need no alignment. On other processors, they do.
align=8
if [ "$("$go" env GOARCH)" = amd64 ]; then align=1; fi
# A hook ends before the first garbage collection. Until that time, Go's older garbage collector touches fewer memory
# pages than the new one, so a hook starts 10 % faster. Without a random start address of the heap, the programs are
# 2 KB smaller; the random address protects programs with C code, and hooks have none. If this version of Go no longer
# has such a choice, the default is used.
GOOS='' GOARCH='' "$go" run ./scripts/lean
experiments=
for experiment in nogreenteagc norandomizedheapbase64; do
  if GOEXPERIMENT=$experiment "$go" list runtime >/dev/null 2>&1; then experiments+=${experiments:+,}$experiment; fi
done
export GOEXPERIMENT=$experiments
mkdir -p "$bin"
bin=$(cd "$bin" && pwd)
cd .build/lean/short
for hook in inject subagent enforce stop; do
  small=()
  for package in os time io io/fs internal/poll errors bytes strconv internal/strconv sync slices; do
    small+=(-gcflags "$package=-wb=false")
  done
  if [ "$hook" = enforce ]; then
    small+=(-gcflags 'internal/runtime/...=-l')
    for package in strings internal/stringslite internal/bytealg internal/cpu syscall; do
      small+=(-gcflags "$package=-l -wb=false")
    done
  fi
  "$go" build -overlay=../overlay.json -trimpath -buildmode=exe -ldflags "-s -w -funcalign=$align" \
    -gcflags 'g/...=-l -wb=false' ${small[@]+"${small[@]}"} -o "$bin/" "./guardrails-$hook"
done
