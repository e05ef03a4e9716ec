#!/usr/bin/env bash
# Does what a new user does: clones the repository, runs the demonstration, installs the programs and sets up a project.
# HOME is empty at first. documents_test.go runs the other examples of the README.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
# Only PATH, Go's settings and Go's caches come from the user's environment. The caches avoid a second download.
cache=$(go env GOMODCACHE) build=$(go env GOCACHE)
git clone -q . "$dir/guardrails"
mkdir -p "$dir/home" "$dir/tmp" "$dir/shop/.git"
cd "$dir/guardrails"
clean=(env -i HOME="$dir/home" PATH="$dir/home/.local/bin:$PATH" TMPDIR="$dir/tmp" GOMODCACHE="$cache" GOCACHE="$build"
  GOFLAGS="$(go env GOFLAGS)" GOPROXY="$(go env GOPROXY)" GOSUMDB="$(go env GOSUMDB)")

# must() runs a command. It shows the command's output only if the command fails.
must() {
  "${clean[@]}" "$@" >"$dir/out.txt" 2>&1 || { cat "$dir/out.txt"; echo "failed: $*"; exit 1; }
  echo "ok: $*"
}

must make run
for word in "decision       allow" "decision       ask" "decision       deny" "MCP      http://127.0.0.1:" "on a page: http://127.0.0.1:[0-9]*/ui/$" "^Denied by security-system-delete"; do
  grep -q "$word" "$dir/out.txt" || { cat "$dir/out.txt"; echo "make run does not show '$word'"; exit 1; }
done
written=$(find "$dir/home" -type f -not -path "*/.config/go/*")
if [ -n "$written" ]; then echo "$written"; echo "make run wrote files into HOME"; exit 1; fi

must make install
cd "$dir/shop"
must guardrails init
for file in .claude/settings.json .claude/guardrails.yaml .mcp.json; do
  [ -s "$file" ] || { echo "guardrails init did not write $file"; exit 1; }
done
# Doctor may report other problems here, for example that no client is installed, so ignore its exit status.
"${clean[@]}" guardrails doctor >"$dir/out.txt" 2>&1 || true
grep -q "all are of the build" "$dir/out.txt" || { cat "$dir/out.txt"; echo "the programs are of different builds"; exit 1; }
must guardrails lint
must guardrails test pack:core
echo "a new user's first steps work"
