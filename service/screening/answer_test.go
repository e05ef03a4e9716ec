package screening

import (
	"testing"

	"guardrails/detect/safety"
)

func TestTheReasonNamesWhatDecided(t *testing.T) {
	gate := "InputCheck"
	matched := []safety.Match{{Pattern: "legal.sued"}, {Pattern: "legal.lawyer"}, {Pattern: "legal.sued"}}
	for want, a := range map[string]Answer{
		"InputCheck: legal (legal.sued, legal.lawyer)": {
			Safety: Safety{Flags: []string{"legal"}, Gate: &gate}, Analysis: Analysis{Matched: matched},
		},
		"InputCheck: legal":      {Safety: Safety{Flags: []string{"legal"}, Gate: &gate}},
		"policy: keep_numbers":   {Policy: Policies{Matched: []string{"keep_numbers"}}},
		"policy: legal, a_rule":  {Safety: Safety{Flags: []string{"legal"}}, Policy: Policies{Matched: []string{"a_rule"}}},
		"InputCheck: legal, pii": {Safety: Safety{Flags: []string{"legal", "pii"}, Gate: &gate}, Policy: Policies{Matched: []string{"a"}}},
	} {
		if got := a.Why(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
