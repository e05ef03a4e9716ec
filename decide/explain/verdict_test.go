package explain_test

import (
	"strings"
	"testing"
	"time"

	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
)

func plain(_ explain.Style, text string) string { return text }

func gates() []guideline.Guideline {
	ask := func(id, event string) guideline.Guideline {
		return guideline.Guideline{
			ID: id, Name: "Ask before a " + event, Enabled: true, Category: guideline.HITLGateCategory, Priority: 500,
			Condition: guideline.Condition{Events: []string{event}},
			Action: guideline.Action{
				Type: guideline.HITLGate, GateType: id, GateThreshold: guideline.Mandatory,
				Parameters: map[string]any{"instead": "leave it to the user."},
			},
		}
	}
	return []guideline.Guideline{ask("no-push", "push"), ask("no-merge", "merge")}
}

func call(t *testing.T, command string, facts decide.Facts, exceptions ...decide.Exception) *explain.Verdict {
	t.Helper()
	set, err := evaluator.Compile(gates())
	if err != nil {
		t.Fatal(err)
	}
	return explain.Call([]decide.Layer{{Set: set, Exceptions: exceptions}}, toolcall.AnalyzeCommand(nil, command), facts)
}

func TestAVerdictSaysWhatDecidesAndWhatMayBeDoneInstead(t *testing.T) {
	v := call(t, "cd x; git push origin topic", decide.Facts{})
	if v.Decision != decide.Ask || v.Guideline != "no-push" || v.Instead != "leave it to the user." || v.SessionKnown {
		t.Errorf("%+v", v)
	}
	if f := v.Explanation.Findings[0]; f.Span != "git push origin topic" || f.Event != "push" {
		t.Errorf("%+v", f)
	}
	parts := map[string]string{}
	for _, p := range v.Explanation.Guidelines {
		parts[p.ID] = p.Outcome
	}
	if parts["no-push"] != "ask" || parts["no-merge"] != "not_matched" {
		t.Errorf("%v", parts)
	}
	for _, want := range []string{"decision       ask\n", "guideline      no-push\n", "run     git push origin topic\n"} {
		if text := v.Text(plain); !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestAVerdictNamesTheExceptionThatLetsACallPass(t *testing.T) {
	expires := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	facts := decide.Facts{
		Now: expires.Add(-time.Hour), Session: func() (decide.Session, error) { return decide.Session{}, nil },
	}
	v := call(t, "git push origin topic", facts,
		decide.Exception{Guideline: "no-push", Reason: "release week", Expires: expires})
	if v.Decision != decide.Allow || !v.SessionKnown || len(v.Explanation.Exceptions) != 1 || v.Explanation.Guidelines[1].Outcome != "excepted" {
		t.Errorf("%+v", v)
	}
	if text := v.Text(plain); !strings.Contains(text, "exception      no-push: release week\n") {
		t.Errorf("got\n%s", text)
	}
}

func TestTextsCannotControlTheTerminal(t *testing.T) {
	v := call(t, "echo '\x1b[31m' > 'a\u202eb'", decide.Facts{})
	if text := v.Text(plain); strings.ContainsAny(text, "\x1b\u202e") {
		t.Errorf("got %q", text)
	}
}
