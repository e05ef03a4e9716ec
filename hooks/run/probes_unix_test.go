//go:build unix

package run_test

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/hooks/wire"
)

// probe is one run of a hook in its own session.
type probe struct {
	name, hook string
	doc        func(m *machine, of string) map[string]any
	args       []string
}

// allProbes returns the probes for every scenario. A row of docs/decisions.md may leave some of them out.
func allProbes() []probe {
	write := func(path string) func(*machine, string) map[string]any {
		return func(m *machine, of string) map[string]any {
			return m.tool(of, "Write", "file_path", m.project+"/"+path)
		}
	}
	other := func(name string, fields map[string]any) func(*machine, string) map[string]any {
		return func(m *machine, of string) map[string]any { return m.event(name, of, fields) }
	}
	return []probe{
		{name: "denied", hook: "enforce", doc: write("src/ui/a.ts")},
		{name: "gate", hook: "enforce", doc: func(m *machine, of string) map[string]any {
			return m.tool(of, "Bash", "command", "kubectl apply -f x.yaml")
		}},
		{name: "free", hook: "enforce", doc: write("src/core/a.go")},
		{name: "read", hook: "enforce", doc: func(m *machine, of string) map[string]any { return m.tool(of, "Read", "file_path", m.project+"/a.go") }},
		{name: "strict", hook: "enforce", doc: write("src/core/a.go"), args: []string{"--strict"}},
		{name: "own", hook: "enforce", doc: write(".claude/settings.json")},
		{name: "after", hook: "enforce", doc: func(m *machine, of string) map[string]any {
			doc := write("src/core/b.go")(m, of)
			doc["hook_event_name"] = wire.PostToolUse
			return doc
		}},
		{name: "prompt", hook: "inject", doc: other(wire.UserPromptSubmit, map[string]any{"prompt": "build it"})},
		{name: "subagent", hook: "subagent", doc: other(wire.SubagentStart, map[string]any{"agent_id": "a1", "agent_type": "helper"})},
		{name: "stop", hook: "stop", doc: other(wire.Stop, nil)},
		{name: "end", hook: "stop", doc: other(wire.SessionEnd, nil)},
	}
}

// verdicts() returns the expected verdict of each probe. The key is a text from the table in docs/decisions.md, such as
// "asks".
func verdicts() map[string]map[string]string {
	meaning := func(denied, gate, free, read, strict, own string) map[string]string {
		return map[string]string{"denied": denied, "gate": gate, "free": free, "read": read, "strict": strict, "own": own, "after": "pass"}
	}
	unreadable := meaning("ask", "ask", "ask", "ask", "deny", "ask")
	// This event does not say that the call has already run. So the test accepts any answer to this event.
	unreadable["after"] = ""
	return map[string]map[string]string{
		"decides":            meaning("deny", "ask", "pass", "pass", "pass", "deny"),
		"asks":               unreadable,
		"asks about changes": meaning("ask", "ask", "ask", "pass", "deny", "deny"),
		"limits ask":         meaning("deny", "ask", "ask", "pass", "ask", "deny"),
		"blocks questions":   meaning("deny", "deny", "pass", "pass", "pass", "deny"),
		"allows":             meaning("pass", "pass", "pass", "pass", "pass", "deny"),
	}
}

// probes() returns the probes for which the row and the scenario expect an answer.
func probes(r *row, s *scenario) []probe {
	return slices.DeleteFunc(allProbes(), func(p probe) bool {
		prompt := p.name == "prompt" || p.name == "subagent"
		return s.only != nil && !slices.Contains(s.only, p.name) || r.prompt == nothing && p.hook != "enforce" || prompt && r.prompt == nothing
	})
}

// warm() prepares the machine. If the scenario is not cold, it gives every session its cached guidelines. Then it calls
// the scenario's function spoil().
func (m *machine) warm(s *scenario, tried []probe) {
	m.t.Helper()
	if s.before != nil {
		s.before(m)
	}
	var sessions []string
	for _, p := range tried {
		sessions = append(sessions, p.name)
	}
	if !s.cold {
		m.keepGuidelines(sessions)
	}
	if s.spoil != nil {
		s.spoil(m, sessions)
	}
}

