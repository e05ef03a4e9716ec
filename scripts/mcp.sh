#!/usr/bin/env bash
# Tests the server with third-party MCP clients over stdio and HTTP: the command-line version of the MCP inspector and
# the TypeScript SDK. Also runs the scenarios of the MCP conformance suite, except those that need particular tools or
# resources. The clients are installed from npm into .tools/mcp in the versions below, which run on Node 20.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
versions=(@modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/inspector-cli@0.16.4 @modelcontextprotocol/conformance@0.1.10)
scenarios=(server-initialize ping tools-list resources-list prompts-list)
tools=$here/.tools/mcp

fail() { echo "mcp.sh: $*" >&2; exit 1; }
command -v npm >/dev/null || fail "npm is missing: install Node.js 20 or later"

if [ "$(cat "$tools/versions" 2>/dev/null)" != "${versions[*]}" ]; then
  rm -rf "$tools" && mkdir -p "$tools"
  npm install --prefix "$tools" --ignore-scripts --no-audit --no-fund --no-save "${versions[@]}" >"$tools/log" 2>&1 || fail "npm: $(tail -n 5 "$tools/log")"
  echo "${versions[*]}" >"$tools/versions"
fi

work=$(mktemp -d /tmp/mcp-XXXXXX)
cleanup() { if [ -n "${server:-}" ]; then kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true; fi; rm -rf "$work"; }
trap cleanup EXIT
bin=${BIN:-$work/bin}
if [ -z "${BIN:-}" ]; then
  for name in guardrails guardrails-server; do CGO_ENABLED=0 go build -o "$bin/" "./cmd/$name"; done
fi
mkdir -p "$work/project/.claude/guardrails"
cp docs/examples/payments.yaml "$work/project/.claude/guardrails/"
export GUARDRAILS_CACHE_DIR=$work/run XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
cd "$work/project"

"$bin/guardrails" serve --admin --addr 127.0.0.1:0 -o json >"$work/place" 2>"$work/log" &
server=$!
for _ in $(seq 100); do [ -s "$work/place" ] && break; sleep 0.1; done
url=$(sed -E 's/.*"url":"([^"]*)".*/\1/' "$work/place")
[ -n "$url" ] || fail "the server does not start: $(cat "$work/log")"
token=$(cat "$work/state/guardrails/token")

# The inspector would treat the server's flags as its own, so it starts a script that passes the flags to the server.
printf '#!/bin/sh\nexec "%s" mcp --admin\n' "$bin/guardrails" >"$work/admin"
chmod 700 "$work/admin"
cp "$here"/scripts/mcp/*.mjs "$tools/"
# The inspector and the conformance suite send no token, so a proxy adds the token.
through() { node "$tools/proxy.mjs" "$url" "$token" node "$@"; }
inspector=$tools/node_modules/@modelcontextprotocol/inspector-cli/build/index.js
inspect() {
  if [ "$way" = stdio ]; then node "$inspector" "$work/admin" "$@"; else through "$inspector" URL --transport http "$@"; fi >"$work/out" 2>&1 ||
    fail "inspector over $way: $(head -c 2000 "$work/out")"
}
expect() { grep -qF "$1" "$work/out" || fail "inspector: no $1 in $(head -c 2000 "$work/out")"; }
for way in stdio http; do
  inspect --method tools/list
  expect '"guardrails_get_context"'
  expect '"guardrails_import"'
  inspect --method tools/call --tool-name guardrails_get_context --tool-arg agent=backend
  expect '"structuredContent"'
  inspect --method tools/call --tool-name guardrails_audit --tool-arg page_size=5
  expect '"page_size": 5'
  inspect --method resources/list
  expect 'guardrails://guidelines'
  inspect --method prompts/list
  expect 'write_guideline'
  echo "ok: inspector over $way"
done

node "$tools/client.mjs" "$url" "$token" "$bin/guardrails" mcp --admin || fail "the client of the TypeScript SDK failed"

for scenario in "${scenarios[@]}"; do
  through "$tools/node_modules/@modelcontextprotocol/conformance/dist/index.js" server --scenario "$scenario" --url URL \
    >"$work/out" 2>&1 || fail "conformance, $scenario: $(tail -n 20 "$work/out")"
  echo "ok: conformance, $scenario"
done
