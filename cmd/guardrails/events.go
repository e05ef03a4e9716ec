package main

import (
	"github.com/spf13/cobra"

	"guardrails/detect/toolcall"
)

func (a *app) eventsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "events",
		Short:   "List the events that a guideline's condition can name",
		Long:    "Events lists what tool calls mean to guidelines: the names that condition.events can hold, and when each is sent.",
		Example: "  guardrails events",
		Args:    arguments(0, 0, "it takes none"),
		RunE: func(*cobra.Command, []string) error {
			list := toolcall.Events()
			return a.answer(list, func(p *printer) {
				for _, e := range list {
					p.line("%-22s %s", e.Event, e.Meaning)
				}
			})
		},
	}
}
