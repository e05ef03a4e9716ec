package service_test

import (
	"testing"

	"guardrails/decide"
	"guardrails/hooks/session"
	"guardrails/internal/private"
	"guardrails/service"
	"guardrails/service/tools"
)

func TestExplainCallUsesTheFilesOfTheServersProject(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails/rules.yaml": "id: no-prod\nname: Production is not touched\ncategory: security\naction: {type: tool_restriction, tools_denied: [\"Write(prod/*)\"]}\n",
		"prod/a.json":                   "{}", "src/b.py": "",
	})
	s := p.service()
	for _, c := range []struct {
		command, project string
		want             decide.Outcome
		known            bool
	}{
		{"sed -i s/a/b/ */*.py", "", decide.Allow, true},
		{"sed -i s/a/b/ */*.json", "", decide.Deny, true},
		{"sed -i s/a/b/ */*.py", t.TempDir(), decide.Allow, false},
	} {
		r := service.CallRequest{Tool: "Bash", Input: []byte(`{"command":"` + c.command + `"}`)}
		r.Project = c.project
		a, err := s.ExplainCall(t.Context(), r)
		if err != nil || a.Decision != c.want || a.HostKnown != c.known || a.SessionKnown {
			t.Errorf("%s: %+v, %v", c.command, a, err)
		}
	}
}

func TestExplainCallUsesTheHistoryOfAKnownSession(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails.yaml":       "exceptions:\n  - {guideline: no-push, reason: release week, expires: \"2026-02-06\"}\n",
		".claude/guardrails/rules.yaml": sessionRules,
	})
	dir, err := private.Runtime(func(name string) string { return p.vars[name] })
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"a.go", "b.go"} {
		if err := session.Note(dir, "s1", session.Entry{Kind: session.Wrote, Path: file, Source: true}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		session, tool, input string
		want                 decide.Outcome
	}{
		{"s1", "Write", `{"file_path":"c.go"}`, decide.Ask},
		{"s1", "Write", `{"file_path":"a.go"}`, decide.Allow},
		{"s2", "Write", `{"file_path":"c.go"}`, decide.Allow},
		{"", "Write", `{"file_path":"c.go"}`, decide.Allow},
		{"s1", "Bash", `{"command":"git push"}`, decide.Allow},
	} {
		r := service.CallRequest{Tool: c.tool, Input: []byte(c.input)}
		r.SessionID = c.session
		a, err := p.service().ExplainCall(t.Context(), r)
		if err != nil || a.Decision != c.want || a.SessionKnown != (c.session == "s1") {
			t.Errorf("%+v: %+v, %v", c, a, err)
		}
	}
}

const sessionRules = `
guidelines:
  - id: few-files
    name: Small steps
    category: context_constraint
    action: {type: constraint, max_files: 2}
  - id: no-push
    name: Pushing is for people
    category: security
    action: {type: tool_restriction, tools_denied: ["Bash(git push:*)"]}
`

// A caller states the permission mode, and whether a person can answer questions.
func TestExplainCallUsesTheStatedModeOfTheClient(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/rules.yaml": modeRules})
	other := newProject(t, map[string]string{}) // the service of this project does not look at files of the first one
	for _, c := range []struct{ arguments, guideline string }{
		{``, "asked"},
		{`,"permission_mode":null,"headless":null`, "asked"},
		{`,"permission_mode":"default","headless":false`, "asked"},
		{`,"permission_mode":"plan"`, ""},
		{`,"permission_mode":"bypassPermissions"`, "unasked"},
		{`,"permission_mode":"plan","headless":true`, "alone"},
	} {
		r, err := tools.DecodeCall([]byte(`{"path":"a.go"` + c.arguments + `}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Project = p.root
		for _, s := range []*service.Service{p.service(), other.service()} {
			if a, err := s.ExplainCall(t.Context(), r); err != nil || a.Guideline != c.guideline {
				t.Errorf("%s: %+v, %v", c.arguments, a, err)
			}
		}
	}
}

const modeRules = `
guidelines:
  - id: unasked
    name: Only with questions
    category: security
    condition: {custom: {permission_mode: bypassPermissions}}
    action: {type: tool_restriction, tools_denied: [Write]}
  - id: asked
    name: Only without questions
    category: security
    condition: {custom: {permission_mode: default}}
    action: {type: tool_restriction, tools_denied: [Write]}
  - id: alone
    name: Only with a person
    category: security
    condition: {custom: {headless: true}}
    action: {type: tool_restriction, tools_denied: [Write]}
`
