// Package session has the commands about a running session: its status line, a single exception, and what happens when
// its guidelines cannot be read.
package session

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

// Commands returns the commands of this package.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{allowOnceCommand(a), fallbackCommand(a), statuslineCommand(a)}
}
