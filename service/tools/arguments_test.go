package tools_test

import (
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/service/tools"
)

func TestWrongArgumentsOfOtherToolsAreReportedWithTheirRemedies(t *testing.T) {
	decision := func(text string) error { _, err := tools.DecodeDecision([]byte(text)); return err }
	filter := func(text string) error { _, err := tools.DecodeList([]byte(text)); return err }
	get := func(text string) error { _, err := tools.DecodeGet([]byte(text)); return err }
	for _, c := range []struct {
		decode     func(string) error
		text, want string
	}{
		{
			decision, `{"guideline_id": "No Id", "context": [], "result": "maybe", "reason": 3, "more": 1}`,
			`guideline_id: "No Id" is not the id of a guideline; write it as guardrails_list shows it` + "\n" +
				"context: is a list where an object is expected; write an object\n" +
				`result: "maybe" is not accepted; use one of approved, rejected, deferred` + "\n" +
				"reason: is a number where a string is expected; write a string\n" +
				"more: unknown field; remove it; the known fields are guideline_id, context, result, reason, " +
				"user_response, project, project_id",
		},
		{decision, `{}`, "guideline_id: is missing; add it\ncontext: is missing; add it\nresult: is missing; " +
			"add it\nreason: is missing; add it"},
		{
			decision, `{"guideline_id": "a", "context": {"agent": 3}, "result": "approved", "reason": "` +
				strings.Repeat("x", 4001) + `"}`,
			"context.agent: is a number where a string is expected; write a string\nreason: is 4001 bytes long; write at most 4000 bytes",
		},
		{
			filter, `{"category": "x", "enabled": "yes"}`,
			`category: "x" is not accepted; use one of cognitive_isolation, hitl_gate, tdd_protocol, context_constraint, audit_telemetry, security, custom` +
				"\nenabled: is a string where a boolean is expected; write a boolean",
		},
		{get, `[`, "is not JSON: ends in the middle of the document; write the rest of it"},
		{get, `{}`, "id: is missing; add it"},
	} {
		if err := c.decode(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

func FuzzArguments(f *testing.F) {
	f.Add([]byte(`{"guideline_id": "a", "context": {"agent": "b"}, "result": "approved", "reason": "r"}`))
	f.Add([]byte(`{"category": "custom", "enabled": true, "text": "x"}`))
	f.Add([]byte(`{"id": "a", "project": "/p"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if d, err := tools.DecodeDecision(text); err == nil && (!guideline.ValidID(d.GuidelineID) || d.Result == "") {
			t.Errorf("%+v", d)
		}
		if w, err := tools.DecodeGet(text); err == nil && !guideline.ValidID(w.ID) {
			t.Errorf("%q", w.ID)
		}
		_, _ = tools.DecodeList(text)
	})
}
