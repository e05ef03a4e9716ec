package author_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/hooks"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/fortests/labeledcommands"
	"guardrails/internal/private"
	"guardrails/service"
	"guardrails/service/tools"
)

// pair is a project with two programs that judge the same calls: the hook and "guardrails explain".
type pair struct {
	*clitest.Session
	t       *testing.T
	service *service.Service
	now     time.Time
	// The field "mode" is the permission mode of the client, or "" if the client does not send it.
	mode string
}

func newPair(t *testing.T, files map[string]string) *pair {
	t.Helper()
	p := &pair{Session: clitest.New(t, files), t: t, now: time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)}
	p.Env["HOME"], p.Env["CLAUDE_CODE_ENTRYPOINT"] = t.TempDir(), "cli"
	p.service = service.New(service.Options{Env: p.env, Now: p.clock, Dir: p.Root, Memory: true, Mask: hooks.Mask})
	return p
}

func (p *pair) env(name string) string { return p.Env[name] }

func (p *pair) clock() time.Time { return p.now }

// host() returns the environment of a hook in the project. The hook gets its guidelines from the service.
func (p *pair) host() *hooks.Host {
	p.t.Helper()
	dir, err := private.Runtime(p.env)
	return &hooks.Host{Machine: host.Local(p.env), Now: p.clock, Dir: dir, DirError: err, Ask: func(request []byte) (answer []byte, passed, err error) {
		a, err := tools.Call(p.t.Context(), p.service, tools.GetContext, request)
		if err != nil {
			return nil, nil, err
		}
		answer, err = json.Marshal(a)
		return answer, nil, err
	}}
}

