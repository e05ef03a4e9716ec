package author

import (
	"strings"

	"guardrails/cli/app"
	"guardrails/decide"
	"guardrails/detect/effect"
)

func printVerdict(p *app.Printer, v *verdict) {
	p.Line("%s", p.Paint(app.Bold, v.Tool))
	if len(v.Effects) == 0 {
		p.Line("  no effect that guidelines are about")
	}
	for i := range v.Effects {
		printEffect(p, &v.Effects[i])
	}
	p.WriteByte('\n')
	p.Field("decision", p.Paint(decisionColor(v.Decision), string(v.Decision)))
	p.Field("guideline", v.Guideline)
	p.Field("reason", app.Flat(v.Reason))
	for _, other := range v.others() {
		p.Field("also", other)
	}
	for _, advice := range v.Explanation.Advice {
		p.Field("advice", app.Flat(advice.Instruction)+" ("+advice.ID+")")
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

func printEffect(p *app.Printer, e *effect.Effect) {
	p.Line("  %-7s %s", e.Kind, app.Flat(subject(e)))
	if len(e.Events) > 0 {
		names := make([]string, len(e.Events))
		for i, event := range e.Events {
			names[i] = string(event)
		}
		p.Line("          %s", p.Paint(app.Yellow, strings.Join(names, ", ")))
	}
	if e.Reason != "" {
		p.Line("          why: %s", app.Flat(e.Reason))
	}
	if seen := app.Flat(e.Span.Text); seen != "" && seen != app.Flat(subject(e)) {
		p.Line("          seen in: %s", seen)
	}
}

// subject is what an effect is about.
func subject(e *effect.Effect) string {
	for _, s := range []string{e.Command, e.Path, e.Host, e.Name} {
		if s != "" {
			return s
		}
	}
	return "(" + string(e.Kind) + ")"
}

func decisionColor(o decide.Outcome) app.Color {
	switch o {
	case decide.Deny:
		return app.Red
	case decide.Ask, decide.Warn:
		return app.Yellow
	}
	return app.Green
}
