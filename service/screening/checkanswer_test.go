package screening

import (
	"testing"

	"guardrails/detect/safety"
	"guardrails/policy"
)

func TestTheReasonNamesWhatDecided(t *testing.T) {
	const legal, pii, violence = "legal_advice_request", "pii_extraction", "violence"
	input, social := "InputCheck", "SocialRisk"
	matched := []safety.Match{
		{Pattern: "legal.sued", Category: legal}, {Pattern: "legal.lawyer", Category: legal}, {Pattern: "legal.sued", Category: legal},
	}
	for want, a := range map[string]Answer{
		"InputCheck: legal_advice_request (legal.sued, legal.lawyer)": {
			Safety: Safety{Flags: []string{legal}, Gate: &input}, Analysis: Analysis{Matched: matched},
		},
		"InputCheck: legal_advice_request": {Safety: Safety{Flags: []string{legal}, Gate: &input}},
		"policy: keep_numbers":             {Policy: Policies{Matched: []string{"keep_numbers"}}},
		"policy: legal_advice_request, a_rule": {
			Safety: Safety{Flags: []string{legal}}, Policy: Policies{Matched: []string{"a_rule"}},
		},
		"InputCheck: legal_advice_request, pii_extraction": {
			Safety: Safety{Flags: []string{legal, pii}, Gate: &input}, Policy: Policies{Matched: []string{"a"}},
		},
		"InputCheck: violence": { // the mode of the other category is observe
			Safety:    Safety{Action: policy.Hold, Flags: []string{legal, violence}, Gate: &input},
			decisions: []string{policy.Proceed, policy.Hold}, Analysis: Analysis{Matched: matched},
		},
		"SocialRisk: power_dynamics (power_dynamics.owe)": { // the mode of an earlier gate is observe
			Safety: Safety{Action: policy.Hold, Flags: []string{"third_party_pii", "power_dynamics"}, Gate: &social},
			Analysis: Analysis{Matched: []safety.Match{
				{Pattern: "third_party_pii.ssn", Category: "third_party_pii"},
				{Pattern: "power_dynamics.owe", Category: "power_dynamics"},
			}},
		},
		"policy: strict": {
			Safety:   Safety{Action: policy.Block, Flags: []string{violence}, Gate: &input},
			Analysis: Analysis{Matched: matched, Override: &Override{"policy", "strict", policy.Hold, policy.Block}},
			isByRule: true, Policy: Policies{Matched: []string{"a", "strict"}},
		},
		"personal data: email, phone": {personal: []string{"email", "phone"}},
		"policy: a":                   {Policy: Policies{Matched: []string{"a"}}, personal: []string{"email"}},
	} {
		if got := a.Why(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