// payload() returns the document that the client sends before a call.
func (p *pair) payload(session, tool string, input map[string]any) []byte {
	p.t.Helper()
	fields := map[string]any{
		"hook_event_name": wire.PreToolUse, "session_id": session, "cwd": p.Root, "tool_name": tool, "tool_input": input, "tool_use_id": session + tool,
	}
	if p.mode != "" {
		fields["permission_mode"] = p.mode
	}
	text, err := json.Marshal(fields)
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// hook() runs the hook on a payload and returns the hook's decision.
func (p *pair) hook(payload []byte) wire.Outcome {
	e, err := wire.Parse(payload)
	if err != nil {
		return hooks.Unreadable(p.host(), &e, err)
	}
	return hooks.ToolCall(p.host(), &e)
}

// explain() runs "guardrails explain" on a payload and returns its verdict.
func (p *pair) explain(payload []byte, flags string) *explain.Verdict {
	p.t.Helper()
	p.Write("payload.json", string(payload))
	stdout, stderr, _ := p.Run("guardrails explain --payload payload.json -o json " + flags)
	var v explain.Verdict
	if err := json.Unmarshal([]byte(stdout), &v); err != nil {
		p.t.Fatalf("%s: %v: %s%s", payload, err, stdout, stderr)
	}
	return &v
}

// checkSame checks that the hook and "guardrails explain" make the same decision.
func (p *pair) checkSame(payload []byte, flags string) {
	p.t.Helper()
	o := p.hook(payload)
	v := p.explain(payload, flags)
	want := wire.Pass
	switch v.Decision {
	case decide.Deny:
		want = wire.Deny
	case decide.Ask:
		want = wire.Ask
	}
	differs := want != wire.Pass && withoutCode.ReplaceAllString(o.Reason, "") != v.Reason ||
		v.Decision == decide.Warn && !strings.Contains(o.Context, v.Reason)
	if o.Verdict != want || differs {
		p.t.Errorf("%s\nthe hook: %v %s\nexplain:  %s %s", payload, o.Verdict, o.Reason, v.Decision, v.Reason)
	}
}

// withoutCode matches the sentence that only the hook adds to a refusal.
var withoutCode = regexp.MustCompile(` A person can allow it once: guardrails allow-once [A-Z0-9]{8}\.`)

func TestExplainDecidesEveryLabelledCommandAsTheHookDoes(t *testing.T) {
	calls := labeledcommands.All(t, "../..")
	p := newPair(t, map[string]string{})
	step := 1
	if testing.Short() {
		step = 25
	}
	for i, call := range calls {
		if i%step == 0 {
			p.checkSame(p.payload(fmt.Sprint("s", i), call.Tool, map[string]any{"command": call.Command}), "")
		}
	}
}

const limited = `
guidelines:
  - id: few-files
    name: Small steps
    category: context_constraint
    action: {type: constraint, max_files: 2}
  - id: tests-first
    name: Tests before a commit
    category: tdd_protocol
    action: {type: constraint, require_tests: true}
  - id: no-push
    name: Pushing is for people
    category: security
    action: {type: tool_restriction, tools_denied: ["Bash(git push:*)"]}
  - id: no-prod
    name: Production is not touched
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(prod/*)"]}
`

const excepted = `
exceptions:
  - {guideline: no-push, tools: ["Bash(git push origin release*)"], reason: release week, expires: "2026-02-06"}
`

// Like the hook, "guardrails explain" considers the history of the session, exceptions, files on disk and the guard's
// own files.
func TestExplainKnowsWhatTheHookKnows(t *testing.T) {
	p := newPair(t, map[string]string{
		".claude/guardrails.yaml": excepted, ".claude/guardrails/rules.yaml": limited, "src/a.py": "", "prod/a.json": "{}", "clean.sh": "rm -rf prod\n",
	})
	write := func(name string) []byte {
		return p.payload("s", "Write", map[string]any{"file_path": filepath.Join(p.Root, name)})
	}
	bash := func(command string) []byte { return p.payload("s", "Bash", map[string]any{"command": command}) }
	for _, payload := range [][]byte{
		write("a.go"), write("b.go"), write("c.go"), write("a.go"), bash("git commit -m x"), bash("git push origin main"), bash("git push origin release-1"),
		bash("sed -i s/a/b/ */*.py"), bash("sed -i s/a/b/ */*.json"), bash("sh clean.sh"), write(".claude/settings.json"), bash("rm -rf .claude"),
	} {
		p.checkSame(payload, "")
		p.checkSame(payload, "--session s")
	}
	if v := p.explain(write("d.go"), ""); v.Guideline != "few-files" || !v.SessionKnown {
		t.Errorf("in the session: %+v", v)
	}
	if v := p.explain(p.payload("new", "Write", map[string]any{"file_path": "d.go"}), ""); v.Decision != decide.Allow || v.SessionKnown {
		t.Errorf("in a session that is not known: %+v", v)
	}
	if _, stderr, code := p.Run("guardrails explain --command ls --session nobody"); code == 0 || !strings.Contains(stderr, "not known on this computer") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

const ofClient = `
guidelines:
  - id: unasked
    name: Only with questions
    category: security
    condition: {custom: {permission_mode: bypassPermissions}}
    action: {type: tool_restriction, tools_denied: ["Write(a*)"]}
  - id: asked
    name: Only without questions
    category: security
    condition: {custom: {permission_mode: default}}
    action: {type: tool_restriction, tools_denied: ["Write(b*)"]}
  - id: alone
    name: Only with a person
    category: security
    condition: {custom: {headless: true}}
    action: {type: tool_restriction, tools_denied: ["Write(c*)"]}
`

func TestExplainKnowsTheModeOfTheClient(t *testing.T) {
	p := newPair(t, map[string]string{".claude/guardrails/rules.yaml": ofClient})
	for _, entry := range []string{"cli", "claude-vscode", "sdk-cli"} {
		p.Env["CLAUDE_CODE_ENTRYPOINT"] = entry
		for _, p.mode = range []string{"", "default", "plan", "bypassPermissions"} {
			denied := ""
			for _, file := range []string{"a.go", "b.go", "c.go"} {
				payload := p.payload("s", "Write", map[string]any{"file_path": filepath.Join(p.Root, file)})
				for _, flags := range []string{"", "--session s", "-g .claude/guardrails/rules.yaml"} {
					p.checkSame(payload, flags)
				}
				denied += p.explain(payload, "").Guideline
			}
			want := map[string]string{"default": "asked", "bypassPermissions": "unasked"}[p.mode]
			if entry == "sdk-cli" {
				want += "alone"
			}
			if denied != want {
				t.Errorf("%s, %q: denied by %q, want %q", entry, p.mode, denied, want)
			}
		}
	}
}

func TestExplainKnowsTheLoopsOfASession(t *testing.T) {
	p := newPair(t, map[string]string{".claude/guardrails.yaml": "detectors: {tool_loop: ask}\n"})
	payload := p.payload("s", "Bash", map[string]any{"command": "go vet ./..."})
	e, err := wire.Parse(payload)
	if err != nil {
		t.Fatal(err)
	}
	if o := p.hook(payload); o.Verdict != wire.Pass {
		t.Fatalf("the first call: %+v", o)
	}
	if err := hooks.NoteLoop(p.host().Dir, &e); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{"", "--session s"} {
		p.checkSame(payload, flags)
		if v := p.explain(payload, flags); v.Guideline != "agent-loop" {
			t.Errorf("explain %s: %+v", flags, v)
		}
	}
}

// If the folder of the sessions' files cannot be used, limits cannot be checked.
func TestExplainAsksAboutLimitsWithoutTheFolderOfTheSessions(t *testing.T) {
	p := newPair(t, map[string]string{".claude/guardrails/rules.yaml": limited})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Skip(err)
	}
	p.Env["GUARDRAILS_CACHE_DIR"] = link
	payload := p.payload("s", "Write", map[string]any{"file_path": filepath.Join(p.Root, "a.go")})
	for _, flags := range []string{"", "--session s", "-g .claude/guardrails/rules.yaml"} {
		p.checkSame(payload, flags)
		if v := p.explain(payload, flags); v.Guideline != "few-files" {
			t.Errorf("explain %s: %+v", flags, v)
		}
	}
}

func TestExplainDecidesWithBrokenSettings(t *testing.T) {
	p := newPair(t, map[string]string{".claude/guardrails.yaml": "exceptions: [", ".claude/guardrails/rules.yaml": limited})
	for command, want := range map[string]app.ExitCode{"ls": 0, "rm -rf ~": 3} {
		p.checkSame(p.payload("s", "Bash", map[string]any{"command": command}), "")
		if _, stderr, code := p.Run("guardrails explain --command '" + command + "'"); code != want || !strings.Contains(stderr, "guardrails.yaml") {
			t.Errorf("%s: exit %d: %s", command, code, stderr)
		}
	}
	if _, stderr, code := p.Run("guardrails explain -g pack:core --command ls"); code == 0 {
		t.Errorf("with -g: exit %d: %s", code, stderr)
	}
}

// The hook uses the guidelines that the session keeps, even if the project's guidelines have changed since then.
func TestExplainUsesTheGuidelinesThatASessionKeeps(t *testing.T) {
	p := newPair(t, map[string]string{".claude/guardrails/rules.yaml": limited})
	push := p.payload("s", "Bash", map[string]any{"command": "git push origin main"})
	p.checkSame(push, "--session s")
	p.Write(".claude/guardrails/rules.yaml", "guidelines: []\n")
	p.checkSame(push, "--session s")
	if v := p.explain(push, "--session s"); v.Guideline != "no-push" {
		t.Errorf("by the session's guidelines: %+v", v)
	}
	if v := p.explain(push, ""); v.Guideline == "no-push" {
		t.Errorf("by the project's guidelines: %+v", v)
	}
}
