package service_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/service"
	"guardrails/service/tools"
)

func sampleProject(t *testing.T) *project {
	return newProject(t, map[string]string{
		".claude/guardrails/a.yaml": rule("low",
			"priority: 10\ncondition: {agents: [backend]}\naction: {type: instruction, instruction: Low.}") +
			rule("high", "priority: 900\nenabled: false\naction: {type: hitl_gate, gate_type: merge}") +
			rule("mid", "description: About Words.\naction: {type: instruction}"),
		".claude/guardrails.yaml": "packs: [core]\n",
	})
}

func TestListReturnsMatchingGuidelinesHighestPriorityFirst(t *testing.T) {
	p := sampleProject(t)
	no := false
	for _, c := range []struct {
		name   string
		filter service.Filter
		want   string
	}{
		{"by agent", service.Filter{Agent: "frontend", Category: guideline.Custom}, "high mid"},
		{"by the agent of a guideline", service.Filter{Agent: "backend", Category: guideline.Custom}, "high mid low"},
		{"by text, ignoring case", service.Filter{Text: "ABOUT words"}, "mid"},
		{"disabled guidelines", service.Filter{Enabled: &no}, "high"},
		{"no match", service.Filter{Text: "no such words"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := p.service().List(context.Background(), service.ListQuery{Filter: c.filter})
			check(t, err)
			var got []string
			for _, g := range l.Guidelines {
				got = append(got, g.ID)
			}
			if strings.Join(got, " ") != c.want || l.Count != len(got) || l.Total < 10 || !l.Success ||
				l.Source != service.SourceFiles {
				t.Errorf("got %v of %d from %s", got, l.Total, l.Source)
			}
		})
	}
}

func TestGetReturnsTheDefinitionAndItsFile(t *testing.T) {
	p := sampleProject(t)
	d, err := p.service().Get(context.Background(), service.Lookup{ID: "low", Project: p.root})
	check(t, err)
	if d.Guideline.Action.Instruction != "Low." || d.From != ".claude/guardrails/a.yaml" || !d.Success {
		t.Errorf("%+v", d)
	}
	d, err = p.service().Get(context.Background(), service.Lookup{ID: "security-history", Project: ""})
	check(t, err)
	contains(t, d.From, "core")
	_, err = p.service().Get(context.Background(), service.Lookup{ID: "none", Project: ""})
	want := `id: there is no guideline "none"; guardrails_list shows which exist`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if _, err := p.service().Get(context.Background(), service.Lookup{ID: "low", Project: "relative"}); err == nil {
		t.Error("a relative project was accepted")
	}
}

func TestExplainReportsTheOutcomeOfEachGuideline(t *testing.T) {
	p := sampleProject(t)
	x, err := p.service().Explain(context.Background(), service.Request{Context: guideline.Context{Agent: "frontend"}})
	check(t, err)
	outcomes := map[string]evaluator.Outcome{}
	for _, g := range x.Guidelines {
		outcomes[g.ID] = g.Outcome
	}
	if outcomes["low"] != evaluator.NotMatched || outcomes["high"] != evaluator.Disabled ||
		outcomes["mid"] != evaluator.Matched || x.Context.Agent != "frontend" {
		t.Errorf("%v %+v", outcomes, x.Context)
	}
}

