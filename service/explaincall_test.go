package service_test

import (
	"testing"

	"guardrails/decide"
	"guardrails/service"
)

func TestACallInTheServersOwnProjectIsJudgedWithItsFiles(t *testing.T) {
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
