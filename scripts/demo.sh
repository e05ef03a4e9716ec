#!/usr/bin/env bash
# Demonstrates guardrails, first with the default guidelines in an empty project. Then keeps a server running until
# Ctrl-C; without a terminal, the script ends instead. All its files are in a temporary folder. `make run` runs this
# script.
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

# print_command prints a command line as a person would type it, with single quotes where they are needed.
print_command() {
  printf '\n$ guardrails'
  for word in "$@"; do
    case $word in
      *[!A-Za-z0-9_./:=,@%+-]*) printf " '%s'" "${word//\'/\'\\\'\'}" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
}

show() {
  print_command "$@"
  status=0
  "$tool" "$@" || status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || exit "$status"
}

echo "guardrails checks every tool call of an AI agent before it runs. Here it explains its decisions."
echo "Without any settings it uses the core pack."
echo
echo "1. Deleting the home folder, hidden in a variable and a nested shell: denied."
show explain --command 'x="rm -rf"; bash -c "$x ~"'
echo
echo "2. Discarding work: the user is asked."
show explain --command 'git reset --hard origin/main'
echo
echo "3. A commit message that mentions rm, and deleting a build folder: allowed."
show explain --command 'git commit -m "docs: why rm -rf / is denied" && rm -rf node_modules'
echo
echo "4. A team writes its own guideline. It applies to every way of writing a file."
mkdir -p .claude
echo "packs: [core]" >.claude/guardrails.yaml
show new protect-folder --path generated
printf '\n$ cat .claude/guardrails/protect-generated.yaml\n'
cat .claude/guardrails/protect-generated.yaml
show test
show explain --command 'sed -i s/10/12/ generated/prices.go'
echo
echo "5. The agent also receives the guidelines that apply to its task."
show evaluate --action implement

echo
echo "6. A store keeps the guidelines of a team, with their history and an audit log."
show import pack:core | sed -e '/^created /d'
show list --category hitl_gate
show toggle hitl-gate-devops-invocation
show audit list --page-size 2

echo
echo "7. A server answers hooks, agents and other programs."
printf '\n$ guardrails serve\n'
"$tool" serve --addr 127.0.0.1:0 >"$dir/output" 2>"$dir/log" &
server=$!
for _ in $(seq 100); do
  if grep -q '^MCP ' "$dir/output" || ! kill -0 "$server" 2>/dev/null; then break; fi
  sleep 0.1
done
grep -q '^MCP ' "$dir/output" || { cat "$dir/log"; echo "the server does not start"; exit 1; }
cat "$dir/output"

echo
echo "8. A hook asks the server whether a tool call may run."
printf '{"session_id": "demo", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}, "cwd": "%s"}' "$PWD" >call.json
printf '\n$ guardrails-enforce < call.json    # rm -rf ~\n'
{ "$(dirname "$tool")/guardrails-enforce" <call.json 2>&1 >/dev/null || [ $? -eq 2 ]; } | sed 's/ A person can allow it once: guardrails allow-once [A-Z0-9]*\.//'
echo
echo "9. The decision is in the audit log. Verification finds entries that were altered or removed."
show audit list --session demo
show audit verify

echo
echo "10. People see, change and try guidelines on a page: $(sed -n 's/^page *\([^ ]*\).*/\1/p' "$dir/output")"

if [ -t 0 ] && [ -t 1 ]; then
  page=$(sed -n 's|^page *http://\([^/]*\)/.*|\1|p' "$dir/output")
  # The token of this server is in the temporary folder, so the other shell needs XDG_STATE_HOME.
  printf '\nOpen the page with this command in another terminal:\n\n  XDG_STATE_HOME=%q %q ui --addr %s\n' "$XDG_STATE_HOME" "$tool" "$page"
  printf '\nThe server runs until Ctrl-C.\n'
  wait "$server" || true
fi
