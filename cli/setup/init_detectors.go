package setup

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/hooks/ownfiles"
	"guardrails/internal/product"
	"guardrails/setup"
)

// detectorsAnswer is the answer of init --detectors.
type detectorsAnswer struct {
	File string `json:"file"`
	// Text is the new text of the file.
	Text string `json:"text"`
	// Next says what to do next, or is empty.
	Next string `json:"next,omitempty"`
}

// initDetectors asks a person which detectors to switch on, and writes the answers into the user's settings.
func initDetectors(a *app.App, c *cobra.Command) error {
	if err := a.RequireTerminal(c); err != nil {
		return err
	}
	folder := product.ConfigDir(a.Env)
	if folder == "" {
		return app.Failf("%s: HOME is not set, so you have no settings; set HOME and run it again", c.CommandPath())
	}
	file := filepath.Join(folder, product.ConfigName)
	before, err := setup.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	chosen := askPersonal(a)
	after, err := setup.WritePersonal(file, before, &chosen)
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	plan := setup.Plan{Changes: []setup.Change{{Path: file, Before: before, After: after}}}
	if err := plan.Apply(setup.Target{}); err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	ownfiles.AcceptIn(a.Env, file)
	answer := detectorsAnswer{File: file, Text: string(after)}
	if chosen.Mask {
		answer.Next = "run guardrails init in each project, or guardrails init --user: it adds the hook that masks the screen"
	}
	return a.Answer(answer, func(p *app.Printer) {
		p.Line("Your answers are in %s. Sessions use them from now on.", app.Flat(file))
		if answer.Next != "" {
			p.Line("Next: %s.", answer.Next)
		}
	})
}

// askPersonal asks a person about each detector.
func askPersonal(a *app.App) setup.Personal {
	names := []string{"rumination", "hyperfocus", "sycophancy", "tool_loop"}
	answers := a.ConfirmEach(
		"A detector only tells you what it noticed, and you can dismiss it. No text is kept.\n"+
			"Shall guardrails tell you when you ask the same question again and again?",
		"Shall it tell you when you have worked for a long time without a break?",
		"Shall it tell you when many answers of the model agree or praise without a reason?",
		"Shall it tell an agent that it makes the same calls again and again?",
		"Shall personal data, such as e-mail addresses, be masked on the screen?",
	)
	p := setup.Personal{Mask: answers[len(names)]}
	for i, name := range names {
		p.Detectors = append(p.Detectors, setup.Switch{Name: name, On: answers[i]})
	}
	return p
}
