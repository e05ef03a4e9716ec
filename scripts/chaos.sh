#!/usr/bin/env bash
# Kills servers under load, and checks that nothing acknowledged is lost or doubled.
#
#   scripts/chaos.sh          kills servers 1,000 times
#   scripts/chaos.sh KILLS    kills servers that often
set -euo pipefail
cd "$(dirname "$0")/../store/proof"
CGO_ENABLED=0 go test -count=1 -timeout 8h -v -run '^TestNothingIsLost' -kills "${1:-1000}" .
