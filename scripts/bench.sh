#!/usr/bin/env bash
# Measures the budgets and fails if one is missed. `make bench` builds bin/guardrails first. The cost of hooks is the
# time that Claude Code waits for them, so client.sh installs Claude Code from npm. If it cannot be installed, these
# measurements are left out, except in CI.
set -euo pipefail
cd "$(dirname "$0")/.."
if clients=$(scripts/client.sh); then
  GUARDRAILS_BENCH_CLIENT=$(tail -n 1 <<<"$clients")
  export GUARDRAILS_BENCH_CLIENT
elif [ "${CI:-}" = true ]; then
  exit 1
else
  echo "bench.sh: the client is not available, so the cost of its hooks is not measured" >&2
fi
go run ./scripts/bench "$@"
