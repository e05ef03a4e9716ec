package hooks

import (
	"math/rand/v2"
	"slices"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks/cache"
)

// telemetry returns the action of the telemetry guideline that applies to the call, or nil. If several apply, the one
// in the highest layer is used, and in this layer the one with the highest priority.
func (j *judging) telemetry() *guideline.Action {
	if !j.hasTelemetry {
		return nil
	}
	for i := range j.layers {
		if a := j.telemetryOf(&j.layers[i]); a != nil {
			return a
		}
	}
	return nil
}

func (j *judging) telemetryOf(l *decide.Layer) *guideline.Action {
	q := evaluator.Query{Context: l.Context}
	var matches []evaluator.Match
	for i := range j.call.Effects {
		e := &j.call.Effects[i]
		q.Places = e.Places()
		for _, event := range append([]effect.Event{""}, e.AllEvents()...) {
			q.Event = string(event)
			matches = l.Set.Match(&q, matches[:0])
			for _, m := range matches {
				if a := &m.Guideline.Action; a.Type == guideline.Telemetry {
					return a
				}
			}
		}
	}
	return nil
}

func hasTelemetry(l cache.Layer) bool {
	return slices.ContainsFunc(l.Guidelines, func(g guideline.Guideline) bool { return g.Action.Type == guideline.Telemetry })
}

const maxRecorded = 4 << 10

// input returns the beginning of the tool's input if parameters.log is "full". Otherwise it returns "".
func (j *judging) input(a *guideline.Action) string {
	if a == nil || a.Parameters["log"] != "full" {
		return ""
	}
	return string(j.e.Input[:min(len(j.e.Input), maxRecorded)])
}

// records reports whether an allowed call is recorded. parameters.log is none, decisions or full, and parameters.sample
// is the share of calls to record. Denied calls and questions are always recorded.
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
