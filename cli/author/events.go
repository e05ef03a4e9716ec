package author

import (
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/detect/toolcall/program"
)

func eventsCommand(a *app.App) *cobra.Command {
	name := ""
	c := &cobra.Command{
		Use:   "events",
		Short: "List the events that a guideline's condition can name",
		Long: "Events lists the names that condition.events can have, and the tool calls that cause each event. " +
			"With --program, it lists the subcommands of one program, and the events that each subcommand causes.",
		Example: "  guardrails events\n  guardrails events --program kubectl",
		Args:    app.Args(0, 0, "it takes only flags"),
		RunE: func(*cobra.Command, []string) error {
			if name != "" {
				return printOrders(a, name)
			}
			list := effect.Events()
			return a.Answer(list, func(p *app.Printer) {
				for _, e := range list {
					p.Line("%-22s %s", e.Event, e.Meaning)
				}
			})
		},
	}
	c.Flags().StringVar(&name, "program", "", "list the subcommands of this program instead of all events")
	return c
}

// The type "order" is one row of the answer: a subcommand of a program, with the events of the subcommand.
type order struct {
	program.Row
	Events []effect.Event `json:"events"`
}

func printOrders(a *app.App, name string) error {
	rows, known := toolcall.Rows(name)
	if !known {
		return app.Failf("%s: guardrails has no list of this program's subcommands; "+
			"to see what one command does, run: guardrails explain --command COMMAND", name)
	}
	list := make([]order, 0, len(rows))
	for i := range rows {
		list = append(list, order{rows[i], append([]effect.Event{}, rows[i].Events()...)})
	}
	return a.Answer(list, func(p *app.Printer) {
		for i := range list {
			o := &list[i]
			p.Line("%-42s %-10s %s", o.Order, strings.Fields(o.Outcome)[0], eventNames(o.Events))
		}
	})
}

func eventNames(events []effect.Event) string {
	names := make([]string, 0, len(events))
	for _, event := range events {
		names = append(names, string(event))
	}
	return strings.Join(names, ", ")
}
