package service_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/hooks/session"
	"guardrails/internal/fortests/golden"
	"guardrails/service"
	"guardrails/service/inject"
)

// The golden files in testdata/injection contain the texts that the model receives in a few projects.
func TestInjection(t *testing.T) {
	for _, c := range []struct {
		name    string
		files   map[string]string
		request service.Request
	}{
		{
			name:  "core-and-roles",
			files: map[string]string{".claude/guardrails.yaml": "packs: [core, roles]\n"},
			request: service.Request{
				Context: guideline.Context{Agent: "backend"},
				Prompt:  "implement the worker pool, then let the frontend show it",
			},
		},
		{
			name:    "container",
			files:   map[string]string{".claude/guardrails.yaml": "packs: [core]\nenvironment: container\n"},
			request: service.Request{},
		},
		{
			name: "every-kind-of-line",
			files: map[string]string{".claude/guardrails/a.yaml": rule("text",
				"priority: 900\naction: {type: instruction, instruction: Write plain English.}") +
				rule("same-text", "priority: 800\naction: {type: tool_restriction, instruction: Write plain English., tools_denied: [WebSearch]}") +
				rule("on-paths", "condition: {paths: [src/*, lib/*]}\naction: {type: instruction, instruction: Use tabs.}") +
				rule("on-event", "condition: {events: [publish, merge, deploy]}\naction: {type: instruction, instruction: Say so in the channel.}") +
				rule("gate-always", "action: {type: hitl_gate, gate_type: any}") +
				rule("gate-note", "condition: {paths: [docs/*]}\naction: {type: hitl_gate, gate_type: docs, gate_threshold: advisory}") +
				rule("gate-mixed", "condition: {paths: [db/*], events: [commit, secret_access]}\naction: {type: hitl_gate, gate_type: db}") +
				rule("gate-high", "priority: 700\ncondition: {events: [push]}\naction: {type: hitl_gate, gate_type: push, gate_threshold: advisory}") +
				rule("gate-overruled", "condition: {events: [push]}\naction: {type: hitl_gate, gate_type: push}") +
				rule("gate-type", "condition: {gate_types: [push]}\naction: {type: instruction, instruction: Push little.}") +
				rule("deny-paths", "condition: {agents: [a, b, c], paths: [x/*], events: [merge]}\naction: {type: tool_restriction, tools_denied: [Bash, Write]}") +
				rule("deny-event", "condition: {events: [device_write]}\naction: {type: tool_restriction, tools_denied: [Bash, Write]}") +
				rule("many-agents", "condition: {agents: [a, b, c, d]}\naction: {type: tool_restriction, tools_denied: [\"Bash(rm *)\"]}") +
				rule("allow", "action: {type: tool_restriction, tools_allowed: [Read, Write(a/*), Write(b/*), \"Bash(go test:*)\"]}") +
				rule("closed", "action: {type: tool_restriction, tools_allowed: [Read], tools_denied: [\"*\"]}") +
				rule("shut", "condition: {events: [merge]}\naction: {type: tool_restriction, tools_denied: [\"*\"]}") +
				rule("limit", "action: {type: constraint, max_files: 3}") +
				rule("silent", "action: {type: telemetry}")},
			request: service.Request{Context: guideline.Context{
				Agent: "a", Domain: "d\u202eom\nain",
				Action: strings.Repeat("long", 30),
			}},
		},
		{
			name: "dropped",
			files: map[string]string{".claude/guardrails/a.yaml": manyRules(40, 400) +
				rule("huge", "priority: 999\naction: {type: instruction, instruction: "+strings.Repeat("x", 9500)+"}")},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.request.Hook = true
			got := newProject(t, c.files).ask(c.request).Injection
			if size := inject.Size(got); size > 9000 {
				t.Errorf("%d characters", size)
			}
			golden.Check(t, *update, filepath.Join("testdata", "injection", c.name+".txt"), got+"\n")
		})
	}
}

// manyRules returns the given number ("n") of guidelines. Their instructions have the given length. The first guideline
// has the highest priority.
func manyRules(n, length int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(rule(fmt.Sprintf("g%03d", i),
			fmt.Sprintf("priority: %d\naction: {type: instruction, instruction: %s}", 900-900*i/n,
				strings.Repeat(string(rune('a'+i%26)), length)+fmt.Sprint(i))))
	}
	return b.String()
}

func TestTheInjectionContainsWhatFitsAndNamesTheRest(t *testing.T) {
	for _, c := range []struct{ n, length int }{
		{1, 8500},
		{1, 9990},
		{2, 7900},
		{300, 40},
		{900, 9},
		{990, 100},
		{9, 970},
		{9, 985},
	} {
		p := newProject(t, map[string]string{".claude/guardrails/a.yaml": manyRules(c.n, c.length)})
		got := p.hook("").Injection
		if size := inject.Size(got); size > 9000 {
			t.Errorf("%d of %d: %d characters", c.n, c.length, size)
		}
		texts, omitted, cut := strings.Cut(got, "\n\n"+session.LeftOutHeading+"\n- ")
		shown := strings.Count(texts, "\n- ")
		if cut != (shown < c.n) || cut && !strings.HasPrefix(omitted, fmt.Sprintf("%d guideline", c.n-shown)) {
			t.Errorf("%d of %d: %d are shown\n%s", c.n, c.length, shown, got)
		}
		for i := range shown {
			text := fmt.Sprint(strings.Repeat(string(rune('a'+i%26)), c.length), i)
			if c.length < 9000 && !strings.Contains(got, "\n- "+text+"\n") && !strings.HasSuffix(texts, "\n- "+text) {
				t.Errorf("%d of %d: g%03d is missing, but guidelines of lower priority are shown", c.n, c.length, i)
			}
		}
	}
}

