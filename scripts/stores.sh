#!/usr/bin/env bash
# The servers that the tests of the stores need: Elasticsearch, OpenSearch, and an Elasticsearch that asks who is there,
# each with one node, on loopback.
#
#   eval "$(scripts/stores.sh start)"   starts them and says where they are
#   scripts/stores.sh stop              stops them and forgets their data
#   scripts/stores.sh                   starts them, runs the tests of the driver and the proofs over both, and stops them
set -euo pipefail
cd "$(dirname "$0")/.."
port=${GUARDRAILS_TEST_PORT:-9200} work=${TMPDIR:-/tmp}/guardrails-stores-$(id -u)-${GUARDRAILS_TEST_PORT:-9200}
es=(--port "$port" --dir "$work/es")
secured=(--port "$((port + 10))" --dir "$work/secured")
os=(--port "$((port + 50))" --dir "$work/os")

start() {
  local one two three
  one=$(scripts/elasticsearch.sh start "${es[@]}")
  two=$(scripts/opensearch.sh start "${os[@]}")
  [ -s "$work/password" ] || (umask 077 && od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$work/password")
  # Few tests use it, so it gets less memory.
  three=$(ES_JAVA_OPTS="-Xms256m -Xmx256m -XX:TieredStopAtLevel=1" scripts/elasticsearch.sh start "${secured[@]}" --password-file "$work/password")
  echo "export GUARDRAILS_TEST_ELASTICSEARCH=$one GUARDRAILS_TEST_OPENSEARCH=$two"
  echo "export GUARDRAILS_TEST_SECURED=$three GUARDRAILS_TEST_SECURED_PASSWORD_FILE=$work/password"
}

stop() {
  scripts/elasticsearch.sh stop "${es[@]}" || true
  scripts/elasticsearch.sh stop "${secured[@]}" || true
  scripts/opensearch.sh stop "${os[@]}" || true
  rm -rf "$work"
}

run() {
  trap stop EXIT
  eval "$(start)"
  # The tests wait for servers most of the time, so more of them run at once than there are processors.
  CGO_ENABLED=0 go test -count=1 -timeout 20m -parallel 8 ./store/elastic
  CGO_ENABLED=1 go test -race -count=1 -timeout 20m -parallel 8 \
    -run 'TestHandles|TestABusy|TestASlow|TestStoreKeepsTheContract/.*/(concurrency|life|audit)' ./store/elastic
  scripts/elasticsearch.sh stop "${secured[@]}" # the proofs start a cluster of their own
  (cd store/proof && CGO_ENABLED=1 go test -race -count=1 -timeout 20m -parallel 8 ./...)
}

case ${1:-run} in start | stop | run) "${1:-run}" ;; *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
