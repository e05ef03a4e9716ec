package service_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/service"
)

// tasks are questions, each of which has another answer or the same one in other words.
func tasks() []service.Request {
	return []service.Request{
		{},
		{Hook: true},
		{Hook: true, Prompt: "implement the worker pool"},
		{Hook: true, Prompt: "please implement a pool of workers, with the devops agent"},
		{Hook: true, Prompt: "review what the security agent and the devops agent did"},
		{Context: guideline.Context{Agent: "devops"}, Hook: true, Prompt: "deploy it"},
		{Context: guideline.Context{Agent: "devops", Domain: "d", Action: "implement"}},
		{Context: guideline.Context{Agent: "devops", Domain: "d", Action: "implement", Paths: []string{"web/a.ts"}}},
		{Context: guideline.Context{Agent: "devops", Domain: "d", Action: "implement", Paths: []string{"web/a.ts", "src/b.go"}}},
		{Context: guideline.Context{Agent: "devops", Paths: []string{"src/b.go"}}, Unknown: guideline.FieldEvent},
		{Context: guideline.Context{Agent: "devops", Event: "merge"}},
		{Context: guideline.Context{Agent: "devops", GateType: "merge"}},
		{Context: guideline.Context{Agent: "devops"}, Unknown: guideline.FieldPaths | guideline.FieldEvent},
		{Context: guideline.Context{Agent: "devops", Metadata: map[string]any{"environment": "production"}}},
		{Context: guideline.Context{Agent: "devops", TenantID: "acme"}},
		{Context: guideline.Context{Agent: "devops"}, Definitions: true},
		{Context: guideline.Context{Agent: strings.Repeat("long ", 1000)}},
	}
}

// What several sessions are told alike is found once; each is told what it would be told if it were alone.
func TestASessionIsToldTheSameAsIfItWereAlone(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: [core, roles]\n", ".claude/guardrails/a.yaml": strings.Join([]string{
		rule("web", "condition: {paths: [web/*]}\naction: {type: instruction, instruction: Mind the web.}"),
		rule("merge", "condition: {events: [merge], agents: [devops]}\naction: {type: hitl_gate, gate_type: merge}"),
		rule("gate", "condition: {gate_types: [merge]}\naction: {type: instruction, instruction: Ask well.}"),
		rule("production", "condition: {custom: {environment: production}}\naction: {type: instruction, instruction: Mind production.}"),
		rule("theirs", "tenant_id: acme\naction: {type: instruction, instruction: Of the tenant.}"),
		rule("security", "condition: {agents: [security]}\naction: {type: instruction, instruction: Look twice.}"),
	}, "")})
	lasting := p.lasting()
	for round, session := range []string{"s1", "s2", "", "0b7e2c1a-5f0e-4c6e-9f54-0a4f5a5f7d11", "quote\" and \\", "línea", strings.Repeat("x", 400)} {
		for n, r := range tasks() {
			r.SessionID = session
			got, want := whole(t, answerOf(t, lasting, r)), whole(t, p.ask(r))
			if got != want {
				t.Errorf("round %d, task %d, session %q:\ngot  %s\nwant %s", round, n, session, got, want)
			}
		}
	}
}

// whole is all of an answer.
func whole(t *testing.T, a *service.Answer) string {
	t.Helper()
	text, err := json.Marshal(a)
	check(t, err)
	return string(text)
}

// A door makes its text of an answer once for all sessions, and can tell where the session's name is to stand in it.
func TestAnAnswerIsShownOnceForAllSessions(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("a", "action: {type: instruction, instruction: Something.}")})
	s, shown := p.lasting(), 0
	show := func(a *service.Answer) any { shown++; return whole(t, a) }
	for n := range 5 {
		name := fmt.Sprintf("session-%d", n)
		a := answerOf(t, s, service.Request{Context: guideline.Context{SessionID: name}, Hook: true, Prompt: fmt.Sprintf("what is %d", n)})
		text, instead := a.Shown(show)
		full, _ := text.(string)
		if instead == "" || strings.ReplaceAll(full, instead, name) != whole(t, a) {
			t.Errorf("%s in place of %q is not %s", full, instead, whole(t, a))
		}
	}
	if shown != 1 {
		t.Errorf("it was made %d times", shown)
	}
}
