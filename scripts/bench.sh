#!/usr/bin/env bash
# Measures the budgets. Needs bin/guardrails, which `make bench` builds first, and the real client, which client.sh installs
# from npm: what hooks cost is what the client waits for them. Where it cannot be had, that is left out, except in CI.
set -euo pipefail
cd "$(dirname "$0")/.."
if clients=$(scripts/client.sh); then
  GUARDRAILS_BENCH_CLIENT=$(tail -n 1 <<<"$clients")
  export GUARDRAILS_BENCH_CLIENT
elif [ "${CI:-}" = true ]; then
  exit 1
else
  echo "bench.sh: there is no client, so that what hooks cost it is not measured" >&2
fi
go run ./scripts/bench "$@"
