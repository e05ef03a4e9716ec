// Package author has the commands for people who write guidelines. The commands show which guidelines apply to a task,
// how the guidelines decide about a tool call, which mistakes guidelines have, and how two sets of guidelines differ.
// The commands change nothing in the store.
package author

import "guardrails/cli/app"

// Commands returns the commands of this package.
func Commands() []app.Command {
	return []app.Command{
		{Name: "evaluate", New: evaluateCommand},
		{Name: "explain", New: explainCommand},
		{Name: "detect", New: detectCommand},
		{Name: "new", New: newCommand},
		{Name: "lint", New: lintCommand},
		{Name: "test", New: testCommand},
		{Name: "diff", New: diffCommand},
		{Name: "events", New: eventsCommand},
		{Name: "schema", New: schemaCommand},
	}
}
