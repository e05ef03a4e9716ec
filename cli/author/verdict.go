package author

import (
	"guardrails/decide"
	"guardrails/detect/effect"
)

// verdict is the answer to a tool call, in the shape that every door of the product gives it.
type verdict struct {
	Tool        string          `json:"tool"`
	Effects     []effect.Effect `json:"effects"`
	Decision    decide.Outcome  `json:"decision"`
	Guideline   string          `json:"guideline"`
	Reason      string          `json:"reason"`
	Explanation grounds         `json:"explanation"`
}

// grounds are what a decision rests on.
type grounds struct {
	Findings   []finding   `json:"findings"`
	Advice     []advice    `json:"advice"`
	Guidelines []guidePart `json:"guidelines"`
}

// finding is one guideline's objection to one effect.
type finding struct {
	Guideline string         `json:"guideline"`
	Outcome   decide.Outcome `json:"outcome"`
	// Effect is the index of the effect; -1 stands for the call as a whole.
	Effect  int          `json:"effect"`
	Pattern string       `json:"pattern,omitempty"`
	Allowed []string     `json:"allowed,omitempty"`
	Event   effect.Event `json:"event,omitempty"`
	// Span is the text of the call that the effect comes from.
	Span string `json:"span,omitempty"`
}

// advice is an instruction for just this call.
type advice struct {
	ID          string `json:"id"`
	Instruction string `json:"instruction"`
}

// guidePart is the part that one guideline of the set has in the decision.
type guidePart struct {
	ID string `json:"id"`
	// Outcome is deny, ask, warn, advice, holds, not_matched or disabled.
	Outcome string `json:"outcome"`
	Why     string `json:"why"`
}

func (j *judgement) verdict() *verdict {
	d := j.decision
	return &verdict{
		Tool:      j.call.Tool,
		Effects:   j.call.Effects,
		Decision:  d.Outcome,
		Guideline: d.Guideline(),
		Reason:    d.Reason,
		Explanation: grounds{
			Findings:   j.findings(),
			Advice:     j.advice(),
			Guidelines: j.parts(),
		},
	}
}

func (j *judgement) findings() []finding {
	out := []finding{}
	for i := range j.decision.Findings {
		f := &j.decision.Findings[i]
		shown := finding{
			Guideline: f.Guideline.ID, Outcome: f.Outcome, Effect: f.Effect,
			Pattern: f.Pattern, Allowed: f.Allowed, Event: f.Event,
		}
		if f.Effect >= 0 {
			shown.Span = j.call.Effects[f.Effect].Span.Text
		}
		out = append(out, shown)
	}
	return out
}

func (j *judgement) advice() []advice {
	out := []advice{}
	for _, g := range j.decision.Advice {
		out = append(out, advice{ID: g.ID, Instruction: g.Action.Instruction})
	}
	return out
}
