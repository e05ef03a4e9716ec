#!/usr/bin/env bash
# Builds the page and tests it in Chromium with the real server. Needs Node.js 20. If Chromium is missing, the script
# installs it, which works only as root on Debian.
#
#   ui.sh --check       only checks and builds the page, and fails if server/web/dist differs from the build
#   ui.sh --pictures    also takes the screenshots for the documentation
#   ui.sh --load        measures the page with 10,000 guidelines and 1,000,000 audit entries; needs an idle machine
#
# Other arguments, such as -g NAME, are passed to Playwright; the tests are then not repeated on Elasticsearch.
# GUARDRAILS_TEST_ELASTICSEARCH is the URL of Elasticsearch; if it is not set, the script starts one.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
work=$(mktemp -d /tmp/ui-XXXXXX)
es=() # the Elasticsearch that this script started
finish() {
  [ "${#es[@]}" -eq 0 ] || "$here/scripts/elasticsearch.sh" stop "${es[@]}" || true
  rm -rf "$work" "$work-elasticsearch"
}
trap finish EXIT
fail() { echo "ui.sh: $*" >&2; exit 1; }
quiet() { "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "failed: $*"; }; }
command -v npm >/dev/null || fail "npm is missing: install Node.js 20 or later"

cd ui
# npm ci is slow, so it runs only if package-lock.json has changed since the last installation.
if ! cmp -s package-lock.json node_modules/.installed; then
  quiet npm ci
  cp package-lock.json node_modules/.installed
fi
grep -q '"resolved"' package-lock.json && fail "package-lock.json names download addresses; remove the lines with \"resolved\""

quiet npm run types
quiet npm run check
quiet npm run test
quiet npm run build -- --outDir "$work/dist"
"$here/scripts/ui/same.sh" "$work/dist" "$here/server/web/dist" ||
  fail "server/web/dist is not the build of ui/: run npm run build in ui/ and commit the result"
echo "ok: server/web/dist is the build of ui/"
[ "${1:-}" = --check ] && exit 0

if [ "${1:-}" = --pictures ]; then export UI_PICTURES=$here/docs/ui; shift; fi
if [ "${1:-}" = --load ]; then export UI_LOAD=full; shift; set -- --workers 1 load.spec "$@"; fi
if [ ! -x "${CHROMIUM:=/usr/bin/chromium}" ]; then
  [ "$(id -u)" = 0 ] || fail "Chromium is missing: install it, or set CHROMIUM to its path"
  quiet apt-get update -qq
  quiet apt-get install -y -qq chromium
fi
export CHROMIUM BIN=${BIN:-$work/bin}
if [ ! -x "$BIN/guardrails" ]; then
  (cd "$here" && CGO_ENABLED=0 go build -o "$BIN/" ./cmd/guardrails ./cmd/guardrails-server && scripts/hooks.sh "$BIN")
fi
[ -x "$BIN/seed" ] || (cd "$here" && CGO_ENABLED=0 go build -o "$BIN/seed" ./scripts/ui/seed)
elasticsearch=${GUARDRAILS_TEST_ELASTICSEARCH:-}
unset "${!GUARDRAILS_@}" CLAUDE_PROJECT_DIR CLAUDECODE
npx --no-install playwright test "$@"
if [ $# -eq 0 ]; then
  if [ -z "$elasticsearch" ]; then
    es=(--port 9290 --dir "$work-elasticsearch") # not in $work, which only its owner can read: root runs it as another user
    elasticsearch=$("$here/scripts/elasticsearch.sh" start "${es[@]}")
  fi
  echo "again with a store in Elasticsearch"
  UI_PICTURES='' GUARDRAILS_TEST_ELASTICSEARCH=$elasticsearch npx --no-install playwright test path.spec options.spec conflict.spec screens.spec
fi
if [ -n "${UI_PICTURES:-}" ]; then
  command -v pngquant >/dev/null || quiet apt-get install -y -qq pngquant
  pngquant --force --ext .png --skip-if-larger 64 -- "$UI_PICTURES"/*.png
fi
