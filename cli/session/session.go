// Package session has the commands about a running session: its status line, a single exception, and what happens when
// its guidelines cannot be read.
package session

import "guardrails/cli/app"

// Commands returns the commands of this package.
func Commands() []app.Command {
	return []app.Command{
		{Name: "allow", New: allowCommand},
		{Name: "allow-once", New: allowOnceCommand},
		{Name: "fallback", New: fallbackCommand},
		{Name: "statusline", New: statuslineCommand},
	}
}
