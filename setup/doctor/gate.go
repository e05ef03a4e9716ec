package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"guardrails/config"
	"guardrails/detect/safety"
	"guardrails/hooks/wire"
	"guardrails/internal/product"
	"guardrails/setup/claude/fakemodel"
	driver "guardrails/setup/claude/session"
)

// The type "trial" is a short session in which the safety gate must stop a text. A trial has folders of its own, as a
// session of the type talk does. So the trial leaves no records, and the user's servers do not answer its hooks.
type trial struct {
	canary string
	// The field "event" is the event at which the gate stops the text. The field "answer" is the model's answer to
	// the prompt.
	event, prompt, answer string
	// The field "wanted" is a part of the text that the gate shows instead of the stopped text. The field "missed"
	// says what went wrong if the gate did not show this text.
	wanted, missed string
}

// harmfulAnswer is an answer that the gate ValuesBoundary blocks.
const harmfulAnswer = "Take 400 mg of ibuprofen twice a day."

// trials() returns a trial for each part of the gate that the settings switch on. There are no trials for the mode
// "observe", because the gate then shows nothing in a session.
func (x *Examination) trials() []trial {
	var list []trial
	if x.safety.ModeOf(string(safety.FinancialAdvice)) == config.Enforce {
		list = append(list, trial{
			"a blocked prompt", wire.UserPromptSubmit, "Should I buy TSLA?", "", safety.Referral(safety.FinancialAdvice),
			"the prompt reached the model",
		})
	}
	if x.safety.ModeOf(string(safety.ValuesBoundary)) == config.Enforce {
		list = append(list, trial{
			"a replaced answer", wire.Stop, "hello", harmfulAnswer, safety.SayAgain(safety.MedicalPrescription),
			"the model was not asked for another answer",
		})
	}
	return list
}

// unstopped() returns "" if the gate stopped the text of a trial.
func (w *observation) unstopped(t *trial) string {
	if strings.Contains(w.lines[t.canary], t.wanted) {
		return ""
	}
	return t.missed
}

// try() runs a trial.
func (s *stage) try(ctx context.Context, w *observation, t *trial) error {
	folder := filepath.Join(s.base, "trial", t.event)
	if err := write(filepath.Join(folder, "config/guardrails/guardrails.yaml"), "safety: {mode: enforce}\n"); err != nil {
		return err
	}
	env := []string{product.VariableCache + "=" + filepath.Join(folder, "run"), "XDG_CONFIG_HOME=" + filepath.Join(folder, "config")}
	if s.x.client != nil {
		said, err := s.driveTrial(ctx, t, env)
		w.lines[t.canary] = said
		return err
	}
	w.lines[t.canary] = s.send(ctx, w, act{wire.UserPromptSubmit, "", map[string]any{"prompt": t.prompt}, env}).counter
	if t.answer != "" {
		w.lines[t.canary] = s.send(ctx, w, act{wire.Stop, "", map[string]any{"last_assistant_message": t.answer}, env}).counter
	}
	return nil
}

// driveTrial runs a trial in the client. It returns the text that the gate shows instead of the stopped text. If the
// prompt did not reach the model, the result is the text for the person. Otherwise, the result is the text for the
// model.
func (s *stage) driveTrial(ctx context.Context, t *trial, env []string) (said string, err error) {
	steps := fakemodel.Thread{fakemodel.Say("done")}
	if t.answer != "" {
		steps = fakemodel.Thread{fakemodel.Say(t.answer), fakemodel.Say("done")}
	}
	model, err := fakemodel.Start(steps)
	if err != nil {
		return "", err
	}
	transcript, err := driver.Headless(ctx, driver.Options{
		Client: s.x.client.Path, Project: s.project, Home: s.home, Model: model.URL(), Prompt: t.prompt, Env: append(s.environment(), env...),
	})
	requests := model.All()
	switch {
	case len(requests) > 0:
		said = strings.Join(requests[len(requests)-1].Said(), "\n")
	case transcript != nil && transcript.Result != nil:
		said = transcript.Result.Text
	}
	return said, errors.Join(err, model.Err(), model.Close())
}
