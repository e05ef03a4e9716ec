#!/usr/bin/env bash
# Installs two versions of Claude Code from npm, the oldest supported version and the newest, and prints the path of
# each program on a line of its own. CLIENT_OLD and CLIENT_NEW select other versions; "latest" is the newest version in
# the registry.
#
# The script needs no network for a version that is already installed. If it cannot reach the registry, it uses the
# newest installed version as "latest"; in CI, it fails.
set -euo pipefail
cd "$(dirname "$0")/.."
old=${CLIENT_OLD:-2.1.197}
new=${CLIENT_NEW:-latest}
store=$PWD/.tools/claude

fail() { echo "client.sh: $*" >&2; exit 1; }

# npm_error prints the first errors in npm's log. The last lines of the log only give advice.
npm_error() { grep -m 4 '^npm error' "$log" || tail -n 4 "$log"; }

package() {
  local system machine
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "the client is tested on Linux and macOS, not on $(uname -s)" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "the client does not support the machine $(uname -m)" ;;
  esac
  if [ "$system" = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1; then machine=$machine-musl; fi
  echo "@anthropic-ai/claude-code-$system-$machine"
}

program() { echo "$store/$1/claude"; }

# newest_here prints the newest installed version.
newest_here() { { ls "$store" 2>/dev/null || true; } | grep -E '^[0-9]+(\.[0-9]+){2}$' | sort -t. -k1,1n -k2,2n -k3,3n | tail -n 1; }

resolve() {
  if [ "$1" != latest ]; then echo "$1"; return; fi
  command -v npm >/dev/null || fail "npm is missing: install Node.js, or set CLIENT_NEW to a version in $store"
  local version
  if version=$(npm view "$name" version --fetch-timeout 20000 --fetch-retries 1 2>"$log") && [ -n "$version" ]; then echo "$version"; return; fi
  version=$(newest_here)
  if [ "${CI:-}" = true ] || [ -z "$version" ]; then fail "could not get the newest version of $name from the registry: $(npm_error)"; fi
  echo "client.sh: the registry cannot be reached; using $version as the newest version" >&2
  echo "$version"
}

install_client() {
  local version=$1 dir
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "$version is not a version such as 2.1.197"
  if [ -x "$(program "$version")" ]; then return; fi
  command -v npm >/dev/null || fail "npm is missing: install Node.js to fetch the client $version"
  echo "client.sh: installing the client $version" >&2
  mkdir -p "$store"
  dir=$(mktemp -d "$store/.new-XXXXXX")
  cleanup+=("$dir")
  npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --no-save "$name@$version" >"$log" 2>&1 ||
    fail "installing $name@$version: $(npm_error)"
  mkdir "$dir/done"
  mv "$dir/node_modules/$name/claude" "$dir/done/claude" || fail "$name@$version has no program named claude"
  chmod 0755 "$dir/done/claude"
  "$dir/done/claude" --version | grep -qF "$version" || fail "the program in $name@$version does not start"
  # Another run may have installed the client in the meantime.
  [ -x "$(program "$version")" ] || mv "$dir/done" "$store/$version" || fail "cannot write $store/$version"
}

log=$(mktemp)
cleanup=("$log")
trap 'rm -rf "${cleanup[@]}"' EXIT
name=$(package)
new=$(resolve "$new")
for version in "$old" "$new"; do install_client "$version"; done
program "$old"
program "$new"
