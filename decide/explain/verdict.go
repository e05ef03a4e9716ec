// Package explain judges a tool call and explains the decision: which guideline objects to which effect of the call,
// what the agent may do instead, and what every other guideline contributes.
//
// Start with Call. Every transport, such as MCP, returns the answer in the same form.
package explain

import (
	"guardrails/decide"
	"guardrails/detect/effect"
)

// Verdict is the decision about a tool call, with its explanation.
type Verdict struct {
	Tool      string          `json:"tool"`
	Effects   []effect.Effect `json:"effects"`
	Decision  decide.Outcome  `json:"decision"`
	Guideline string          `json:"guideline"`
	// Reason is a sentence for the agent or a question for a person. A sentence for the agent includes Instead.
	Reason string `json:"reason"`
	// Instead says what the agent may do instead.
	Instead string `json:"instead,omitempty"`
	// SessionKnown is false if nothing is known about the session. The call is then judged as if it were the first call
	// of a session, and limits count only this call.
	SessionKnown bool    `json:"session_known"`
	Explanation  Grounds `json:"explanation"`
}

// Grounds are the reasons for a decision.
type Grounds struct {
	Findings []Finding `json:"findings"`
	Advice   []Advice  `json:"advice"`
	// Exceptions lists those exceptions in the settings that removed an objection.
	Exceptions []Exception `json:"exceptions,omitempty"`
	Guidelines []Part      `json:"guidelines"`
}

// Finding is one guideline's objection to one effect.
type Finding struct {
	Guideline string         `json:"guideline"`
	Outcome   decide.Outcome `json:"outcome"`
	// Effect is the index of the effect. It is -1 if the objection is to the call as a whole.
	Effect  int          `json:"effect"`
	Pattern string       `json:"pattern,omitempty"`
	Allowed []string     `json:"allowed,omitempty"`
	Event   effect.Event `json:"event,omitempty"`
	// Span is the text of the call that the effect comes from.
	Span string `json:"span,omitempty"`
}

// Advice is a guideline's instruction that is meant for this call in particular.
type Advice struct {
	ID          string `json:"id"`
	Instruction string `json:"instruction"`
}

// Exception is an exception in the settings that covers the call.
type Exception struct {
	Guideline string `json:"guideline"`
	Reason    string `json:"reason"`
}

// Part is what one guideline contributes to the decision.
type Part struct {
	ID string `json:"id"`
	// Outcome is "deny", "ask", "warn", "advice", "excepted", "holds", "not_matched", "disabled" or "other_tenant".
	Outcome string `json:"outcome"`
	Why     string `json:"why"`
}

// OtherTenant is the value of Part.Outcome for a guideline that belongs to another tenant.
const OtherTenant = "other_tenant"

// Call judges a tool call and explains the decision.
func Call(layers []decide.Layer, call *effect.Analysis, facts decide.Facts) *Verdict {
	layers = facts.In(layers)
	d := decide.Judge(layers, call, facts)
	j := &judgement{layers: layers, call: call, decision: d}
	return &Verdict{
		Tool: call.Tool, Effects: call.Effects,
		Decision: d.Outcome, Guideline: d.Guideline(), Reason: d.Reason, Instead: d.Instead,
		SessionKnown: facts.Session != nil,
		Explanation: Grounds{
			Findings: j.findings(), Advice: j.advice(), Exceptions: j.exceptions(), Guidelines: j.parts(),
		},
	}
}

// Undecided is a function that returns the verdict for a call that could not be judged.
func Undecided(tool string, outcome decide.Outcome, reason string) *Verdict {
	return &Verdict{
		Tool: tool, Effects: []effect.Effect{}, Decision: outcome, Reason: reason,
		Explanation: Grounds{Findings: []Finding{}, Advice: []Advice{}, Guidelines: []Part{}},
	}
}

type judgement struct {
	layers   []decide.Layer
	call     *effect.Analysis
	decision *decide.Decision
}

func (j *judgement) findings() []Finding {
	out := []Finding{}
	for i := range j.decision.Findings {
		f := &j.decision.Findings[i]
		shown := Finding{
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

func (j *judgement) advice() []Advice {
	out := []Advice{}
	for _, g := range j.decision.Advice {
		out = append(out, Advice{ID: g.ID, Instruction: g.Action.Instruction})
	}
	return out
}

func (j *judgement) exceptions() []Exception {
	var out []Exception
	for _, x := range j.decision.Excused {
		out = append(out, Exception{x.Guideline, x.Reason})
	}
	return out
}
