#!/usr/bin/env bash
# Measures the performance goals for large companies, and fails if one is missed. Uses SQLite and Elasticsearch; the
# script starts an Elasticsearch with one node and a heap of 1 GB. `make bench-full` builds the programs first. The run
# takes about an hour on two otherwise idle cores, and needs 20 GB of disk space.
#
#   bench-full.sh [--only REGEX]           measures with as much data as the goals require
#   bench-full.sh --small [--only REGEX]   measures with little data and looser limits, within two minutes
#
# --only REGEX measures only the parts whose names match REGEX. The names are server/memory, server/socket,
# NAME/changes, NAME/tenants, NAME/large, NAME/intake and NAME/audit. NAME is SQLite or Elasticsearch. For example,
# --only SQLite/ measures all goals of SQLite.
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
