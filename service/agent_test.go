package service_test

import (
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/service"
)

// agentsRules holds the user's two guidelines. One applies to the agent that the user usually works with. The other
// applies to an agent that a project might name instead.
const agentsRules = `
- {id: only-src, name: Only src, category: custom, condition: {agents: [writer]}, action: {type: tool_restriction, tools_allowed: ["Write(src/**)"]}}
- {id: ask-tags, name: Tags, category: hitl_gate, condition: {paths: ["src/tags/**"]}, action: {type: hitl_gate, gate_type: tag}}
- {id: free-tags, name: Tags, category: hitl_gate, priority: 990, condition: {agents: [free], paths: ["src/tags/**"]}, action: {type: hitl_gate, gate_type: tag, gate_threshold: advisory}}
- {id: free-docs, name: No plans, category: custom, condition: {agents: [free]}, action: {type: tool_restriction, tools_denied: ["Write(src/plans/**)"]}}
`

// A project can choose the agent of the main thread, in the client's settings or with an environment variable. The
// user's guidelines for the user's own agent still apply. A subagent gets the guidelines for its own type.
func TestAProjectCannotNameAnotherAgentForTheUsersGuidelines(t *testing.T) {
	write := func(name string) [2]string {
		return [2]string{"Write", `{"file_path": "` + name + `", "content": "x"}`}
	}
	for _, c := range []struct {
		agent      string
		mainThread bool
		file, want string
	}{
		{"", true, "docs/a.md", "deny only-src"},
		{"", true, "src/tags/1", "ask ask-tags"},
		{"", true, "src/plans/1", "allow "},
		{"free", true, "docs/a.md", "deny only-src"},
		{"free", true, "src/tags/1", "ask ask-tags"},
		{"free", true, "src/plans/1", "deny free-docs"},
		{"free", false, "docs/a.md", "allow "},
		{"free", false, "src/tags/1", "warn free-tags"},
		{"free", false, "src/plans/1", "deny free-docs"},
	} {
		t.Run(strings.TrimSpace(c.agent+" "+c.file), func(t *testing.T) {
			p := newStoredProject(t, map[string]string{".claude/guardrails/a.yaml": rule("note", "action: {type: instruction, instruction: x}")})
			p.user("packs: []\ndefault_agent: writer\n")
			p.write("../config/guardrails/guidelines/own.yaml", agentsRules)
			r := service.Request{Hook: true, MainThread: c.mainThread, Context: guideline.Context{Agent: c.agent}}
			d := judgedFor(t, p.newService(false), p.root, r, write(c.file))
			if got := string(d.Outcome) + " " + d.Guideline(); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// The layers can find different tasks in the same prompt. Each layer must keep the task that it found.
func TestALayerKeepsItsOwnTask(t *testing.T) {
	p := newStoredProject(t, map[string]string{
		".claude/guardrails.yaml":   "domains: {bills: [invoice]}\n",
		".claude/guardrails/a.yaml": rule("of-project", "condition: {domains: [bills]}\naction: {type: tool_restriction, tools_denied: [\"Write(bills/**)\"]}"),
	})
	p.user("packs: []\ndomains: {money: [invoice]}\n")
	p.write("../config/guardrails/guidelines/own.yaml",
		rule("of-user", "condition: {domains: [money]}\naction: {type: tool_restriction, tools_denied: [\"Write(money/**)\"]}"))
	s := p.newService(false)
	for name, r := range map[string]service.Request{
		"the prompt":           {Hook: true, MainThread: true, Prompt: "check the invoice"},
		"its tasks":            {Hook: true, MainThread: true, Tasks: []service.Task{{Domain: "money"}, {Domain: "bills"}}},
		"tasks of more layers": {Hook: true, Tasks: []service.Task{{Domain: "money"}, {Domain: "other"}, {Domain: "bills"}}},
	} {
		c := cacheOf(t, getContext(t, s, r))
		if got := c.ids(); got != "of-user of-project" {
			t.Errorf("%s: the guidelines are %s", name, got)
		}
	}
	c := cacheOf(t, getContext(t, s, service.Request{Hook: true}))
	if c.ids() != "" {
		t.Errorf("without a task the guidelines are %s", c.ids())
	}
}
