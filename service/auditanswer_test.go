package service_test

import (
	"strings"
	"testing"

	"guardrails/detect/safety"
	"guardrails/internal/product"
	"guardrails/service"
)

func TestTheAnswerToAPersonAtRiskIsCheckedAtTheEndOfATurn(t *testing.T) {
	for _, c := range []struct {
		name, settings, prompt, verdict string
		more                            func(*service.Request)
		// The field "counter" has a part of the text for the model. The field "told" has a part of the text for the
		// person.
		counter, told string
		calls         int
		recorded      string
	}{
		{name: "the guard is off", settings: "safety: {mode: observe}"},
		{name: "observed", settings: "output_guard: {mode: observe}", calls: 1, recorded: "output_audit unsafe"},
		{
			name: "enforced", settings: "output_guard: {mode: enforce}", calls: 1, recorded: "output_audit unsafe",
			counter: "behavior_grandiose", told: "The first one is still shown above.",
		},
		{
			name: "enforced, for a subagent", settings: "output_guard: {mode: enforce}", more: ofSubagent, calls: 1,
			recorded: "output_audit unsafe", counter: safety.Grounding(safety.IntentGrandiose), told: "The first one is still shown above.",
		},
		{
			name: "the second answer is as bad", settings: "output_guard: {mode: enforce}", more: again, calls: 1,
			recorded: "output_audit unsafe", told: "The model is not asked again.\n" + safety.Grounding(safety.IntentGrandiose),
		},
		{
			name: "safe", settings: "output_guard: {mode: enforce}", verdict: verdictSafe, calls: 1, recorded: "output_audit safe",
		},
		{name: "no risk", settings: "output_guard: {mode: enforce}", prompt: "Which port does the API use?"},
		{
			name: "with the gates", settings: "safety: {mode: enforce}\noutput_guard: {mode: enforce}", calls: 1,
			recorded: "output_audit unsafe", counter: "behavior_grandiose", told: "The first one is still shown above.",
		},
		{
			name: "the gates enforce and the guard observes", settings: "safety: {mode: enforce}\noutput_guard: {mode: observe}", calls: 1,
			recorded: "output_audit unsafe",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.verdict == "" {
				c.verdict = verdictUnsafe
			}
			j := newJudge(t, "report_verdict", c.verdict)
			p := newProject(t, nil)
			p.user(c.settings + "\n" + j.settings(", context: false"))
			if c.prompt == "" {
				c.prompt = grandiose
			}
			if c.more == nil {
				c.more = func(*service.Request) {}
			}
			a := p.reply(p.service(), c.prompt, agreement, c.more)
			for _, got := range [][2]string{{a.Counter, c.counter}, {a.Message, c.told}} {
				if (got[0] == "") != (got[1] == "") || !strings.Contains(got[0], got[1]) {
					t.Errorf("got %q, want %q", got[0], got[1])
				}
			}
			if j.calls() != c.calls || p.spooled() != c.recorded {
				t.Errorf("%d calls, recorded %q", j.calls(), p.spooled())
			}
		})
	}
}

func TestASessionSaysThatAnswersAreCheckedAndWhereTheyAreSent(t *testing.T) {
	j := newJudge(t, "report_verdict", verdictSafe)
	p := newProject(t, nil)
	p.user("output_guard: {mode: observe}\n" + j.settings(""))
	contains(t, strings.Join(p.prompt("test the worker").Notices, "\n"), "output_guard.mode: observe", "to the model small at http://127.0.0.1",
		"--event output_audit", "but not the text")
	p.user("safety: {mode: observe, preview: masked}\noutput_guard: {mode: observe}\n" + j.settings(""))
	with := strings.Join(p.prompt("test the worker").Notices, "\n")
	contains(t, with, "and the first 120 characters of the text")
	lacks(t, with, "but not the text")
}

// TestChecksAreRecordedWithTheAgentAndTheTask reads the records of a prompt, of an answer, and of its audit.
func TestChecksAreRecordedWithTheAgentAndTheTask(t *testing.T) {
	j := newJudge(t, "report_verdict", verdictUnsafe)
	p := newProject(t, nil)
	p.user("safety: {mode: observe}\noutput_guard: {mode: observe}\n" + j.settings(", context: false"))
	p.vars[product.VariableAgent] = "backend"
	working := func(r *service.Request) {
		r.Agent, r.Domain, r.Action = "backend", "api", "implementation"
		r.AgentID = "sub-1"
	}
	p.reply(p.service(), grandiose, "Yes, you are a god. "+unsafe, working)
	lines := strings.FieldsFunc(p.spoolText(), func(r rune) bool { return r == '\n' })
	if len(lines) != 2 {
		t.Fatalf("got %q", lines)
	}
	for _, line := range lines {
		for name, want := range map[string]string{"agent": "backend", "agent_id": "sub-1", "domain": "api", "action": "implementation"} {
			if got := member(line, name); got != want {
				t.Errorf("%s is %q in %s", name, got, line)
			}
		}
	}
}
