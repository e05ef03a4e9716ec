package screening_test

import (
	"encoding/json"
	"testing"
	"time"

	"guardrails/detect/safety"
	"guardrails/policy"
	"guardrails/rules"
	"guardrails/service/screening"
)

// TestThePublishedExamplesHaveThePublishedAnswers compares the whole verdict and analysis of each example in the
// contract.
func TestThePublishedExamplesHaveThePublishedAnswers(t *testing.T) {
	const published = `
version: 1
rules:
  - name: pii_guard
    priority: 98
    when: { message_contains: ["my ssn", "social security", "credit card"] }
    actions:
      - { type: override_safety, action: HOLD }
`
	set, problems := policy.Parse("", []byte(published), rules.ParseYAML)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	blocked := func(category, phrase, pattern string, start, end string) string {
		return `{"safety":{"action":"BLOCK","risk_score":0.92,"flags":["` + category + `"],"gate":"InputCheck"},` +
			`"analysis":{"safety_matched":[{"phrase":"` + phrase + `","category":"` + category + `","pattern":"` + category + "." + pattern +
			`","strength":"strong","start":` + start + `,"end":` + end + `}],"safety_override":null,"safety_confidence":"heuristic"}}`
	}
	const legal, financial = "legal_advice_request", "financial_advice_request"
	for _, c := range []struct {
		message, want, referral string
		policies                *policy.Set
	}{
		{message: "kill myself", want: blocked("self_harm", "kill myself", "act", "0", "11"), referral: safety.Referral(safety.SelfHarm)},
		{
			message: "I want to kill myself", want: blocked("self_harm", "kill myself", "act", "10", "21"),
			referral: safety.Referral(safety.SelfHarm),
		},
		{
			message: "killed it in the demo", want: `{"safety":{"action":"PROCEED","risk_score":0.035,"flags":[],"gate":null},` +
				`"analysis":{"safety_matched":[{"phrase":"killed it in the demo","category":"violence","pattern":"violence.figure",` +
				`"strength":"weak","start":0,"end":21}],"safety_override":{"kind":"benign_context","name":"idiom","from":"FLAG","to":"PROCEED"},` +
				`"safety_confidence":"heuristic"}}`,
		},
		{
			message: "am I going to be sued", want: blocked(legal, "am I going to be sued", "sued", "0", "21"),
			referral: safety.Referral(safety.LegalAdvice),
		},
		{
			message: "is this contract enforceable", want: blocked(legal, "is this contract enforceable", "contract", "0", "28"),
			referral: safety.Referral(safety.LegalAdvice),
		},
		{
			message: "should I buy TSLA", want: blocked(financial, "should I buy TSLA", "trade", "0", "17"),
			referral: safety.Referral(safety.FinancialAdvice),
		},
		{
			message: "my ssn is 536-22-8145", policies: set, want: `{"safety":{"action":"HOLD","risk_score":0,"flags":[],"gate":null},` +
				`"analysis":{"safety_matched":[],"safety_override":{"kind":"policy","name":"pii_guard","from":"PROCEED","to":"HOLD"},` +
				`"safety_confidence":"heuristic"}}`,
		},
	} {
		in := screening.Message{Text: c.message}
		a := in.Check(&screening.Setup{Policies: c.policies, Send: (&policy.Cooldowns{}).Sender("", "", time.Now(), false)})
		got, err := json.Marshal(struct {
			Safety   screening.Safety   `json:"safety"`
			Analysis screening.Analysis `json:"analysis"`
		}{a.Safety, a.Analysis})
		if err != nil || string(got) != c.want || a.Referral != c.referral {
			t.Errorf("%q: %v\n%s\nwant\n%s\nreferral %q", c.message, err, got, c.want, a.Referral)
		}
	}
}

// TestAPolicyThatChangesNothingIsNoOverride uses a rule that lets a message pass. The message would also pass without
// the rule.
func TestAPolicyThatChangesNothingIsNoOverride(t *testing.T) {
	set, problems := policy.Parse("", []byte("version: 1\nrules: [{name: pass, actions: [{type: override_safety, action: PROCEED}]}]\n"), rules.ParseYAML)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	in := screening.Message{Text: "hello"}
	if a := in.Check(&screening.Setup{Policies: set}); a.Analysis.Override != nil || len(a.Policy.Matched) != 1 {
		t.Errorf("%+v, matched %v", a.Analysis.Override, a.Policy.Matched)
	}
}