func TestLogDecisionWritesToTheSpoolOfTheHooks(t *testing.T) {
	p := sampleProject(t)
	s := service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: p.service().Now, Dir: p.root,
		Mask: func(text string) string { return strings.ReplaceAll(text, "hunter2", "***") },
	})
	d, err := tools.DecodeDecision([]byte(`{"guideline_id": "high", "result": "approved", "reason": "the user said hunter2", "user_response": "yes",
		"context": {"agent": "backend", "session_id": "s1", "paths": ["a.go"], "of_their_own": 1}}`))
	check(t, err)
	logged, err := s.LogDecision(service.WithActor(context.Background(), "ann"), d)
	check(t, err)
	text, err := os.ReadFile(filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", "spool", "2026-02-05.jsonl"))
	check(t, err)
	var got map[string]any
	check(t, json.Unmarshal(text, &got))
	delete(got, "id")
	want := map[string]any{
		"time": "2026-02-05T10:00:00Z", "kind": "gate", "outcome": "approved", "session_id": "s1", "agent": "backend",
		"project":      p.root,
		"guideline_id": "high", "gate_type": "merge", "reason": "the user said ***", "user_response": "yes", "source": "told",
		"paths": []any{"a.go"}, "actor": "ann", "guideline_name": "high", "project_id": p.root,
	}
	if !equalJSON(t, got, want) || !strings.HasPrefix(logged.AuditID, "audit-") ||
		!strings.Contains(string(text), `"id":"`+logged.AuditID+`"`) {
		t.Errorf("%s\n%s", logged.AuditID, text)
	}
}

func TestLogDecisionRefusesAnUnknownGuideline(t *testing.T) {
	p := sampleProject(t)
	_, err := p.service().LogDecision(t.Context(), service.Decision{GuidelineID: "none", Result: "approved", Reason: "r"})
	if want := `guideline_id: there is no guideline "none"; guardrails_list shows which exist`; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := os.Stat(filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", "spool")); !os.IsNotExist(err) {
		t.Errorf("the decision was recorded: %v", err)
	}
	p.write(".claude/guardrails/b.yaml", "guidelines: [")
	if _, err := p.service().LogDecision(t.Context(),
		service.Decision{GuidelineID: "none", Result: "approved", Reason: "r"}); err != nil {
		t.Errorf("a decision was refused while the guidelines were unknown: %v", err)
	}
}

func TestAGuidelineIsFoundByItsAlias(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("new-name",
		"action: {type: hitl_gate, gate_type: g}\nmetadata: {aliases: [old-name, other]}") +
		rule("other", "action: {type: instruction}")})
	for given, want := range map[string]string{"new-name": "new-name", "old-name": "new-name", "other": "other"} {
		d, err := p.service().Get(t.Context(), service.Lookup{ID: given})
		check(t, err)
		if d.Guideline.ID != want {
			t.Errorf("%s: got %s, want %s", given, d.Guideline.ID, want)
		}
	}
	_, err := p.service().LogDecision(t.Context(),
		service.Decision{GuidelineID: "old-name", Result: "approved", Reason: "r"})
	check(t, err)
	text, err := os.ReadFile(filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", "spool", "2026-02-05.jsonl"))
	check(t, err)
	contains(t, string(text), `"guideline_id":"new-name"`, `"gate_type":"g"`)
}

func TestAnAgentThatNoGuidelineNamesGetsANotice(t *testing.T) {
	p := sampleProject(t)
	for agent, want := range map[string]string{"backend": "", "bakend": `no guideline names the agent "bakend"`} {
		r := service.Request{Context: guideline.Context{Agent: agent}}
		if got := strings.Join(p.ask(r).Notices, "\n"); got != want {
			t.Errorf("get_context as %s: %q", agent, got)
		}
		e, err := p.service().Explain(t.Context(), r)
		check(t, err)
		if got := strings.Join(e.Notices, "\n"); got != want {
			t.Errorf("explain as %s: %q", agent, got)
		}
		r.Hook = true
		if got := p.ask(r).Notices; len(got) != 0 {
			t.Errorf("a hook as %s: %q", agent, got)
		}
	}
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	x, err := json.Marshal(a)
	check(t, err)
	y, err := json.Marshal(b)
	check(t, err)
	return string(x) == string(y)
}

func TestLogDecisionFailsIfTheSpoolCannotBeWritten(t *testing.T) {
	p := sampleProject(t)
	p.write("file", "")
	p.vars["XDG_STATE_HOME"] = p.path("file")
	_, err := p.service().LogDecision(context.Background(), service.Decision{GuidelineID: "high"})
	if err == nil || !strings.HasPrefix(err.Error(), "the decision was not recorded: ") {
		t.Errorf("got %v", err)
	}
}
