package outputguard

import "guardrails/detect/safety"

// The levels of a risk that came often within a day.
const (
	LevelWarning  = "warning"
	LevelCritical = "critical"
)

// Repeated is a risk that came more often within a day than usual.
type Repeated struct {
	Risk  string `json:"risk"`
	Count int    `json:"count"`
	Level string `json:"level"`
}

// RepeatedRisks returns the risks that came too often, from the numbers of audits of a day with each risk.
func RepeatedRisks(audits map[string]int) []Repeated {
	out := []Repeated{}
	for _, limit := range []struct {
		risk  safety.Intent
		most  int
		level string
	}{
		{safety.IntentSelfHarm, 1, LevelCritical},
		{safety.IntentGrandiose, 5, LevelWarning},
		{safety.IntentAggression, 10, LevelWarning},
	} {
		if n := audits[string(limit.risk)]; n > limit.most {
			out = append(out, Repeated{string(limit.risk), n, limit.level})
		}
	}
	return out
}
