#!/usr/bin/env bash
# Tests the REST API with schemathesis, which reads the OpenAPI document, generates valid and invalid requests, and
# checks every answer against the document. The script installs schemathesis from PyPI into .tools/schemathesis in the
# version below. It needs Python 3.10 or later.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
version=4.32.5
tools=$here/.tools/schemathesis
examples=${EXAMPLES:-20}

fail() { echo "schemathesis.sh: $*" >&2; exit 1; }
command -v python3 >/dev/null || fail "python3 is missing: install Python 3.10 or later"
if [ "$("$tools/bin/schemathesis" --version 2>/dev/null)" != "schemathesis, version $version" ]; then
  rm -rf "$tools" && mkdir -p "$tools"
  python3 -m venv "$tools" || fail "python3 -m venv does not work: install the package python3-venv"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version" >"$tools/log" 2>&1 || fail "pip: $(tail -n 5 "$tools/log")"
fi

work=$(mktemp -d /tmp/schemathesis-XXXXXX)
cleanup() { if [ -n "${server:-}" ]; then kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true; fi; rm -rf "$work"; }
trap cleanup EXIT
bin=${BIN:-$work/bin}
if [ -z "${BIN:-}" ]; then
  for name in guardrails guardrails-server; do CGO_ENABLED=0 go build -o "$bin/" "./cmd/$name"; done
fi
mkdir -p "$work/project" "$work/home"
export HOME=$work/home GUARDRAILS_CACHE_DIR=$work/run XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data GUARDRAILS_TENANT=shop
unset GUARDRAILS_STORE ELASTICSEARCH_URL
cd "$work/project"
"$bin/guardrails" serve --addr 127.0.0.1:0 -o json >"$work/place" 2>"$work/log" &
server=$!
for _ in $(seq 100); do [ -s "$work/place" ] && break; sleep 0.1; done
url=$(sed -E 's/.*"url":"([^"]*)\/mcp".*/\1/' "$work/place")
[ -n "$url" ] || fail "the server does not start: $(cat "$work/log")"
"$bin/guardrails" import "$here/docs/examples/payments.yaml" >/dev/null || fail "the examples cannot be imported"

# The document cannot express the grammar of globs and tool patterns, so the server rejects some values that the
# document allows. For this reason, the script leaves out the check named positive_data_acceptance. It also leaves out
# event streams, because they do not end; other tests cover them.
"$tools/bin/schemathesis" run "$url/api/openapi.json" --header "Authorization: Bearer $(cat "$work/state/guardrails/token")" \
  --checks all --exclude-checks positive_data_acceptance --exclude-operation-id follow_events \
  --max-examples "$examples" --request-timeout 20 --suppress-health-check all --warnings off ${SEED:+--seed "$SEED"} \
  >"$work/out" 2>&1 || { tail -n 20 "$work/log"; cut -c 1-600 "$work/out"; fail "the API does not answer as its document says"; }
kill -0 "$server" 2>/dev/null || fail "the server ended: $(tail -n 20 "$work/log")"
sed -n '/SUMMARY/,$p' "$work/out"
if grep -q "level=ERROR" "$work/log"; then fail "the server logged errors: $(grep -m 5 "level=ERROR" "$work/log")"; fi
