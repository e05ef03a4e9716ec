package doctor

import (
	"context"
	"strconv"
	"strings"

	"guardrails/config"
	"guardrails/hooks"
	"guardrails/service"
	"guardrails/service/modelclients"
)

const linkModel = "model"

// checkModel adds the check of the language model. It names the model, and says what guardrails asks it about. It does
// not ask the model.
func (x *Examination) checkModel(c *config.Config) {
	m, guard := &c.Model, &c.OutputGuard
	if m.URL == "" {
		x.noModel(guard)
		return
	}
	var uses []string
	if m.AsksAboutPrompts() {
		uses = append(uses, "what a prompt is about")
	}
	if m.AsksAboutAnswers() {
		uses = append(uses, "whether an answer is safe")
	}
	text := m.Name + " at " + m.URL + ", asked " + strings.Join(uses, " and ") + "; at most " + strconv.Itoa(m.MaxCalls) +
		" calls an hour; output_guard " + guard.Mode
	if len(uses) == 0 {
		text = m.Name + " at " + m.URL + " is not asked, because its settings \"context\" and \"audit\" are both off"
	}
	variable := ""
	if m.KeyEnv != "" {
		variable = x.Env(m.KeyEnv)
	}
	if _, err := modelclients.Key(m, x.Env, variable); err != nil {
		x.add(linkModel, Broken, text+"; the key cannot be read: "+err.Error(), "fix the key; until then, the model is not asked")
		return
	}
	x.add(linkModel, OK, text, "")
}

func (x *Examination) noModel(guard *config.OutputGuard) {
	if guard.IsOn() {
		x.add(linkModel, Warning, "none is set, so output_guard ("+guard.Mode+") cannot check answers: after a message about self-harm they "+
			"count as unsafe, and otherwise they pass", "set model in your own guardrails.yaml, or switch output_guard off")
		return
	}
	x.add(linkModel, OK, "none is set: guardrails sends nothing to a language model; output_guard "+guard.Mode, "")
}

// ProveModel asks the model in the settings one harmless question. It returns no check if no model is set.
func (x *Examination) ProveModel(ctx context.Context) []Check {
	s := service.New(service.Options{Env: x.Env, Now: x.Now, Dir: x.root, Mask: hooks.Mask})
	defer func() { _ = s.Close() }() // this service has no store
	c, err := s.Settings(ctx, "")
	if err != nil || c.Model.URL == "" {
		return nil // the check "config" has the error
	}
	out := Check{Name: "live: a question to the model", State: OK, Detail: fired}
	if err := s.TryModel(ctx, &c.Model); err != nil {
		out.State, out.Detail = Broken, notFired+": "+err.Error()
		out.Remedy = "check model in your own guardrails.yaml, then run guardrails doctor --live again"
	}
	return []Check{out}
}
