// Package author holds the commands for people who write guidelines: what a set says in a context, what it makes of a tool
// call, what is wrong with it, and how it differs from another one. These commands read files and change nothing.
package author

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

// Commands returns the commands of this package.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{evaluateCommand(a), explainCommand(a), detectCommand(a), lintCommand(a), testCommand(a), diffCommand(a), packsCommand(a), eventsCommand(a), schemaCommand(a)}
}
