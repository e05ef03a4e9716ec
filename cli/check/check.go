// Package check has the commands that check texts of people and models. Each command reads one input. Only the commands
// of the safety gate record their results.
package check

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/document"
)

// Commands returns the commands of this package.
func Commands() []app.Command {
	return []app.Command{{Name: "check", New: checkCommand}, {Name: "policies", New: policiesCommand}}
}

const kinds = "use message, response, rumination, hyperfocus, sycophancy, tool-loop or pii"

func checkCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "check message|response|rumination|hyperfocus|sycophancy|tool-loop|pii",
		Short: "Check texts for danger, repeated questions, long sessions, flattery, loops and personal data",
		Long: `Check looks at what people and models write:

  message     whether a person is in danger, or wants help to do harm
  response    whether an answer of a model may be delivered
  rumination  whether a prompt repeats earlier ones
  hyperfocus  whether a session has gone on for too long
  sycophancy  whether an answer agrees or praises without a reason, or whether a user keeps asking for reassurance
  tool-loop   whether an agent goes in circles
  pii         whether a text contains personal data

The checks "message" and "response" write their findings to the audit log, without the text, and report them to
webhooks. If the input has "dry_run": true, they do neither. The check "response" can ask the model that the
settings name. The other checks keep nothing, send nothing and change nothing. All checks except "pii" read JSON
and give the same answer as the server's tool for the check, such as check_rumination. docs/detectors.md and
docs/safety.md contain the rules and the numbers.`,
		Example: `  guardrails check rumination prompts.json
  echo 'Mail anna@firma.de' | guardrails check pii --mask`,
		Args: app.Args(1, 1, kinds),
		RunE: func(c *cobra.Command, args []string) error {
			return app.Usagef("%s: there is no check %s; %s", c.CommandPath(), document.Excerpt(args[0]), kinds)
		},
	}
	for _, g := range gateChecks() {
		c.AddCommand(g.command(a))
	}
	for _, d := range detectors() {
		c.AddCommand(d.command(a))
	}
	c.AddCommand(piiCommand(a))
	return c
}

// input() reads the file whose name is the argument of the command. Without an argument, it reads stdin.
func input(a *app.App, args []string) (content []byte, shown string, err error) {
	name := "-"
	if len(args) > 0 {
		name = args[0]
	}
	return a.ReadInput(name)
}

const oneInput = "give one file, or - for stdin"
