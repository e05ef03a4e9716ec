#!/usr/bin/env bash
# Installs the real client from npm, in the version that is oldest for us and in the newest one, and prints the paths of
# the two programs, a line each. CLIENT_OLD and CLIENT_NEW name versions; "latest" is what the registry calls so.
#
# A version that is there already needs no network. Where the registry cannot be reached, the newest version that is there
# stands for "latest", except in CI: there nothing is tested that is not what it claims to be.
set -euo pipefail
cd "$(dirname "$0")/.."
old=${CLIENT_OLD:-2.1.197}
new=${CLIENT_NEW:-latest}
store=$PWD/.tools/claude

fail() { echo "client.sh: $*" >&2; exit 1; }

# said is what npm says went wrong; its last lines are advice.
said() { grep -m 4 '^npm error' "$log" || tail -n 4 "$log"; }

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
    *) fail "there is no client for the machine $(uname -m)" ;;
  esac
  if [ "$system" = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1; then machine=$machine-musl; fi
  echo "@anthropic-ai/claude-code-$system-$machine"
}

program() { echo "$store/$1/claude"; }

# newest_here prints the newest version in the store.
newest_here() { { ls "$store" 2>/dev/null || true; } | grep -E '^[0-9]+(\.[0-9]+){2}$' | sort -t. -k1,1n -k2,2n -k3,3n | tail -n 1; }

resolve() {
  if [ "$1" != latest ]; then echo "$1"; return; fi
  command -v npm >/dev/null || fail "npm is missing: install Node.js, or give CLIENT_NEW a version that is in $store"
  local version
  if version=$(npm view "$name" version --fetch-timeout 20000 --fetch-retries 1 2>"$log") && [ -n "$version" ]; then echo "$version"; return; fi
  version=$(newest_here)
  if [ "${CI:-}" = true ] || [ -z "$version" ]; then fail "the registry does not say which version of $name is the newest: $(said)"; fi
  echo "client.sh: the registry cannot be reached; taking $version for the newest version" >&2
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
    fail "installing $name@$version: $(said)"
  mkdir "$dir/done"
  mv "$dir/node_modules/$name/claude" "$dir/done/claude" || fail "$name@$version holds no program named claude"
  chmod 0755 "$dir/done/claude"
  "$dir/done/claude" --version | grep -qF "$version" || fail "the program in $name@$version does not start"
  # A run beside this one may have been quicker.
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
