#!/usr/bin/env bash
# Shows the engine at work on the default guidelines, in an empty project: `make run` calls it.
set -euo pipefail
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir .git src

show() {
  printf '\n$ guardrails'
  printf ' %q' "$@"
  printf '\n'
  status=0
  "$tool" "$@" || status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || exit "$status"
}

echo "What the guidelines say to a backend agent that implements something:"
show evaluate -g pack:core -g pack:roles --agent backend --action implement
echo
echo "An everyday command, a commit message that mentions rm, and a build folder that goes: allowed."
show explain -g pack:core --command 'git commit -m "docs: why rm -rf / is denied" && rm -rf node_modules'
echo
echo "Throwing work away: a person is asked."
show explain -g pack:core --command 'git reset --hard origin/main'
echo
echo "Deleting a home directory, hidden in a variable and a nested shell: denied."
show explain -g pack:core --command 'x="rm -rf"; bash -c "$x ~"'
echo
echo "A backend agent that writes the frontend through Bash: denied, and it is told where it may write."
show explain -g pack:core -g pack:roles --agent backend --command 'cp Button.tsx src/hitl_ui/Button.tsx'
