// Package author has the commands for people who write guidelines: which guidelines apply to a task, what they do with
// a tool call, what is wrong with them, and how two sets differ. These commands change nothing.
package author

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

// Commands returns the commands of this package.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{
		evaluateCommand(a), explainCommand(a), detectCommand(a), lintCommand(a), testCommand(a), diffCommand(a),
		packsCommand(a), eventsCommand(a), schemaCommand(a),
	}
}
