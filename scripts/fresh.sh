#!/usr/bin/env bash
# Does what a new user does: a fresh clone, an empty HOME, and nothing but the README's commands.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
# Go's caches are kept, so that this needs no second download; nothing else of the user's surroundings is.
cache=$(go env GOMODCACHE) build=$(go env GOCACHE)
git clone -q . "$dir/guardrails"
mkdir "$dir/home"
cd "$dir/guardrails"
clean=(env -i HOME="$dir/home" PATH="$PATH" GOMODCACHE="$cache" GOCACHE="$build" GOFLAGS="$(go env GOFLAGS)" GOPROXY="$(go env GOPROXY)" GOSUMDB="$(go env GOSUMDB)")

"${clean[@]}" make run >"$dir/run.txt" 2>&1 || { cat "$dir/run.txt"; echo "make run failed"; exit 1; }
for word in "decision       allow" "decision       ask" "decision       deny" "MCP      http://127.0.0.1:" "^Denied by security-system-delete"; do
  grep -q "$word" "$dir/run.txt" || { cat "$dir/run.txt"; echo "make run shows no '$word'"; exit 1; }
done

grep -E '^    \$ ' README.md | sed 's/^    \$ //' | while IFS= read -r command; do
  status=0
  "${clean[@]}" bash -c "$command" >"$dir/out.txt" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then cat "$dir/out.txt"; echo "the README's command fails with $status: $command"; exit 1; fi
  echo "ok: $command"
done
written=$(find "$dir/home" -type f -not -path "*/.config/go/*")
if [ -n "$written" ]; then echo "$written"; echo "something was written into HOME"; exit 1; fi
echo "a new user's first steps work"
