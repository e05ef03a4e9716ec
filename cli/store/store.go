// Package store has the commands that manage the guidelines and the audit in the store.
package store

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

// Commands returns the commands of this package.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{
		listCommand(a), getCommand(a), applyCommand(a), deleteCommand(a), toggleCommand(a), historyCommand(a),
		restoreCommand(a), importCommand(a), exportCommand(a), bootstrapCommand(a), auditCommand(a),
	}
}
