package decide

import (
	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
)

// Questions are the evaluations that a judgement rests on: each effect of a call by itself, without an event and with
// each of its events. A call without effects asks one, as Judge does.
func Questions(context guideline.Context, call *effect.Analysis) []evaluator.Query {
	effects := call.Effects
	if len(effects) == 0 {
		effects = []effect.Effect{{Kind: effect.Use}}
	}
	var out []evaluator.Query
	for i := range effects {
		q := evaluator.Query{Context: context, Places: effects[i].Places()}
		for _, event := range append([]effect.Event{""}, effects[i].Events...) {
			q.Event = string(event)
			out = append(out, q)
		}
	}
	return out
}
