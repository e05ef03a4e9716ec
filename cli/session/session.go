// Package session has the commands about a running session. With these commands, people print the session's status
// line, allow tool calls that guidelines stop, and choose what happens if the session's guidelines cannot be read.
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
