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

// detectorsAnswer is the answer of init --detectors and of init --safety.
type detectorsAnswer struct {
	File string `json:"file"`
	// Text is the new text of the file.
	Text string `json:"text"`
	// The field "Next" says what to do next. It can be empty.
	Next string `json:"next,omitempty"`
}

// initDetectors asks a person which detectors to switch on, and writes the answers into the user's settings.
func initDetectors(a *app.App, c *cobra.Command) error {
	var chosen setup.Personal
	file, after, err := editPersonal(a, c, func(file string, before []byte) ([]byte, error) {
		chosen = askPersonal(a)
		return setup.WritePersonal(file, before, &chosen)
	})
	if err != nil {
		return err
	}
	answer := detectorsAnswer{File: file, Text: string(after)}
	if chosen.Mask {
		answer.Next = "to add the hook that masks the screen, run guardrails init in each project, or guardrails init --user"
	}
	return a.Answer(answer, func(p *app.Printer) {
		p.Line("Your answers are in %s. Sessions use them from now on.", app.Flat(file))
		if answer.Next != "" {
			p.Line("Next: %s.", answer.Next)
		}
	})
}

// editPersonal changes the settings of the user at the terminal. The argument "edit" is a function that receives
// the text of the file and returns the new text.
func editPersonal(
	a *app.App, c *cobra.Command, edit func(file string, before []byte) ([]byte, error),
) (file string, after []byte, err error) {
	if err := a.RequireTerminal(c); err != nil {
		return "", nil, err
	}
	folder := product.ConfigDir(a.Env)
	if folder == "" {
		return "", nil, app.Failf("%s: HOME is not set, so you have no settings; set HOME and run the command again",
			c.CommandPath())
	}
	file = filepath.Join(folder, product.ConfigName)
	before, err := setup.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, app.Failf("%s: %v", c.CommandPath(), err)
	}
	if after, err = edit(file, before); err != nil {
		return "", nil, app.Failf("%s: %v", c.CommandPath(), err)
	}
	plan := setup.Plan{Changes: []setup.Change{{Path: file, Before: before, After: after}}}
	if err := plan.Apply(setup.Target{}); err != nil {
		return "", nil, app.Failf("%s: %v", c.CommandPath(), err)
	}
	ownfiles.AcceptIn(a.Env, file)
	return file, after, nil
}

// askPersonal asks a person about each detector.
func askPersonal(a *app.App) setup.Personal {
	names := []string{"rumination", "hyperfocus", "sycophancy", "tool_loop"}
	answers := a.ConfirmEach(
		"A detector only tells you what it noticed, and you can dismiss it. No text is kept.\n"+
			"Shall guardrails tell you when you ask the same question again and again?",
		"Shall guardrails tell you when you have worked for a long time without a break?",
		"Shall guardrails tell you when the model often agrees with you or praises you without a reason?",
		"Shall guardrails tell an agent when the agent makes the same calls again and again?",
		"Shall personal data, such as e-mail addresses, be masked on the screen?",
	)
	p := setup.Personal{Mask: answers[len(names)]}
	for i, name := range names {
		p.Detectors = append(p.Detectors, setup.Switch{Name: name, On: answers[i]})
	}
	return p
}
