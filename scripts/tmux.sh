#!/usr/bin/env bash
# Installs tmux if it is missing. The tests of the interactive client run it in tmux.
set -euo pipefail
if command -v tmux >/dev/null; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "tmux is missing: install the package tmux, which the tests of the interactive client need" >&2
  exit 1
fi
echo "installing tmux" >&2
apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq tmux >/dev/null
command -v tmux >/dev/null
