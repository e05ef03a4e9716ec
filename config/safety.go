package config

import (
	"slices"

	"guardrails/detect/pii"
	"guardrails/detect/safety"
	"guardrails/internal/document"
)

// Safety says how the hooks use the safety gate, and what the gate looks for. A project's file can set it only if a
// person trusts the project.
type Safety struct {
	// Mode is one of the constants Off, Observe and Enforce.
	Mode string
	// The field "Categories" maps categories of messages to their modes. A category that is not in the map has the mode
	// in Mode. The field "Gates" maps the gates of answers to their modes in the same way.
	Categories, Gates map[string]string
	// PII says what happens to each kind of personal data in answers: mask, flag or off.
	PII map[string]string
	// Dissent is set if a small deviation is added to the scores of two gates.
	Dissent bool
	// Preview is set if the audit log keeps the first characters of a text, with personal data masked.
	Preview bool
	// Policies is the path of the policy file. If it is empty, the project's own file applies.
	Policies string
	// NoMilder is set if policies cannot make verdicts milder. This is the case if the administrator sets the mode, but no
	// policy file.
	NoMilder bool
}

// The modes of the safety gate, besides Off.
const (
	Observe = "observe"
	Enforce = "enforce"
)

// safetyModes returns the modes, the mildest first.
func safetyModes() []string { return []string{Off, Observe, Enforce} }

const (
	safetyKey     = "safety"
	safetyModeKey = "safety.mode"
	policiesKey   = "safety.policies"
)

func defaultSafety() Safety { return Safety{Mode: Off} }

// ModeOf returns the mode of a category of messages, or of a gate of answers.
func (s *Safety) ModeOf(name string) string {
	for _, own := range []map[string]string{s.Categories, s.Gates} {
		if mode := own[name]; mode != "" {
			return mode
		}
	}
	return s.Mode
}

// IsOn reports whether a category or a gate has a mode other than Off.
func (s *Safety) IsOn() bool { return s.Strictest() != Off }

// Strictest returns the strictest mode of all categories and gates.
func (s *Safety) Strictest() string { return stricterOf(s.MessageMode(), s.AnswerMode()) }

// MessageMode returns the strictest mode of all categories. If it is Off, messages are not checked.
func (s *Safety) MessageMode() string { return s.ModeOfAny(document.Texts(safety.Categories())) }

// AnswerMode returns the strictest mode of all gates. If it is Off, answers are not checked.
func (s *Safety) AnswerMode() string { return s.ModeOfAny(document.Texts(safety.Gates())) }

// ModeOfAny returns the strictest mode of several categories or gates.
func (s *Safety) ModeOfAny(names []string) string {
	strictest := Off
	for _, name := range names {
		strictest = stricterOf(strictest, s.ModeOf(name))
	}
	return strictest
}

func stricterOf(a, b string) string {
	return safetyModes()[max(slices.Index(safetyModes(), a), slices.Index(safetyModes(), b))]
}

// OffNames returns the categories and the gates that are not checked. A category or gate whose own mode is Off is never
// checked. If a category or gate has no mode of its own and Mode is Off, a session does not check the category or gate.
// The category or gate is still checked if somebody calls the MCP tools of the safety gate.
func (s *Safety) OffNames(inSession bool) (out []string) {
	for _, name := range append(document.Texts(safety.Categories()), document.Texts(safety.Gates())...) {
		if s.Categories[name] == Off || s.Gates[name] == Off || inSession && s.ModeOf(name) == Off {
			out = append(out, name)
		}
	}
	return out
}

// Tools returns the MCP tools of the safety gate if the settings switch the gate on.
func (s *Safety) Tools() []string {
	if !s.IsOn() {
		return nil
	}
	return []string{"check_message", "check_response"}
}

func (s *Safety) specs(d *document.Decoder) []document.Spec {
	onOff := func(name string, into *bool, yes string) document.Spec {
		return document.Spec{Name: name, Read: func(n *document.Node, path string) {
			keep(d, into, func() bool { return d.Choice(offAsText(n), path, []string{Off, yes}) == yes })
		}}
	}
	modes := func(name string, into *map[string]string, names []string, modes ...string) document.Spec {
		return document.Spec{Name: name, Read: func(n *document.Node, path string) {
			keep(d, into, func() map[string]string { return readModes(d, n, path, names, modes) })
		}}
	}
	return []document.Spec{
		{Name: "mode", Read: func(n *document.Node, path string) {
			keep(d, &s.Mode, func() string { return d.Choice(offAsText(n), path, safetyModes()) })
		}},
		modes("categories", &s.Categories, document.Texts(safety.Categories()), safetyModes()...),
		modes("gates", &s.Gates, document.Texts(safety.Gates()), safetyModes()...),
		modes("pii", &s.PII, personalData(), document.Texts(safety.Treatments())...),
		onOff("dissent", &s.Dissent, on), onOff("preview", &s.Preview, "masked"),
		{Name: "policies", Read: func(n *document.Node, path string) {
			keep(d, &s.Policies, func() string { return d.String(n, path, false) })
		}},
	}
}

func personalData() (out []string) {
	for _, c := range pii.Categories() {
		out = append(out, c.String())
	}
	return out
}

// readModes reads an object that maps names to modes.
func readModes(d *document.Decoder, n *document.Node, path string, names, modes []string) map[string]string {
	out := map[string]string{}
	var specs []document.Spec
	for _, name := range names {
		specs = append(specs, document.Spec{Name: name, Read: func(n *document.Node, path string) {
			out[name] = d.Choice(offAsText(n), path, modes)
		}})
	}
	d.Object(n, path, specs)
	return out
}

func (c *Config) readSafety(d *document.Decoder, n *document.Node, path string) {
	trial := defaultSafety()
	c.readPersonal(d, n, path, safetyKey, trial.specs(d))
}
