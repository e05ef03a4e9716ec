#!/usr/bin/env bash
# Shows guardrails at work on the default guidelines in an empty project, and leaves a server running until Ctrl-C. `make run`
# calls it. All files are in a temporary folder. Without a terminal it ends by itself.
set -euo pipefail
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
dir=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" || echo "the server exited with $?"
  fi
  rm -rf "$dir"
}
trap finish EXIT
trap 'echo; exit 0' INT TERM
# Ignore the user's settings and store.
unset "${!GUARDRAILS_@}" ELASTICSEARCH_URL CLAUDE_PROJECT_DIR CLAUDE_INSTANCE_ID CLAUDECODE
export XDG_DATA_HOME="$dir/data" XDG_STATE_HOME="$dir/state" GUARDRAILS_CACHE_DIR="$dir/run"
mkdir -p "$dir/project/.git" "$dir/project/src"
cd "$dir/project"

show() {
  printf '\n$ guardrails'
  printf ' %q' "$@"
  printf '\n'
  status=0
  "$tool" "$@" || status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || exit "$status"
}

echo "The guidelines for a backend agent that implements something:"
show evaluate -g pack:core -g pack:roles --agent backend --action implement
echo
echo "A commit message that mentions rm, and deleting a build folder: allowed."
show explain -g pack:core --command 'git commit -m "docs: why rm -rf / is denied" && rm -rf node_modules'
echo
echo "Discarding work: a person is asked."
show explain -g pack:core --command 'git reset --hard origin/main'
echo
echo "Deleting a home directory, hidden in a variable and a nested shell: denied."
show explain -g pack:core --command 'x="rm -rf"; bash -c "$x ~"'
echo
echo "A backend agent that writes to the frontend with a shell command: denied, with the folders where it may write."
show explain -g pack:core -g pack:roles --agent backend --command 'cp Button.tsx src/hitl_ui/Button.tsx'

echo
echo "A store keeps the guidelines of a team, with their history and an audit log."
show import pack:core pack:roles | sed -e '/^created /d'
show list --category hitl_gate
show toggle hitl-gate-devops-invocation
show audit list --page-size 2

echo
echo "A server answers hooks, agents and other programs:"
printf '\n$ guardrails serve\n'
"$tool" serve --addr 127.0.0.1:0 >"$dir/output" 2>"$dir/log" &
server=$!
for _ in $(seq 100); do
  if grep -q '^It ends' "$dir/output" || ! kill -0 "$server" 2>/dev/null; then break; fi
  sleep 0.1
done
grep -q '^It ends' "$dir/output" || { cat "$dir/log"; echo "the server does not start"; exit 1; }
cat "$dir/output"

echo
echo "A hook asks it whether a tool call may run:"
printf '{"session_id": "demo", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}, "cwd": "%s"}' "$PWD" >call.json
printf '\n$ guardrails-enforce < call.json    # rm -rf ~\n'
{ "$(dirname "$tool")/guardrails-enforce" <call.json 2>&1 >/dev/null || [ $? -eq 2 ]; } | sed 's/ If a person wants.*//'
echo
echo "The decision is in the audit log. Verification finds entries that were altered or removed:"
show audit list --session demo
show audit verify

if [ -t 0 ] && [ -t 1 ]; then
  printf '\nThe server runs until Ctrl-C.\n'
  wait "$server" || true
fi
