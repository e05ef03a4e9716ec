package safety

import "testing"

func TestFormsOfAWordHaveTheSameStem(t *testing.T) {
	for stem, forms := range map[string][]string{
		"poison": {"poison", "poisons", "poisoned", "poisoning"},
		"forg":   {"forge", "forges", "forged", "forging"},
		"plan":   {"plan", "planned", "planning", "planner"},
		"threat": {"threat", "threats"},
		"red":    {"red"},
		"us":     {"us"},
		"":       {""},
	} {
		for _, form := range forms {
			if got := string(stemOf([]byte(form))); got != stem {
				t.Errorf("%s: got %q, want %q", form, got, stem)
			}
		}
	}
}
