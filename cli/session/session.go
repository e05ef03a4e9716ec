// Package session has the commands about a running session. They print its status line, allow single calls, and choose
// what happens if its guidelines cannot be read.
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
