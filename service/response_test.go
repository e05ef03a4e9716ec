package service_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/detect/safety"
	"guardrails/policy"
	"guardrails/service"
	"guardrails/service/screening"
)

func (p *project) answered(s *service.Service, in screening.Response) *screening.ResponseAnswer {
	p.t.Helper()
	a, err := s.CheckResponse(p.t.Context(), in)
	check(p.t, err)
	return a
}

func TestWithoutGatesTheAnswerHasAnEmptyListOfGates(t *testing.T) {
	p := newProject(t, nil)
	p.user("safety: {gates: {ValuesBoundary: off, SocialRisk: off, InactionGuard: off, OverclaimGate: off, " +
		"EmotionalDependenceGate: off}}\n")
	if a := p.answered(p.service(), screening.Response{Text: "Use a map."}); a.Gates == nil || len(a.Gates) > 0 {
		t.Errorf("the gates are %#v", a.Gates)
	}
}

func TestAResponseIsCheckedAndPersonalDataInItIsMasked(t *testing.T) {
	for _, c := range []struct{ name, settings, text, action, gate, response, recorded string }{
		{"harmless", "", "Use a map. The tests pass.", policy.Proceed, "", "Use a map. The tests pass.", ""},
		{
			"personal data", "", "Mail anna@firma.de about it, and ask for the report.", policy.Proceed, "",
			"Mail [REDACTED-EMAIL] about it, and ask for the report.", "safety_output proceed",
		},
		{
			"mail is not masked here", "safety: {pii: {email: off}}\n", "Mail anna@firma.de about it, and ask for the report.",
			policy.Proceed, "", "Mail anna@firma.de about it, and ask for the report.", "",
		},
		{
			"mail is only noted", "safety: {pii: {email: flag}}\n", "Mail anna@firma.de about it, and ask for the report.",
			policy.Proceed, "", "Mail anna@firma.de about it, and ask for the report.", "safety_output proceed",
		},
		{
			"advice", "", "You should sue your landlord. You are legally entitled to the deposit.", policy.Block,
			"ValuesBoundary", "", "safety_output block",
		},
		{
			"the gate is off", "safety: {gates: {ValuesBoundary: off}}\n",
			"You should sue your landlord. You are legally entitled to the deposit.", policy.Proceed, "", "", "",
		},
		{"a promise", "", "I guarantee that this will solve all your problems.", policy.Proceed, "OverclaimGate", "", "safety_output proceed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, nil)
			if c.settings != "" {
				p.user(c.settings)
			}
			a := p.answered(p.service(), screening.Response{Text: c.text})
			gate := ""
			if a.Safety.Gate != nil {
				gate = *a.Safety.Gate
			}
			if a.Safety.Action != c.action || gate != c.gate || c.response != "" && a.Response != c.response || p.spooled() != c.recorded {
				t.Errorf("got %s by %q, %q, recorded %q", a.Safety.Action, gate, a.Response, p.spooled())
			}
			if strings.Contains(c.text, "anna") && c.recorded != "" {
				for _, want := range []string{`"reason":"personal data: email"`, `\"pii\":[\"email\"]`} {
					if record := p.record(); !strings.Contains(record, want) || strings.Contains(record, "anna") {
						t.Errorf("the record has no %s, or a part of the text: %s", want, record)
					}
				}
			}
			if c.action == policy.Block && (a.Response == "" || strings.Contains(a.Response, "sue")) {
				t.Errorf("a blocked response is delivered: %q", a.Response)
			}
		})
	}
}

func TestThreeAnswersThatMakeAUserLeanOnTheModelStartACooldown(t *testing.T) {
	p := newProject(t, nil)
	s := p.service()
	ask := func(user string) *screening.ResponseAnswer {
		in := screening.Response{Text: "I'll always be here for you."}
		in.User = user
		return p.answered(s, in)
	}
	for n := 1; n <= 3; n++ {
		a := ask("ann")
		active := n == 3
		if a.Dependence.RecentCount != n || a.Dependence.Active != active || (a.Dependence.DelaySeconds == 30) != active ||
			(a.Context.Tone == "boundary_respectful") != active {
			t.Errorf("answer %d: %+v %+v", n, a.Dependence, a.Context)
		}
	}
	if a := ask("bob"); a.Dependence.RecentCount != 1 {
		t.Errorf("another user: %+v", a.Dependence)
	}
	for range 4 {
		if a := ask(""); a.Dependence.Active || a.Dependence.RecentCount != 1 {
			t.Errorf("neither the user nor the session is known, but answers to others count: %+v", a.Dependence)
		}
	}
	p.now = p.now.Add(61 * time.Minute)
	if a := ask("ann"); a.Dependence.Active || a.Dependence.RecentCount != 1 {
		t.Errorf("an hour later: %+v", a.Dependence)
	}
}

// TestTheTextToDeliverFollowsThePolicies checks which text is delivered when gates and policies do not agree.
func TestTheTextToDeliverFollowsThePolicies(t *testing.T) {
	const advice, secret = "You should sue your landlord. Mail anna@firma.de about it.", "Project X ships in May."
	for _, c := range []struct{ name, verdict, text, action, response string }{
		{"nothing is lowered", "", advice, policy.Block, safety.Fallback(safety.LegalOpinion)},
		{"a policy holds what a gate blocks", policy.Hold, advice, policy.Hold, "You should sue your landlord. Mail [REDACTED-EMAIL] about it."},
		{
			"a policy lets pass what a gate blocks", policy.Proceed, advice, policy.Proceed,
			"You should sue your landlord. Mail [REDACTED-EMAIL] about it.",
		},
		{
			"a number stays masked", policy.Proceed, "Her SSN is 536-22-8145.", policy.Proceed, "Her SSN is [REDACTED-SSN].",
		},
		{"a gate and a policy block", policy.Block, advice, policy.Block, safety.Fallback(safety.LegalOpinion)},
		{"only a policy blocks", policy.Block, secret, policy.Block, screening.BlockedByPolicy},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, nil)
			if c.verdict != "" {
				p.user("safety: {policies: " + filepath.ToSlash(p.path("../own.yaml")) + "}\n")
				p.write("../own.yaml", policies+"  - {name: own, when: {stage: output}, actions: [{type: override_safety, action: "+
					c.verdict+"}]}\n")
			}
			a := p.answered(p.service(), screening.Response{Text: c.text})
			if a.Safety.Action != c.action || a.Response != c.response || (len(a.PIIScrub) > 0) != strings.Contains(a.Response, "[REDACTED") {
				t.Errorf("got %s, %q with %v", a.Safety.Action, a.Response, a.PIIScrub)
			}
		})
	}
}
