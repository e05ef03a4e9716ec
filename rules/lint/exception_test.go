package lint_test

import (
	"testing"
	"time"

	"guardrails/decide"
	"guardrails/rules"
	"guardrails/rules/lint"
)

const excepted = `
guidelines:
  - {id: no-push, name: n, description: d, category: security, metadata: {aliases: [quiet]}, action: {type: tool_restriction, tools_denied: ["Bash(git push:*)"]}}
  - {id: no-locked, name: n, description: d, category: security, action: {type: tool_restriction, tools_denied: ["Write(locked/*)"]}}
  - {id: ask-deploy, name: n, description: d, category: hitl_gate, condition: {events: [deploy, publish]}, action: {type: hitl_gate, gate_type: a}}
  - {id: ask-secrets, name: n, description: d, category: hitl_gate, condition: {events: [secret_access]}, action: {type: hitl_gate, gate_type: b}}
  - {id: style, name: n, description: d, category: custom, action: {type: instruction, instruction: Write well.}}
  - {id: sleeping, name: n, description: d, category: security, enabled: false, action: {type: tool_restriction, tools_denied: [Bash]}}
`

func TestExceptionsThatCanNeverApplyAreReported(t *testing.T) {
	file, problems := rules.Parse("rules.yaml", []byte(excepted))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		guideline, tool string
		expires         time.Duration
		want            string
	}{
		{"no-push", "", time.Hour, ""},
		{"quiet", "Bash(git push origin:*)", time.Hour, ""},
		{"no-push", "Bash(make release:*)", time.Hour, ""},
		{"no-push", "Write(src/*)", time.Hour, `exceptions[0] for "no-push": Write(src/*) is for a tool that the guideline never stops; write a pattern for what the guideline stops`},
		{"no-push", "", -time.Hour, `exceptions[0] for "no-push": it has expired; remove it, or give it a new date`},
		{"no-locked", "Bash(make gen:*)", time.Hour, ""},
		{"no-locked", "Edit(locked/a)", time.Hour, ""},
		{"no-locked", "WebFetch(domain:a.example)", time.Hour, `exceptions[0] for "no-locked": WebFetch(domain:a.example) is for a tool that the guideline never stops; write a pattern for what the guideline stops`},
		{"ask-deploy", "Read", time.Hour, `exceptions[0] for "ask-deploy": Read is for a tool that the guideline never stops; write a pattern for what the guideline stops`},
		{"ask-deploy", "mcp__cloud__deploy", time.Hour, ""},
		{"ask-secrets", "Read(.env)", time.Hour, ""},
		{"no-pusch", "", time.Hour, `exceptions[0] for "no-pusch": there is no such guideline (did you mean "no-push"?); write the id that the question or refusal names`},
		{"style", "", time.Hour, `exceptions[0] for "style": the guideline stops no call; remove it`},
		{"sleeping", "", time.Hour, `exceptions[0] for "sleeping": the guideline is switched off; remove it`},
		{"self-protection", "", time.Hour, `exceptions[0] for "self-protection": an exception cannot switch off the guard's own protection; remove it, and change the guard's files yourself`},
	} {
		x := decide.Exception{Guideline: c.guideline, Reason: "r", Expires: now.Add(c.expires)}
		if c.tool != "" {
			x.Tools = []string{c.tool}
		}
		got := ""
		for _, dead := range lint.CheckExceptions(file.Guidelines, []decide.Exception{x}, now) {
			got += dead.String()
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.guideline, c.tool, got, c.want)
		}
	}
}
