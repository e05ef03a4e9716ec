#!/usr/bin/env bash
# Runs the servers that the store tests need: Elasticsearch, OpenSearch, and an Elasticsearch with authentication and
# TLS, each with one node on the loopback interface.
#
#   eval "$(scripts/stores.sh start)"   starts them and sets the variables with their URLs
#   scripts/stores.sh stop              stops them and deletes their data
#   scripts/stores.sh                   starts them, runs the tests in store/elastic and store/proof, and stops them
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
  # Create a self-signed certificate for this run.
  (umask 077 && mkdir -p "$work/tls" && cd "$work/tls" &&
    go run "$(go env GOROOT)/src/crypto/tls/generate_cert.go" --host 127.0.0.1 --ca --ecdsa-curve P256 --duration 24h 2>/dev/null)
  # Few tests use this server, so it gets less memory.
  three=$(ES_JAVA_OPTS="-Xms256m -Xmx256m -XX:TieredStopAtLevel=1" scripts/elasticsearch.sh start "${secured[@]}" \
    --password-file "$work/password" --tls "$work/tls")
  echo "export GUARDRAILS_TEST_ELASTICSEARCH=$one GUARDRAILS_TEST_OPENSEARCH=$two"
  echo "export GUARDRAILS_TEST_SECURED=$three GUARDRAILS_TEST_SECURED_PASSWORD_FILE=$work/password"
  echo "export GUARDRAILS_TEST_SECURED_CA_FILE=$work/tls/cert.pem"
}

stop() {
  scripts/elasticsearch.sh stop "${es[@]}" || true
  scripts/elasticsearch.sh stop "${secured[@]}" || true
  scripts/opensearch.sh stop "${os[@]}" || true
  rm -rf "$work"
}

run() {
  webhooks='' failed='' race=$(scripts/race.sh --flags)
  trap 'kill $webhooks 2>/dev/null || true; stop' EXIT
  eval "$(start)"
  # The tests mostly wait for servers, so run more tests at once than there are processors.
  CGO_ENABLED=0 go test -count=1 -timeout 20m -parallel 8 ./store/elastic || failed=1
  CGO_ENABLED=1 go test -race -gcflags="$race" -count=1 -timeout 20m -parallel 8 \
    -run 'TestHandles|TestABusy|TestASlow|TestStoreMeetsTheContract/.*/(concurrency|life|audit)' ./store/elastic || failed=1
  scripts/elasticsearch.sh stop "${secured[@]}" # the tests in store/proof start their own cluster
  # The tests whose names begin with TestNothingIsLost run without the race detector, because the servers that they kill
  # would be too slow. TestNothingIsLostOfWebhooks waits after each kill until the lease of the killed server has
  # expired. This test takes minutes but little CPU time, so it runs at the same time as the other tests.
  (cd store/proof && CGO_ENABLED=0 exec go test -count=1 -timeout 20m -run '^TestNothingIsLostOfWebhooks' ./...) \
    >"$work/webhooks.txt" 2>&1 &
  webhooks=$!
  (cd store/proof && CGO_ENABLED=1 go test -race -gcflags="$race" -count=1 -timeout 20m -parallel 8 -skip '^TestNothingIsLost' ./...) || failed=1
  (cd store/proof && CGO_ENABLED=0 go test -count=1 -timeout 20m -run '^TestNothingIsLostWhen' ./...) || failed=1
  wait "$webhooks" || failed=1
  cat "$work/webhooks.txt"
  [ -z "$failed" ]
}

case ${1:-run} in start | stop | run) "${1:-run}" ;; *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
