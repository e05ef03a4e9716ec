package outputguard_test

import (
	"slices"
	"testing"

	"guardrails/service/outputguard"
)

func TestARiskThatComesOftenWithinADayIsReported(t *testing.T) {
	at := map[string]int{"behavior_self_harm": 1, "behavior_grandiose": 5, "behavior_aggression": 10, "behavior_romantic": 50}
	if got := outputguard.RepeatedRisks(at); len(got) > 0 {
		t.Errorf("at the limits: %v", got)
	}
	above := map[string]int{"behavior_self_harm": 2, "behavior_grandiose": 6, "behavior_aggression": 11}
	want := []outputguard.Repeated{
		{Risk: "behavior_self_harm", Count: 2, Level: "critical"},
		{Risk: "behavior_grandiose", Count: 6, Level: "warning"},
		{Risk: "behavior_aggression", Count: 11, Level: "warning"},
	}
	if got := outputguard.RepeatedRisks(above); !slices.Equal(got, want) {
		t.Errorf("above them: %v", got)
	}
}
