package author

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/detect/effect"
)

func eventsCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "events",
		Short:   "List the events that a guideline's condition can name",
		Long:    "Events lists what tool calls mean to guidelines: the names that condition.events can hold, and when each is sent.",
		Example: "  guardrails events",
		Args:    app.Args(0, 0, "it takes none"),
		RunE: func(*cobra.Command, []string) error {
			list := effect.Events()
			return a.Answer(list, func(p *app.Printer) {
				for _, e := range list {
					p.Line("%-22s %s", e.Event, e.Meaning)
				}
			})
		},
	}
}
