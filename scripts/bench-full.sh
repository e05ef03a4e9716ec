#!/usr/bin/env bash
# Measures the goals for large companies on SQLite and on an Elasticsearch of its own, with one node and a heap of 1 GB,
# and fails if a goal is missed. `make bench-full` builds the programs first. It takes about an hour on two cores that
# do nothing else, and 20 GB of disk.
#
#   bench-full.sh [--only REGEX]           measures with the sizes of the goals
#   bench-full.sh --small [--only REGEX]   measures with small sizes, within two minutes; the limits are then looser
#
# --only measures a part: server/memory, server/socket, NAME/changes, NAME/tenants, NAME/large, NAME/intake or
# NAME/audit. NAME is SQLite or Elasticsearch. For example, --only SQLite/ measures all goals of SQLite.
set -euo pipefail
cd "$(dirname "$0")/.."
goals=-goals only=
while [ $# -gt 0 ]; do
  case $1 in
  --small) goals=-small-goals; shift ;;
  --only) only=${2?--only needs an expression}; shift 2 ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
work=$(mktemp -d)
chmod 711 "$work" # root runs Elasticsearch as another user
server=(--port "${GUARDRAILS_TEST_PORT:-9280}" --dir "$work/es")
stop() {
  scripts/elasticsearch.sh stop "${server[@]}" || true
  rm -rf "$work"
}
trap stop EXIT
GUARDRAILS_BENCH_ELASTICSEARCH=$(ES_JAVA_OPTS="-Xms1g -Xmx1g" scripts/elasticsearch.sh start "${server[@]}")
export GUARDRAILS_BENCH_ELASTICSEARCH
go run ./scripts/bench "$goals" -only "$only"
