package hooks_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/detect/toolcall"
	"guardrails/guideline"
	"guardrails/hooks"
	"guardrails/hooks/cache"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/private"
	"guardrails/rules"
)

// stage is a project with its own folders and environment. It has a source of guidelines that a test can change.
type stage struct {
	t       *testing.T
	host    *hooks.Host
	project string
	env     map[string]string
	now     time.Time
	// body is the answer of the source. The field "down" is the error if the source does not answer.
	body    cache.Body
	down    error
	passed  error
	notices []string
	// injection is the text for the model. If it is empty, the source sends a default text.
	injection string
	asked     []map[string]any
	pending   []string
	head      string
}

func newStage(t *testing.T, guidelines string) *stage {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, project: filepath.Join(base, "project"), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	s.env = map[string]string{"HOME": filepath.Join(base, "home"), "GUARDRAILS_CACHE_DIR": filepath.Join(base, "run"), "CLAUDE_PROJECT_DIR": s.project, "CLAUDE_CODE_ENTRYPOINT": "cli"}
	for _, dir := range []string{s.project, s.env["HOME"]} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.body = cache.Body{TTL: 300, Source: "files", Layers: []cache.Layer{
		{Guidelines: parsed(t, guidelines), Context: guideline.Context{Agent: "backend"}},
	}}
	s.host = &hooks.Host{
		Machine: &host.Machine{
			Env:     func(name string) string { return s.env[name] },
			Pending: func(string, string, bool) *toolcall.Pending { return s.gitSays() },
		},
		Now: func() time.Time { return s.now }, Ask: s.answer,
	}
	s.open()
	return s
}

// gitSays returns what git says about the project: the files in the field pending are staged, and the field head is the
// newest commit.
func (s *stage) gitSays() *toolcall.Pending {
	p := &toolcall.Pending{Head: s.head}
	for _, name := range s.pending {
		p.Files = append(p.Files, toolcall.PendingFile{Name: name, Staged: true})
	}
	return p
}

// open() opens the folders again, because a test has changed them or the environment.
func (s *stage) open() {
	s.host.Dir, s.host.DirError = private.Runtime(s.host.Env)
	s.host.State, s.host.StateError = private.StateDir(s.host.Env)
}

func parsed(t *testing.T, text string) []guideline.Guideline {
	t.Helper()
	if name, ok := strings.CutPrefix(text, "pack:"); ok {
		pack, err := rules.Pack(name)
		if err != nil {
			t.Fatal(err)
		}
		return pack.Plain()
	}
	file, problems := rules.Parse("guidelines.yaml", []byte(text))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var out []guideline.Guideline
	for _, s := range file.Guidelines {
		out = append(out, s.Guideline)
	}
	return out
}

func (s *stage) answer(request []byte) (answer []byte, passed, err error) {
	var asked map[string]any
	if err := json.Unmarshal(request, &asked); err != nil {
		s.t.Fatalf("%s: %v", request, err)
	}
	s.asked = append(s.asked, asked)
	if s.down != nil {
		return nil, nil, s.down
	}
	body := s.body
	body.Layers = slices.Clone(body.Layers)
	if agent, _ := asked["agent"].(string); agent != "" {
		body.Layers[0].Context.Agent = agent
	}
	if asked["choice"] == "open" && body.Reason != "" {
		body.Source, body.Layers = cache.Open, make([]cache.Layer, 1)
	}
	doc, err := cache.Encode(&body)
	if err != nil {
		s.t.Fatal(err)
	}
	fields := map[string]any{
		"success": true, "injection": "guidelines for " + body.Layers[0].Context.Agent, "session_cache": string(doc), "source": body.Source, "notices": s.notices,
	}
	if s.injection != "" {
		fields["injection"] = s.injection
	}
	if body.Reason != "" {
		fields["fallback"] = map[string]any{"mode": "ask_user", "reason": body.Reason}
	}
	answer, err = json.Marshal(fields)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer, s.passed, nil
}

var errDown = errors.New("nothing answers")

// event() builds a document in the client's form, and parses it as the hooks do.
func (s *stage) event(name string, fields map[string]any) *wire.Event {
	s.t.Helper()
	all := map[string]any{"hook_event_name": name, "session_id": "s1", "cwd": s.project}
	for k, v := range fields {
		all[k] = v
	}
	text, err := json.Marshal(all)
	if err != nil {
		s.t.Fatal(err)
	}
	e, err := wire.Parse(text)
	if err != nil {
		s.t.Fatal(err)
	}
	return &e
}

func call(tool, field, value string) map[string]any {
	return map[string]any{"tool_name": tool, "tool_input": map[string]any{field: value}, "tool_use_id": "t-" + tool + "-" + value}
}

func with(fields map[string]any, more ...string) map[string]any {
	for i := 0; i < len(more); i += 2 {
		fields[more[i]] = more[i+1]
	}
	return fields
}

func (s *stage) pre(fields map[string]any) wire.Outcome {
	s.t.Helper()
	return hooks.ToolCall(s.host, s.event(wire.PreToolUse, fields))
}

func (s *stage) post(fields map[string]any) wire.Outcome {
	s.t.Helper()
	return hooks.ToolCall(s.host, s.event(wire.PostToolUse, fields))
}

func (s *stage) failed(fields map[string]any) wire.Outcome {
	s.t.Helper()
	return hooks.ToolCall(s.host, s.event(wire.PostToolUseFailure, fields))
}

func (s *stage) prompt(text string) wire.Outcome {
	s.t.Helper()
	return hooks.Inject(s.host, s.event(wire.UserPromptSubmit, map[string]any{"prompt": text}))
}

func (s *stage) start(source string) wire.Outcome {
	s.t.Helper()
	return hooks.Inject(s.host, s.event(wire.SessionStart, map[string]any{"source": source}))
}

func (s *stage) bash(command string) map[string]any { return call("Bash", "command", command) }

func (s *stage) write(path string) map[string]any {
	return call("Write", "file_path", filepath.Join(s.project, path))
}

func (s *stage) records(kind string) []map[string]any {
	s.t.Helper()
	var out []map[string]any
	files, err := filepath.Glob(filepath.Join(s.host.State, "spool", "*.jsonl"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			var r map[string]any
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				s.t.Fatalf("%s: %v", line, err)
			}
			if kind == "" || r["kind"] == kind {
				out = append(out, r)
			}
		}
	}
	return out
}

func verdict(o wire.Outcome) string {
	return map[wire.Verdict]string{wire.Pass: "pass", wire.Ask: "ask", wire.Deny: "deny"}[o.Verdict]
}

func (s *stage) want(o wire.Outcome, want string, parts ...string) {
	s.t.Helper()
	if verdict(o) != want {
		s.t.Fatalf("got %s (%s), want %s", verdict(o), o.Reason+o.Message, want)
	}
	for _, part := range parts {
		if !strings.Contains(o.Reason+"\n"+o.Context+"\n"+o.Message, part) {
			s.t.Errorf("%q is not in %+v", part, o)
		}
	}
}
