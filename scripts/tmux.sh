#!/usr/bin/env bash
# Sees to it that tmux is there, which the tests of the interactive client type into.
set -euo pipefail
if command -v tmux >/dev/null; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "tmux is missing, and the tests of the interactive client need it: install the package tmux" >&2
  exit 1
fi
echo "installing tmux" >&2
apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq tmux >/dev/null
command -v tmux >/dev/null
