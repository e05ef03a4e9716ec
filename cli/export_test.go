package cli

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

// NewRoot returns the whole tree of commands.
func NewRoot() *cobra.Command { return newRoot(&app.App{System: &app.System{}, Format: app.Text}, "") }

// Shells returns the shells that have a completion script.
func Shells() []string { return shells() }

func Commands() []app.Command {
	var all []app.Command
	for _, g := range groups() {
		all = append(all, g.commands...)
	}
	return all
}
