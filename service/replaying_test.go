package service_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/fortests/labeledcommands"
	"guardrails/internal/private"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/service/replay"
	"guardrails/service/tools"
	"guardrails/store"
	"guardrails/store/live"
)

// workday is a project in which hooks judge calls and record their decisions.
type workday struct {
	*storedProject
	service *service.Service
	store   *live.TenantStore
	calls   int
}

// ownRules has guidelines of the project. Some of them need facts: limits, the branch, the time, and files on disk.
const ownRules = `
guidelines:
  - {id: few-files, name: Small steps, category: context_constraint, action: {type: constraint, max_files: 3}}
  - {id: tests-first, name: Tests before a commit, category: tdd_protocol, action: {type: constraint, require_tests: true}}
  - {id: no-prod, name: Production is not touched, category: security, action: {type: tool_restriction, tools_denied: ["Write(prod/*)"]}}
  - {id: on-main, name: The main branch, category: security, condition: {custom: {branch: main}}, action: {type: tool_restriction, tools_denied: ["Write(release/*)"]}}
  - {id: ask-migrations, name: Migrations need a person, category: security, action: {type: hitl_gate, gate_type: migration, gate_threshold: mandatory, tools_asked: ["Write(migrations/*)"], parameters: {remember: session}}}
`

func newWorkday(t *testing.T, files map[string]string) *workday {
	t.Helper()
	all := map[string]string{
		".claude/guardrails.yaml": "packs: [core]\n", ".claude/guardrails/rules.yaml": ownRules,
		"src/a.py": "", "src/b.py": "", "prod/a.json": "{}", "go.mod": "module x\n", "a_test.go": "",
	}
	for name, text := range files {
		all[name] = text
	}
	d := &workday{storedProject: newStoredProject(t, all)}
	d.vars["HOME"], d.vars["CLAUDE_PROJECT_DIR"] = t.TempDir(), d.root
	d.store = d.tenantStore("")
	d.service = d.server()
	return d
}

func (d *workday) host() *hooks.Host {
	d.t.Helper()
	dir, err := private.Runtime(d.env)
	check(d.t, err)
	state, err := private.StateDir(d.env)
	check(d.t, err)
	return &hooks.Host{
		Machine: host.Local(d.env), Now: time.Now, Dir: dir, State: state,
		Ask: func(request []byte) (answer []byte, passed, err error) {
			a, err := tools.Call(d.t.Context(), d.service, tools.GetContext, request)
			if err != nil {
				return nil, nil, err
			}
			answer, err = json.Marshal(a)
			return answer, nil, err
		},
	}
}

// call() runs the hook before and after a call, as the client does.
func (d *workday) call(session, tool string, input map[string]any) {
	d.t.Helper()
	d.calls++
	for _, name := range []string{wire.PreToolUse, wire.PostToolUse} {
		text, err := json.Marshal(map[string]any{
			"hook_event_name": name, "session_id": session, "cwd": d.root, "tool_name": tool, "tool_input": input,
			"tool_use_id": fmt.Sprint("call-", d.calls), "tool_response": map[string]any{},
		})
		check(d.t, err)
		e, err := wire.Parse(text)
		check(d.t, err)
		if o := hooks.ToolCall(d.host(), &e); o.Verdict == wire.Deny {
			return
		}
	}
}

// work() makes the calls of a day: labeled commands, each in its own session, and sessions with edits, tests and
// commits.
func (d *workday) work() {
	commands := labeledcommands.Commands(d.t, "..", "dangerous*.json", "harmless*.json")
	for i := 0; i < len(commands); i += 4 {
		d.call(fmt.Sprint("s", i), "Bash", map[string]any{"command": commands[i]})
	}
	for _, command := range []string{
		"cat src/token.go", "git push origin feature", "sed -i s/a/b/ */*.py", "sed -i s/a/b/ */*.json", "rm -rf src", "cp -r src other", "bash run.sh",
	} {
		d.call("changes", "Bash", map[string]any{"command": command})
	}
	for i := range 6 {
		d.call("files", "Write", map[string]any{"file_path": filepath.Join(d.root, fmt.Sprintf("src/new%d.py", i)), "content": "x"})
		d.call("files", "Bash", map[string]any{"command": "git commit -m 'password=hunter2 is gone'"})
		d.call("files", "Bash", map[string]any{"command": "go test ./..."})
		d.call("files", "Write", map[string]any{"file_path": filepath.Join(d.root, "migrations/1.sql"), "content": "x"})
		d.call("files", "Read", map[string]any{"file_path": filepath.Join(d.root, "src/a.py")})
		// The earlier calls of a session affect the decisions about its later calls. So each call that the draft decides
		// differently has its own session.
		d.call(fmt.Sprint("go", i), "Write", map[string]any{"file_path": filepath.Join(d.root, "src/new.go"), "content": "x"})
		d.call(fmt.Sprint("prod", i), "Edit", map[string]any{"file_path": filepath.Join(d.root, "prod/a.json"), "old_string": "a", "new_string": "b"})
		d.call("files", "Write", map[string]any{"file_path": filepath.Join(d.root, "release/a"), "content": "x"})
	}
}

