#!/usr/bin/env bash
# Measures the budgets. Needs bin/guardrails, which `make bench` builds first.
set -euo pipefail
cd "$(dirname "$0")/.."
go run ./scripts/bench