func TestCharactersAreCountedAsTheClientCounts(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": manyRules(1, 1) +
		rule("smile", "action: {type: instruction, instruction: "+strings.Repeat("🙂", 4500)+"}")})
	contains(t, p.hook("").Injection, session.LeftOutHeading+"\n- 1 guideline (smile)")
}

func TestTheInjectionIsEmptyIfNoGuidelineApplies(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: []\n"})
	if got := p.hook("implement it").Injection; got != "" {
		t.Errorf("got %q", got)
	}
}

func TestOnlyAWordOfThePromptSuggestsARole(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("fe",
		"condition: {agents: [frontend]}\naction: {type: instruction, instruction: Only UI.}") +
		rule("tw", "condition: {agents: [Test-Writer]}\naction: {type: instruction, instruction: Only tests.}") +
		rule("both", "condition: {agents: [frontend, backend]}\naction: {type: instruction, instruction: Talk to each other.}") +
		rule("be", "condition: {agents: [backend]}\naction: {type: tool_restriction, tools_denied: [Write]}") +
		rule("off", "enabled: false\ncondition: {agents: [ghost]}\naction: {type: instruction, instruction: Boo.}") +
		rule("x", "condition: {agents: [x1]}\naction: {type: instruction, instruction: X.}") +
		rule("y", "condition: {agents: [x2]}\naction: {type: instruction, instruction: Y.}")})
	for _, c := range []struct{ name, agent, prompt, roles, texts string }{
		{"no role", "", "fix the bug", "", ""},
		{"a word", "", "Ask the Frontend, please.", "frontend", "Talk to each other. Only UI."},
		{"a hyphen is part of a name", "", "let @test-writer begin", "Test-Writer", "Only tests."},
		{"a part of a word", "", "frontends and the frontend-team, my_frontend", "", ""},
		{"a path", "", "look at src/frontend/a.go and .\\frontend", "", ""},
		{
			"several, in the prompt's order", "", "test-writer before frontend before test-writer", "Test-Writer, frontend",
			"Only tests. Talk to each other. Only UI.",
		},
		{"the agent itself", "frontend", "frontend, go on", "", ""},
		{"a role other than the agent", "backend", "frontend, go on", "frontend", "Only UI."},
		{"a role without an instruction", "", "the backend", "backend", "Talk to each other."},
		{"a disabled guideline", "", "ghost", "", ""},
		{"too many", "", "frontend backend test-writer x1 x2", "", ""},
		{"the client's own prompt", "", " <Task-Notification>frontend</task-notification>", "", ""},
		{"hostile", "", strings.Repeat("frontend\x00\xff\u202e ", 5000), "frontend", "Talk to each other. Only UI."},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := p.ask(service.Request{Context: guideline.Context{Agent: c.agent}, Prompt: c.prompt, Hook: true})
			_, part, found := strings.Cut(
				a.Injection, session.TaskHeading+", as suggestions that are not enforced (its words point to: ",
			)
			roles, rest, _ := strings.Cut(part, "):\n- ")
			if found != (c.roles != "") || roles != c.roles {
				t.Fatalf("suggested %q\n%s", roles, a.Injection)
			}
			var texts []string
			for text := range strings.SplitSeq(rest, "\n- ") {
				texts = append(texts, text)
			}
			if got := strings.Join(texts, " "); got != c.texts {
				t.Errorf("got  %q\nwant %q", got, c.texts)
			}
			for _, g := range cacheOf(t, a).Guidelines {
				if c.agent == "" || g.ID == "fe" && c.agent != "frontend" {
					t.Errorf("%s is in the session cache", g.ID)
				}
			}
		})
	}
}

func FuzzInjection(f *testing.F) {
	f.Add("backend", "implement it with the frontend", "Write plain text.", "src/*")
	f.Add("a\nb", "<task-notification>", "\u202e", "{a,b}/**")
	f.Add("🙂", strings.Repeat("frontend ", 100), strings.Repeat("🙂", 5000), "~/x")
	f.Fuzz(func(t *testing.T, agent, prompt, instruction, path string) {
		p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: [roles]\n"})
		g := guideline.Guideline{
			ID: "fuzzed", Name: "f", Enabled: true, Category: guideline.Custom, Priority: 950,
			Condition: guideline.Condition{Paths: []string{path}},
			Action:    guideline.Action{Type: guideline.Instruction, Instruction: instruction},
		}
		if text, err := guideline.Encode(&g); err == nil {
			p.write(".claude/guardrails/f.json", string(text))
		}
		a := p.ask(service.Request{Context: guideline.Context{Agent: agent}, Prompt: prompt, Hook: true})
		if size := inject.Size(a.Injection); size > 9000 {
			t.Fatalf("%d characters", size)
		}
		cacheOf(t, a)
	})
}
