package explain

import (
	"cmp"
	"strings"

	"guardrails/decide"
	"guardrails/detect/effect"
)

// Style is a format for a part of a text.
type Style uint8

// The styles. Good marks the decision "allow", Caution marks "ask" and "warn", and Bad marks "deny".
const (
	Title Style = iota
	Good
	Caution
	Bad
)

// Text describes the verdict for a person. The function paint() formats a part of the text, for example with a color.
func (v *Verdict) Text(paint func(Style, string) string) string {
	t := &text{paint: paint}
	t.line(paint(Title, cmp.Or(v.Tool, "(no tool)")))
	if len(v.Effects) == 0 {
		t.line("  no effect that a guideline can name")
	}
	for i := range v.Effects {
		t.effect(&v.Effects[i])
	}
	t.line("")
	t.field("decision", paint(styleOf(v.Decision), string(v.Decision)))
	t.field("guideline", v.Guideline)
	t.field("reason", Flat(v.Reason))
	if v.Decision == decide.Ask {
		t.field("instead", Flat(v.Instead))
	}
	for _, other := range v.otherObjections() {
		t.field("also", other)
	}
	for _, x := range v.Explanation.Exceptions {
		t.field("exception", x.Guideline+": "+Flat(x.Reason))
	}
	for _, advice := range v.Explanation.Advice {
		t.field("advice", Flat(advice.Instruction)+" ("+advice.ID+")")
	}
	return t.String()
}

// otherObjections lists the guidelines that object, except for the guideline that decides.
func (v *Verdict) otherObjections() []string {
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

type text struct {
	strings.Builder
	paint func(Style, string) string
}

func (t *text) line(s string) { t.WriteString(s + "\n") }

// field() writes a label and a value. It writes nothing if the value is empty.
func (t *text) field(label, value string) {
	if value != "" {
		t.line(padded(label, 14) + " " + value)
	}
}

func (t *text) effect(e *effect.Effect) {
	t.line("  " + padded(string(e.Kind), 7) + " " + Flat(subject(e)))
	if len(e.Events) > 0 {
		names := make([]string, len(e.Events))
		for i, event := range e.Events {
			names[i] = string(event)
		}
		t.line("          " + t.paint(Caution, strings.Join(names, ", ")))
	}
	if e.Reason != "" {
		t.line("          why: " + Flat(e.Reason))
	}
	if seen := Flat(e.Span.Text); seen != "" && seen != Flat(subject(e)) {
		t.line("          seen in: " + seen)
	}
}

// subject returns the command, path, host or name in an effect. If there is none, it returns the kind of the effect.
func subject(e *effect.Effect) string {
	for _, s := range []string{e.Command, e.Path, e.Host, e.Name} {
		if s != "" {
			return s
		}
	}
	return "(" + string(e.Kind) + ")"
}

func styleOf(o decide.Outcome) Style {
	switch o {
	case decide.Deny:
		return Bad
	case decide.Ask, decide.Warn:
		return Caution
	}
	return Good
}

func padded(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-len(s)))
}

// Flat is a function that returns a text as one line, without characters that control a terminal.
func Flat(s string) string { return decide.Visible(strings.Join(strings.Fields(s), " ")) }
