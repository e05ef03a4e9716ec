package mcp

import "guardrails/server/access"

// The names of the tools that work on the store.
const (
	toolAudit  = "guardrails_audit"
	toolCreate = "guardrails_create"
	toolUpdate = "guardrails_update"
	toolToggle = "guardrails_toggle"
	toolDelete = "guardrails_delete"
	toolImport = "guardrails_import"
)

// auditTool reads the audit.
func auditTool() tool {
	return tool{
		name: toolAudit, title: "Changes and decisions", input: auditInput, output: auditOutput, needs: access.Read, serve: onBook(decodeAudit, audit),
		description: "Query the audit: every change of a guideline with who made it, and every decision about a tool call with its reason, newest first.",
	}
}

// adminTools change guidelines. They are offered where whoever started the server said so.
func adminTools() []tool {
	return []tool{
		{
			name: toolCreate, title: "Create a guideline", input: createInput, output: changedOutput, needs: access.Write, writes: true, serve: changing(decodeCreate, create),
			description: "Add a guideline to the store. It is in force at once.",
		},
		{
			name: toolUpdate, title: "Change a guideline", input: updateInput, output: changedOutput, needs: access.Write, writes: true, replaces: true, again: true, serve: changing(decodeUpdate, update),
			description: "Give a guideline of the store other content: the fields that are named get new values, whole, and the others stay. It is in force at once.",
		},
		{
			name: toolToggle, title: "Switch a guideline on or off", input: refInput, output: changedOutput, needs: access.Write, writes: true, replaces: true, again: true, serve: changing(decodeRef, toggle),
			description: "Switch a guideline of the store off if it is on, and on if it is off.",
		},
		{
			name: toolDelete, title: "Delete a guideline", input: refInput, output: deletedOutput, needs: access.Write, writes: true, replaces: true, again: true, serve: changing(decodeRef, remove),
			description: "Delete a guideline from the store. Its history stays, from which it can be restored.",
		},
		{
			name: toolImport, title: "Import guidelines", input: importInput, output: importOutput, needs: access.Admin, writes: true, replaces: true, again: true, serve: changing(decodeImport, importMany),
			description: "Take many guidelines into the store, all of them or none, with a result for each. A dry run only says what would be done.",
		},
	}
}
