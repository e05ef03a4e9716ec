// Package server has the commands that start the server, call its tools without it, and manage its tokens.
package server

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

// Commands returns the commands of this package.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{serveCommand(a), mcpCommand(a), callCommand(a), tokenCommand(a)}
}
