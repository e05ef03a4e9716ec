// Package store has the commands that manage the guidelines and the audit in the store.
package store

import "guardrails/cli/app"

// Commands returns the commands of this package.
func Commands() []app.Command {
	return []app.Command{
		{Name: "list", New: listCommand},
		{Name: "get", New: getCommand},
		{Name: "apply", New: applyCommand},
		{Name: "delete", New: deleteCommand},
		{Name: "toggle", New: toggleCommand},
		{Name: "history", New: historyCommand},
		{Name: "restore", New: restoreCommand},
		{Name: "import", New: importCommand},
		{Name: "export", New: exportCommand},
		{Name: "bootstrap", New: bootstrapCommand},
		{Name: "packs", New: packsCommand},
		{Name: "audit", New: auditCommand},
		{Name: "replay", New: replayCommand},
		{Name: "webhooks", New: webhooksCommand},
	}
}
