package hooks_test

import (
	"strings"
	"testing"
	"time"

	"guardrails/detect/toolcall"
)

const deployRule = `
guidelines:
  - id: no-deploy
    name: No deployments
    category: security
    condition: {events: [deploy, devops_invocation], custom: {CONDITION}}
    action: {type: hitl_gate, gate_type: deployment}
`

// A condition uses the facts at the time of the call, even if the guidelines were cached earlier.
func TestConditionsOnTheFactsOfACall(t *testing.T) {
	friday := time.Date(2026, 3, 6, 16, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		condition, want string
		change          func(s *stage)
	}{
		{"weekday: friday", "ask", nil},
		{"weekday: [saturday, sunday]", "pass", nil},
		{"weekday: friday", "pass", func(s *stage) { s.now = s.now.Add(-24 * time.Hour) }},
		{"weekday: '!friday'", "pass", nil},
		{"time: '>=16:00'", "ask", nil},
		{"time: '16:30-17:00'", "ask", nil},
		{"time: '>=16:00'", "pass", func(s *stage) { s.now = s.now.Add(-time.Hour) }},
		{"time: '22:00-06:00'", "ask", func(s *stage) { s.now = s.now.Add(7 * time.Hour) }},
		{"weekday: friday, time: '<12:00'", "pass", nil},
		{"branch: 'release/*'", "ask", nil},
		{"branch: '!main'", "ask", nil},
		{"branch: main", "pass", nil},
		{"branch: '!main'", "ask", func(s *stage) { s.host.Repository = func(string) toolcall.Repository { return toolcall.Repository{} } }},
		{"project: project", "ask", nil},
		{"project: shop", "pass", nil},
		{"permission_mode: bypassPermissions", "ask", nil},
		{"permission_mode: [default, plan]", "pass", nil},
		{"headless: false", "ask", nil},
		{"headless: true", "pass", nil},
		{"headless: true", "ask", func(s *stage) { s.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli" }},
		{"os: [linux, macos, windows]", "ask", nil},
		{"os: plan9", "pass", nil},
	} {
		s := newStage(t, strings.Replace(deployRule, "CONDITION", c.condition, 1))
		s.now = friday
		s.host.Repository = func(string) toolcall.Repository { return toolcall.Repository{Branch: "release/1.2"} }
		call := s.bash("kubectl apply -f app.yaml")
		call["permission_mode"] = "bypassPermissions"
		s.prompt("deploy the app")
		if c.change != nil {
			c.change(s)
		}
		if o := s.pre(call); verdict(o) != c.want {
			t.Errorf("%s: %s, want %s (%s)", c.condition, verdict(o), c.want, o.Reason)
		}
	}
}

func TestFactsAreReadOnlyIfAGuidelineNamesThem(t *testing.T) {
	s := newStage(t, strings.Replace(deployRule, "CONDITION", "environment: workstation", 1))
	s.host.Repository = func(string) toolcall.Repository {
		t.Error("the repository was read")
		return toolcall.Repository{}
	}
	s.pre(s.bash("kubectl apply -f app.yaml"))
}
