package hooks

import (
	"math/rand/v2"

	"guardrails/guideline"
)

// records reports whether a telemetry action has an allowed call recorded: parameters.log is none, decisions or full, and
// parameters.sample the share of calls. A refusal or a question is always recorded.
func records(a *guideline.Action) bool {
	if a.Parameters["log"] == "none" {
		return false
	}
	switch share := a.Parameters["sample"].(type) {
	case interface{ Float64() (float64, error) }:
		part, err := share.Float64()
		return err != nil || rand.Float64() < part
	case float64:
		return rand.Float64() < share
	}
	return true
}
