package setup

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/setup"
)

// initSafety explains the safety gate, asks a person whether to switch it on, and writes the answer into the user's
// settings.
func initSafety(a *app.App, c *cobra.Command) error {
	file, after, err := editPersonal(a, c, func(file string, before []byte) ([]byte, error) {
		mode := config.Off
		if a.Confirm("The safety gate looks for two things in what you type: signs that someone is in danger, and " +
			"requests for help to do harm.\n" +
			"It begins by observing: nothing is stopped. What it finds goes into your audit log without your words.\n" +
			"Later, you can set \"safety: {mode: enforce}\". The gate then also stops such a message and says where to find help.\n" +
			"Shall the gate observe?") {
			mode = config.Observe
		}
		return setup.WriteSafety(file, before, mode)
	})
	if err != nil {
		return err
	}
	answer := detectorsAnswer{File: file, Text: string(after)}
	return a.Answer(answer, func(p *app.Printer) {
		p.Line("Your answer is in %s. Sessions use it from now on.", app.Flat(file))
	})
}
