package hooks

import (
	"math/rand/v2"

	"guardrails/decide"
	"guardrails/guideline"
	"guardrails/hooks/wire"
)

// telemetry() returns the action of the telemetry guideline that applies to the call, or nil.
func telemetry(d *decide.Decision) *guideline.Action {
	if d.Telemetry == nil {
		return nil
	}
	return &d.Telemetry.Action
}

const maxRecorded = 4 << 10

// input() returns the beginning of the tool's input if parameters.log is "full". Otherwise it returns "".
func input(e *wire.Event, a *guideline.Action) string {
	if a == nil || a.Parameters["log"] != "full" {
		return ""
	}
	return string(e.Input[:min(len(e.Input), maxRecorded)])
}

// records() reports whether an allowed call is recorded. parameters.log is "none", "decisions" or "full", and
// parameters.sample is the share of calls to record. Denied calls and questions are always recorded.
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
