#!/usr/bin/env bash
# Tests the hooks in Claude Code. Installs two versions of Claude Code. Also installs tmux, which sends keystrokes to
# Claude Code. Then runs the tests in e2e/ with both versions, against a scripted model on the loopback interface. The
# tests need no account, and neither read nor write the user's files.
#
# Some tests keep their guidelines in Elasticsearch. GUARDRAILS_TEST_ELASTICSEARCH is its URL; if the variable is not
# set, the script starts an Elasticsearch. CLIENT_OLD and CLIENT_NEW select the versions, see client.sh. Arguments are
# passed to go test, for example -run Gate or -update.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/tmux.sh
clients=$(scripts/client.sh)

work=$(mktemp -d)
own=()
finish() {
  if [ "${#own[@]}" -gt 0 ]; then
    scripts/elasticsearch.sh stop "${own[@]}"
    rm -rf "${own[3]}"
  fi
  rm -rf "$work"
}
trap finish EXIT
if [ -z "${GUARDRAILS_TEST_ELASTICSEARCH:-}" ]; then
  own=(--port "${GUARDRAILS_TEST_PORT:-9280}" --dir "${TMPDIR:-/tmp}/guardrails-e2e-$(id -u)-${GUARDRAILS_TEST_PORT:-9280}")
  GUARDRAILS_TEST_ELASTICSEARCH=$(scripts/elasticsearch.sh start "${own[@]}")
  export GUARDRAILS_TEST_ELASTICSEARCH
fi
make --no-print-directory build BIN="$work/bin"
for helper in e2e/recorder e2e/mcpserver; do CGO_ENABLED=0 go build -o "$work/bin/" "./$helper"; done

export GUARDRAILS_E2E_BIN=$work/bin
GUARDRAILS_E2E_CLIENTS=$(paste -sd: <<<"$clients")
export GUARDRAILS_E2E_CLIENTS
# Clients spend much time waiting, so more clients run at once than there are processors.
go test -tags e2e -count=1 -timeout 40m -parallel 4 ./e2e/... "$@"
