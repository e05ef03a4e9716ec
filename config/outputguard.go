package config

import (
	"slices"

	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

// OutputGuard says what happens to an answer that is unsafe for the person who wrote the message.
type OutputGuard struct {
	// Mode is one of the constants Off, Observe and Enforce.
	Mode string
	// The field "Fail" maps a risk to FailsOpen or FailsClosed. The value says whether an answer passes if it cannot be
	// checked for this risk.
	Fail map[string]string
}

// These values say what happens to an answer that cannot be checked.
const (
	FailsOpen   = "open"
	FailsClosed = "closed"
)

const (
	outputGuardKey     = "output_guard"
	outputGuardModeKey = "output_guard.mode"
)

func defaultOutputGuard() OutputGuard { return OutputGuard{Mode: Off} }

// IsOn reports whether the settings give the guard a mode other than Off.
func (g *OutputGuard) IsOn() bool { return g.Mode != Off }

// FailsClosed reports whether an answer is stopped if it cannot be checked for a risk. For self-harm, the default is
// true.
func (g *OutputGuard) FailsClosed(risk string) bool {
	if fail := g.Fail[risk]; fail != "" {
		return fail == FailsClosed
	}
	return risk == string(safety.IntentSelfHarm)
}

func (g *OutputGuard) specs(d *document.Decoder) []document.Spec {
	var risks []string
	for _, intent := range safety.AllIntents() {
		if intent.IsRisk() {
			risks = append(risks, string(intent))
		}
	}
	return []document.Spec{
		{Name: "mode", Read: func(n *document.Node, path string) {
			keep(d, &g.Mode, func() string { return d.Choice(offAsText(n), path, safetyModes()) })
		}},
		{Name: "fail", Read: func(n *document.Node, path string) {
			keep(d, &g.Fail, func() map[string]string { return readModes(d, n, path, risks, []string{FailsOpen, FailsClosed}) })
		}},
	}
}

func (c *Config) readOutputGuard(d *document.Decoder, n *document.Node, path string) {
	trial := defaultOutputGuard()
	c.readPersonal(d, n, path, outputGuardKey, trial.specs(d))
}

// readIntervention reads the environment variable that asks for the mode Enforce (true) or Observe (false). A project can
// set the variable, so the variable can only make the mode of the user or the administrator stricter.
func (l *Layers) readIntervention(env func(string) string) {
	variable := product.VariableIntervention
	switch text := env(variable); text {
	case "":
	case "true", "True":
		l.intervention = Enforce
	case "false", "False":
		l.intervention = Observe
	default:
		l.own.problems.Add(document.Problem{
			File: variable, Message: document.Excerpt(text) + " is not accepted", Remedy: "write true or false",
		})
	}
}

// intervene() makes the mode of the guard stricter if the variable asks for it. If the variable asks for a mode that
// does not apply, intervene() reports that the variable has no effect.
func (l *Layers) intervene(c *Config) {
	why := onlyIfOn
	switch mode := &c.OutputGuard.Mode; {
	case l.intervention == "" || l.intervention == *mode:
		return
	case c.OutputGuard.IsOn() && l.intervention == Enforce:
		*mode = Enforce
		return
	case c.OutputGuard.IsOn():
		why = notMilder
	}
	c.Ignored = append(c.Ignored, Ignored{Setting: product.VariableIntervention, Why: why})
}

const (
	onlyIfOn  = "it works only if your own guardrails.yaml or the administrator's sets output_guard.mode"
	notMilder = "it cannot make the output guard milder; to do that, change output_guard.mode in your own guardrails.yaml"
)

// stricter() returns the stricter one of the administrator's mode and the user's mode. If neither of them sets a
// mode, it returns nil.
func (l *Layers) stricter(key string) *document.Node {
	managed, user := l.managed.personal[key], l.user.personal[key]
	if managed == nil || user != nil && rank(user) > rank(managed) {
		return user
	}
	return managed
}

func rank(mode *document.Node) int { return slices.Index(safetyModes(), offAsText(mode).Text) }
