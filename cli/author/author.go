// Package author has the commands for people who write guidelines. The commands show which guidelines apply to a task,
// what they do with a tool call, what is wrong with them, and how two sets differ. They change nothing in the store.
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
