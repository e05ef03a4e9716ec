#!/usr/bin/env bash
# The servers that the tests of the stores need: Elasticsearch and OpenSearch, each with one node, on loopback.
#
#   eval "$(scripts/stores.sh start)"   starts them and says where they are
#   scripts/stores.sh stop              stops them and forgets their data
#   scripts/stores.sh                   starts them, runs the tests of the driver and the proofs over both, and stops them
set -euo pipefail
cd "$(dirname "$0")/.."
es=(--port "${GUARDRAILS_TEST_PORT:-9200}" --dir "${TMPDIR:-/tmp}/guardrails-stores-$(id -u)-${GUARDRAILS_TEST_PORT:-9200}/es")
os=(--port "$((${GUARDRAILS_TEST_PORT:-9200} + 50))" --dir "${TMPDIR:-/tmp}/guardrails-stores-$(id -u)-${GUARDRAILS_TEST_PORT:-9200}/os")

start() {
  local one two
  one=$(scripts/elasticsearch.sh start "${es[@]}")
  two=$(scripts/opensearch.sh start "${os[@]}")
  echo "export GUARDRAILS_TEST_ELASTICSEARCH=$one GUARDRAILS_TEST_OPENSEARCH=$two"
}

stop() {
  scripts/elasticsearch.sh stop "${es[@]}" || true
  scripts/opensearch.sh stop "${os[@]}" || true
  rm -rf "$(dirname "${es[3]}")"
}

run() {
  trap stop EXIT
  eval "$(start)"
  # The tests wait for servers most of the time, so more of them run at once than there are processors.
  CGO_ENABLED=0 go test -count=1 -timeout 20m -parallel 8 ./store/elastic
  CGO_ENABLED=1 go test -race -count=1 -timeout 20m -parallel 8 \
    -run 'TestHandles|TestABusy|TestASlow|TestStoreKeepsTheContract/.*/(concurrency|life|audit)' ./store/elastic
  (cd store/proof && CGO_ENABLED=1 go test -race -count=1 -timeout 20m -parallel 8 ./...)
}

case ${1:-run} in start | stop | run) "${1:-run}" ;; *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
