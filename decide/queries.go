package decide

import (
	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
)

// Questions returns the queries that Judge sends to the evaluator to find the guidelines for a call. For each effect,
// there is one query without an event, and one query for each event of the effect.
func Questions(context guideline.Context, call *effect.Analysis) []evaluator.Query {
	effects := call.Effects
	if len(effects) == 0 {
		effects = []effect.Effect{{Kind: effect.Use}}
	}
	var out []evaluator.Query
	for i := range effects {
		q := evaluator.Query{Context: context, Places: effects[i].Places()}
		for _, event := range append([]effect.Event{""}, effects[i].AllEvents()...) {
			q.Event = string(event)
			out = append(out, q)
		}
	}
	return out
}
