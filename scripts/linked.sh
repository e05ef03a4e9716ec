#!/usr/bin/env bash
# Checks which packages the programs link. Hooks may link only the packages in scripts/hooks-link.txt. The program
# guardrails must not link the MCP library.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
export CGO_ENABLED=0

"$go" run ./scripts/lean
hooks=$(cd .build/lean/short && "$go" list -deps ./guardrails-{inject,subagent,enforce,stop})
linked=$(grep -vE '^g/|^internal/|/internal/' <<<"$hooks" | sort -u)
listed=$(awk '!/^#/ && NF { print $1 }' scripts/hooks-link.txt | sort -u)
added=$(comm -23 <(echo "$linked") <(echo "$listed"))
gone=$(comm -13 <(echo "$linked") <(echo "$listed"))
if [ -n "$added" ]; then echo "a hook links packages that scripts/hooks-link.txt does not list:" $added; exit 1; fi
if [ -n "$gone" ]; then echo "scripts/hooks-link.txt lists packages that no hook links any more:" $gone; exit 1; fi

if "$go" list -deps ./cmd/guardrails | grep '^github.com/mark3labs/mcp-go'; then
  echo "cmd/guardrails links the library for MCP, which spends milliseconds in package initialisation"
  exit 1
fi
