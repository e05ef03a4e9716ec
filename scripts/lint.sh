#!/usr/bin/env bash
# Runs golangci-lint in the version that the project uses.
set -euo pipefail
cd "$(dirname "$0")/.."
version=v2.15.0
tool=.tools/golangci-lint-$version
if [ ! -x "$tool" ]; then
  echo "installing golangci-lint $version" >&2
  mkdir -p .tools
  GOBIN="$PWD/.tools" go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$version"
  mv .tools/golangci-lint "$tool"
fi
"$tool" run ./...
(cd store/proof && "../../$tool" run ./...)
(cd guideline/pattern/proof && "../../../$tool" run ./...)