// recorded() adds the records of the day to the audit, and returns all decisions in the audit.
func (d *workday) recorded() []store.Entry {
	d.t.Helper()
	_, err := d.service.TakeIn(d.t.Context())
	check(d.t, err)
	var out []store.Entry
	for e, err := range d.store.Entries(d.t.Context(), store.AuditFilter{Kind: store.KindDecision}) {
		check(d.t, err)
		out = append(out, e)
	}
	return out
}

func (d *workday) replay(r service.ReplayRequest) *replay.Report {
	d.t.Helper()
	out, err := d.service.Replay(d.t.Context(), d.store.Entries(d.t.Context(), store.AuditFilter{Kind: store.KindDecision}), r)
	check(d.t, err)
	return out
}

func TestARecordedDayIsReplayedWithTheSameResult(t *testing.T) {
	d := newWorkday(t, map[string]string{"run.sh": "rm -rf ~/x\n"})
	d.work()
	entries := d.recorded()
	r := d.replay(service.ReplayRequest{})
	if r.Changed != 0 {
		t.Errorf("changed: %s", shown(t, r.Groups))
	}
	if r.Calls == 0 || r.Replayed*100 < r.Calls*95 || r.Replayed+r.NotReplayed != r.Calls {
		t.Errorf("%d of %d calls are replayed, of %d entries: %s", r.Replayed, r.Calls, len(entries), shown(t, r.Reasons))
	}
	if slices.ContainsFunc(r.Reasons, func(why replay.Reason) bool { return why.Reason == replay.Unreadable }) {
		t.Errorf("the store made records unreadable: %s", shown(t, r.Reasons))
	}
	t.Logf("%d of %d calls are replayed: %s", r.Replayed, r.Calls, shown(t, r.Reasons))
	for i := range entries {
		if text, _ := json.Marshal(entries[i]); strings.Contains(string(text), "hunter2") {
			t.Errorf("recorded %s", text)
		}
	}
}

func shown(t *testing.T, v any) string {
	t.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	check(t, err)
	return string(text)
}

// The draft denies some calls that were allowed, asks about others, and allows calls that were denied.
const draftRules = `
guidelines:
  - {id: no-go, name: No Go, category: security, action: {type: tool_restriction, tools_denied: ["Write(*.go)", "Bash(git push:*)"]}}
  - {id: no-prod, name: Production is not touched, category: security, enabled: false, action: {type: tool_restriction, tools_denied: ["Write(prod/*)"]}}
  - {id: ask-read, name: Reading needs a person, category: security, action: {type: hitl_gate, gate_type: read, gate_threshold: mandatory, tools_asked: ["Read(src/*)"], parameters: {remember: call}}}
`

func draftOf(t *testing.T) *service.Draft {
	t.Helper()
	file, problems := rules.Parse("draft.yaml", []byte(draftRules))
	check(t, problems.Err())
	d := &service.Draft{}
	for _, g := range file.Guidelines {
		d.Guidelines = append(d.Guidelines, g.Guideline)
	}
	return d
}

// results() returns the decision about each call, by the id of the call.
func results(entries []store.Entry) map[string]replay.Verdict {
	out := map[string]replay.Verdict{}
	for i := range entries {
		e := &entries[i]
		if id, _ := e.Context.Metadata["tool_use_id"].(string); e.Event == "decision" && e.Context.Metadata[store.CallKey] != "advice" {
			out[id] = replay.Verdict{Result: e.Decision.Result, Guideline: e.Guideline}
		}
	}
	return out
}

func TestAReplayWithADraftFindsExactlyWhatTheHookWouldDecideDifferently(t *testing.T) {
	before, after := newWorkday(t, nil), newWorkday(t, nil)
	draft := draftOf(t)
	create(t, after.store, draft.Guidelines...)
	before.work()
	after.work()
	was, would := results(before.recorded()), results(after.recorded())
	want, changed := map[[2]replay.Verdict]int{}, 0
	for id, now := range would {
		if was[id] != now {
			want[[2]replay.Verdict{was[id], now}]++
			changed++
		}
	}
	r := before.replay(service.ReplayRequest{Draft: draft})
	got := map[[2]replay.Verdict]int{}
	for _, g := range r.Groups {
		got[[2]replay.Verdict{g.Was, g.Would}] += g.Count
		if !g.ByDraft || len(g.Calls) == 0 || g.Calls[0].Text == "" {
			t.Errorf("%+v", g)
		}
	}
	if !maps.Equal(got, want) || r.Changed != changed || changed < 10 {
		t.Errorf("changed %d calls: %v\nthe hook decides %d calls differently: %v\nnot replayed: %s", r.Changed, got, changed, want, shown(t, r.Reasons))
	}
	if r.Replayed*100 < r.Calls*95 {
		t.Errorf("only %d of %d calls are replayed: %s", r.Replayed, r.Calls, shown(t, r.Reasons))
	}
}
