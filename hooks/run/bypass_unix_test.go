//go:build unix

package run_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks/cache"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/product"
	"guardrails/rules"
)

// A bypass is one way around the guard, with calls that must be stopped and similar calls that must be allowed.
type bypass struct {
	Way             string
	Stopped, Passed []string
	Resolve         map[string]string
	Scripts         map[string]string
	Worktrees       []string
	Tools           []struct {
		Tool    string
		Input   json.RawMessage
		Stopped bool
	}
}

// An attempt is one tool call. It goes around the guard, or it looks similar but is harmless.
type attempt struct {
	tool    string
	input   json.RawMessage
	stopped bool
}

func bypasses(t *testing.T) []bypass {
	t.Helper()
	text, err := os.ReadFile("../../decide/testdata/bypasses.json")
	must(t, err)
	var list []bypass
	must(t, json.Unmarshal(text, &list))
	return list
}

func (b *bypass) attempts(t *testing.T) []attempt {
	var out []attempt
	for stopped, commands := range map[bool][]string{true: b.Stopped, false: b.Passed} {
		for _, command := range commands {
			out = append(out, attempt{"Bash", encoded(t, map[string]any{"command": command}), stopped})
		}
	}
	for _, call := range b.Tools {
		out = append(out, attempt{call.Tool, call.Input, call.Stopped})
	}
	return out
}

// labelled() creates the machine for which the labels in docs/bypasses.md are correct. Its project exists on disk,
// because some bypasses need a link, a script or a worktree.
func labelled(t *testing.T, b *bypass) *machine {
	t.Helper()
	m := newMachine(t)
	m.env["XDG_STATE_HOME"] = m.work
	if len(b.Resolve)+len(b.Scripts)+len(b.Worktrees) == 0 {
		m.project, m.env["HOME"] = "/home/dev/code/app", "/home/dev"
	}
	for link, target := range b.Resolve {
		must(t, os.WriteFile(m.project+"/"+target, nil, 0o600))
		must(t, os.Symlink(target, m.project+"/"+link))
	}
	for name, text := range b.Scripts {
		must(t, os.MkdirAll(filepath.Dir(m.project+"/"+name), 0o700))
		must(t, os.WriteFile(m.project+"/"+name, []byte(text), 0o700))
	}
	for _, root := range b.Worktrees {
		shared := m.project + "/.git/worktrees/" + filepath.Base(root)
		must(t, os.MkdirAll(shared, 0o700))
		must(t, os.MkdirAll(m.project+"/"+root, 0o700))
		must(t, os.WriteFile(m.project+"/"+root+"/.git", []byte("gitdir: "+shared+"\n"), 0o600))
	}
	m.env["CLAUDE_PROJECT_DIR"] = m.project
	return m
}

// engine() returns the facts about the machine that the program would find, as input for the analysis.
func (b *bypass) engine(m *machine) *toolcall.Env {
	return &toolcall.Env{
		Root: m.project, Cwd: m.project, Home: m.env["HOME"], Resolve: host.Resolve, Guarded: m.guarded(),
		Script: func(path string, _ int64) ([]byte, bool) {
			text, ok := b.Scripts[strings.TrimPrefix(path, m.project+"/")]
			return []byte(text), ok
		},
		Worktree: func(path string) string {
			for _, root := range b.Worktrees {
				if strings.HasPrefix(path, m.project+"/"+root+"/") {
					return m.project + "/" + root
				}
			}
			return ""
		},
	}
}

func TestTheProgramStopsTheSameBypassesAsTheEngine(t *testing.T) {
	notInShort(t)
	pack, err := rules.Pack("core")
	must(t, err)
	body := cache.Body{Layers: []cache.Layer{{Guidelines: pack.Plain()}}, TTL: 300, Source: "files"}
	set, err := evaluator.Compile(body.Layers[0].Guidelines)
	must(t, err)
	document, err := cache.Encode(&body)
	must(t, err)
	for _, b := range bypasses(t) {
		t.Run(b.Way, func(t *testing.T) {
			t.Parallel()
			m := labelled(t, &b)
			must(t, os.MkdirAll(m.sessions, 0o700))
			must(t, os.WriteFile(m.cache("s"), m.sealed(m.cache("s"), bytes.Clone(document), time.Now()), 0o600))
			for _, a := range b.attempts(t) {
				m.attempt(&a, set, b.engine(m))
			}
		})
	}
}

func (m *machine) guarded() []string {
	out := []string{m.sessions, m.work + "/guardrails", m.env["HOME"] + "/.local/share/guardrails"}
	for _, name := range product.Programs() {
		out = append(out, m.bin+"/"+name)
	}
	return out
}

// attempt() runs the program on a tool call. It compares the program's verdict with the label and with the verdict of
// the engine.
func (m *machine) attempt(a *attempt, set *evaluator.Set, env *toolcall.Env) {
	m.t.Helper()
	doc := m.event(wire.PreToolUse, "s", map[string]any{"tool_name": a.tool, "tool_input": a.input})
	got := m.inTime("enforce", encoded(m.t, doc))
	if stopped := got.verdict() != "pass"; stopped != a.stopped {
		m.t.Errorf("%s %s: %s: %s", a.tool, a.input, got.verdict(), got.reason)
	}
	d := decide.Judge(decide.Alone(set, guideline.Context{}), toolcall.Analyze(env, a.tool, a.input), decide.Facts{})
	want := map[decide.Outcome]string{decide.Deny: "deny", decide.Ask: "ask"}[d.Outcome]
	if want == "" {
		want = "pass"
	}
	if got.verdict() != want || !strings.Contains(got.reason, d.Guideline()) {
		m.t.Errorf("%s %s: the program says %s (%s), the engine %s (%s)", a.tool, a.input, got.verdict(), got.reason, want, d.Guideline())
	}
}
