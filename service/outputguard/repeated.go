package outputguard

import "guardrails/detect/safety"

// The levels of a risk that was found too often within a day.
const (
	LevelWarning  = "warning"
	LevelCritical = "critical"
)

// Repeated is a risk that was found more often within a day than the limit for this risk allows.
type Repeated struct {
	Risk  string `json:"risk"`
	Count int    `json:"count"`
	Level string `json:"level"`
}

// RepeatedRisks returns the risks that were found too often. The parameter "audits" maps each risk to the number of
// audits of one day that found it.
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
