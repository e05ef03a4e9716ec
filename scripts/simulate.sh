#!/usr/bin/env bash
# Simulates a company: 10,000 machines send requests to two servers behind a load balancer, on three nodes of
# Elasticsearch. Halfway through, one node is killed. At the end, the script checks that no acknowledged decision or
# guideline is lost, and prints the CPU time and memory that each process used. docs/scale.md has the figures of one
# run. Run `make build` first.
#
#   simulate.sh [-machines N] [-rate REQUESTS-A-SECOND] [-for DURATION]
set -euo pipefail
cd "$(dirname "$0")/.."
first=${GUARDRAILS_TEST_PORT:-9380}
work=$(mktemp -d)
chmod 711 "$work" # root runs Elasticsearch as another user
stop() {
  for i in 0 1 2; do scripts/elasticsearch.sh stop --port $((first + i)) --dir "$work/node-$i" || true; done
  rm -rf "$work"
}
trap stop EXIT
seeds=127.0.0.1:$((first + 10)),127.0.0.1:$((first + 11)),127.0.0.1:$((first + 12))
starting=()
for i in 0 1 2; do
  settings=(-E discovery.type=multi-node -E "discovery.seed_hosts=$seeds" -E "transport.port=$((first + 10 + i))")
  [ $i != 0 ] || settings+=(-E "cluster.initial_master_nodes=node-$first")
  ES_JAVA_OPTS="-Xms512m -Xmx512m" scripts/elasticsearch.sh start --port $((first + i)) --dir "$work/node-$i" "${settings[@]}" >/dev/null &
  starting+=($!)
done
for pid in "${starting[@]}"; do wait "$pid"; done
curl -sf "http://127.0.0.1:$first/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=120s" >/dev/null
cluster= nodes=
for i in 0 1 2; do
  cluster+=,http://127.0.0.1:$((first + i))
  nodes+=,$(scripts/elasticsearch.sh status --port $((first + i)) --dir "$work/node-$i")
done
go run ./scripts/simulate -cluster "${cluster#,}" -nodes "${nodes#,}" -dir "$work/servers" "$@"
