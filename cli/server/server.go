// Package server has the commands that start the server, call its tools without a server, and manage its tokens.
package server

import "guardrails/cli/app"

// Commands returns the commands of this package.
func Commands() []app.Command {
	return []app.Command{
		{Name: "serve", New: serveCommand},
		{Name: "ui", New: uiCommand},
		{Name: "mcp", New: mcpCommand},
		{Name: "call", New: callCommand},
		{Name: "token", New: tokenCommand},
	}
}
