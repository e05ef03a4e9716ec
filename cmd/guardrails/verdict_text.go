package main

import (
	"strings"

	"guardrails/decide"
	"guardrails/detect/toolcall"
)

func (p *printer) verdict(v *verdict) {
	p.line("%s", p.paint(bold, v.Tool))
	if len(v.Effects) == 0 {
		p.line("  no effect that guidelines are about")
	}
	for i := range v.Effects {
		p.effect(&v.Effects[i])
	}
	p.WriteByte('\n')
	p.field("decision", p.paint(decisionColor(v.Decision), string(v.Decision)))
	p.field("guideline", v.Guideline)
	p.field("reason", flat(v.Reason))
	for _, other := range v.others() {
		p.field("also", other)
	}
	for _, advice := range v.Explanation.Advice {
		p.field("advice", flat(advice.Instruction)+" ("+advice.ID+")")
	}
}

// others are the guidelines that object too, beside the one that decides.
func (v *verdict) others() []string {
	var out []string
	for _, g := range v.Explanation.Guidelines {
		switch decide.Outcome(g.Outcome) {
		case decide.Deny, decide.Ask, decide.Warn:
			if g.ID != v.Guideline {
				out = append(out, g.ID+" ("+g.Outcome+"): "+g.Why)
			}
		}
	}
	return out
}

func (p *printer) effect(e *toolcall.Effect) {
	p.line("  %-7s %s", e.Kind, flat(subject(e)))
	if len(e.Events) > 0 {
		names := make([]string, len(e.Events))
		for i, event := range e.Events {
			names[i] = string(event)
		}
		p.line("          %s", p.paint(yellow, strings.Join(names, ", ")))
	}
	if e.Reason != "" {
		p.line("          why: %s", flat(e.Reason))
	}
	if seen := flat(e.Span.Text); seen != "" && seen != flat(subject(e)) {
		p.line("          seen in: %s", seen)
	}
}

// subject is what an effect is about.
func subject(e *toolcall.Effect) string {
	for _, s := range []string{e.Command, e.Path, e.Host, e.Name} {
		if s != "" {
			return s
		}
	}
	return "(" + string(e.Kind) + ")"
}

func decisionColor(o decide.Outcome) color {
	switch o {
	case decide.Deny:
		return red
	case decide.Ask, decide.Warn:
		return yellow
	}
	return green
}