// keepGuidelines requests the guidelines once and stores them for all sessions. It signs them for each session,
// because a copy of another session's file is not valid.
func (m *machine) keepGuidelines(sessions []string) {
	m.t.Helper()
	if r := m.prompt("first", "begin"); !strings.Contains(r.context, "Leave src/ui alone.") {
		m.t.Fatalf("the first prompt got %+v", r)
	}
	text, err := os.ReadFile(m.cache("first"))
	must(m.t, err)
	for _, of := range sessions {
		must(m.t, os.WriteFile(m.cache(of), m.sealed(m.cache(of), bytes.Clone(text), time.Now()), 0o600))
	}
}

func (m *machine) ask(s *scenario, tried []probe) map[string]reply {
	m.t.Helper()
	answers := make([]reply, len(tried))
	var all sync.WaitGroup
	for i, p := range tried {
		all.Go(func() { answers[i] = m.try(s, p) })
	}
	all.Wait()
	out := map[string]reply{}
	for i, p := range tried {
		out[p.name] = answers[i]
	}
	return out
}

func (m *machine) try(s *scenario, p probe) reply {
	doc := p.doc(m, p.name)
	if s.document != nil {
		s.document(doc)
	}
	var stdin io.Reader = bytes.NewReader(encoded(m.t, doc))
	if s.send != nil {
		stdin = s.send(m, encoded(m.t, doc))
	}
	return m.hook(p.hook, stdin, p.args...)
}

func wantVerdicts(t *testing.T, r *row, answers map[string]reply) {
	t.Helper()
	want, ok := verdicts()[r.call]
	if !ok {
		t.Fatalf("the document does not define the word %q", r.call)
	}
	for name, a := range answers {
		if verdict := want[name]; verdict != "" && a.verdict() != verdict {
			t.Errorf("%s: %s, want %s: %s", name, a.verdict(), verdict, a.said)
		}
		if want[name] == "" && name != "after" && a.decision != "" || name != "strict" && want[name] != "deny" && a.exit != 0 {
			t.Errorf("%s: exit %d, %s", name, a.exit, a.said)
		}
	}
}

// wantPrompts compares the text for the model with the row.
func wantPrompts(t *testing.T, r *row, answers map[string]reply) {
	t.Helper()
	for _, name := range []string{"prompt", "subagent"} {
		a, ok := answers[name]
		if ok && injected(a.context) != r.prompt {
			t.Errorf("%s: want %s, got %q", name, r.prompt, a.context)
		}
	}
}

// injected() returns the word with which docs/decisions.md describes the text that the model receives.
func injected(context string) string {
	switch {
	case context == "":
		return "continues"
	case strings.Contains(context, "Leave src/ui alone."):
		return "guidelines"
	case strings.Contains(context, "Commit one change at a time, with at most ten files."):
		return "core pack"
	case strings.Contains(context, "guidelines cannot be read at the moment"):
		return "warning"
	}
	return "something else"
}

// wantShown compares the text for the user with the row. A second prompt shows whether the user sees the text each
// time.
func (m *machine) wantShown(r *row, s *scenario, answers map[string]reply) {
	m.t.Helper()
	var shown, messages strings.Builder
	shown.WriteString(m.told)
	for _, a := range answers {
		messages.WriteString(a.message)
		shown.WriteString(a.message + "\n" + a.reason + "\n")
	}
	for _, text := range r.shown {
		if !strings.Contains(shown.String(), text) {
			m.t.Errorf("%q is not shown:\n%s", text, shown.String())
		}
	}
	if len(r.shown) == 0 && messages.Len() > 0 {
		m.t.Errorf("shown: %s", messages.String())
	}
	first, prompted := answers["prompt"]
	if !prompted || first.message == "" || s.slow {
		return
	}
	for _, p := range allProbes() {
		if p.name == "prompt" {
			if second := m.try(s, p); (second.message != "") != r.eachTime {
				m.t.Errorf("shown first %[2]q, then %[3]q; shown each time: %[1]v", r.eachTime, first.message, second.message)
			}
		}
	}
}
