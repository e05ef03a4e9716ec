#!/usr/bin/env bash
# Measures times and sizes, and fails if one exceeds its budget. `make bench` builds bin/guardrails first. The cost of a
# hook is the time that Claude Code waits for it, so client.sh installs Claude Code from npm. If the installation fails,
# the script skips these measurements; in CI, it fails.
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
