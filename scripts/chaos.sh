#!/usr/bin/env bash
# Kills servers under load, changes their clocks and fills the disk of their store, first with SQLite and then with
# Elasticsearch. Also cuts the network connection to Elasticsearch, and partitions a cluster of three nodes. Checks that
# no acknowledged write is lost or stored twice.
#
#   scripts/chaos.sh          kills servers 1,000 times on SQLite, and 50 times on Elasticsearch
#   scripts/chaos.sh KILLS    kills servers KILLS times on SQLite, and KILLS/20 times on Elasticsearch
#
# If GUARDRAILS_TEST_ELASTICSEARCH is not set, the script starts an Elasticsearch, and stops it at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${GUARDRAILS_TEST_ELASTICSEARCH:-}" ]; then
  dir=$(mktemp -d)
  chmod 711 "$dir" # Elasticsearch may run as another user
  es=(--port "${GUARDRAILS_TEST_PORT:-9200}" --dir "$dir/es")
  trap 'scripts/elasticsearch.sh stop "${es[@]}" || true; rm -rf "$dir"' EXIT
  GUARDRAILS_TEST_ELASTICSEARCH=$(scripts/elasticsearch.sh start "${es[@]}")
  export GUARDRAILS_TEST_ELASTICSEARCH
fi
(cd store/proof && CGO_ENABLED=0 go test -count=1 -timeout 8h -v -run '^TestNothingIsLost' -kills "${1:-1000}" .)
