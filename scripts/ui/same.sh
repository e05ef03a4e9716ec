#!/usr/bin/env bash
# Compares two builds of the page. Compressed files are compared by their uncompressed contents.
set -euo pipefail
list() { (cd "$1" && find . -type f | sort); }
diff <(list "$1") <(list "$2")
(cd "$1" && find . -type f -print0) | while IFS= read -r -d '' file; do
  case $file in
    *.gz) cmp <(gzip -dc "$1/$file") <(gzip -dc "$2/$file") ;;
    *) cmp "$1/$file" "$2/$file" ;;
  esac
done
