#!/usr/bin/env bash
# Prints the test coverage of the packages that decide, and fails when one is too low.
set -euo pipefail
cd "$(dirname "$0")/.."
minimum=95
status=0
for package in ./guideline ./guideline/pattern ./internal/document ./evaluator ./detect ./detect/toolcall ./decide ./hooks ./hooks/wire ./hooks/cache ./hooks/session ./internal/private ./internal/spool ./hooks/reach; do
  covered=$package
  [ "$package" = ./detect/toolcall ] && covered=./detect/toolcall/... # its tests are whole calls
  line=$(CGO_ENABLED=0 go test -short -coverpkg="$covered" "$package" | grep -oE 'coverage: [0-9.]+' || true)
  percent=${line#coverage: }
  printf '%-24s %s %%\n' "$package" "${percent:-none}"
  if ! awk -v p="${percent:-0}" -v m="$minimum" 'BEGIN { exit !(p >= m) }'; then
    echo "the coverage of $package is below $minimum %"
    status=1
  fi
done
exit $status
