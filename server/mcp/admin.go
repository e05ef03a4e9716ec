package mcp

import "guardrails/server/access"

const (
	toolAudit  = "guardrails_audit"
	toolCreate = "guardrails_create"
	toolUpdate = "guardrails_update"
	toolToggle = "guardrails_toggle"
	toolDelete = "guardrails_delete"
	toolImport = "guardrails_import"
)

func auditTool() tool {
	return tool{
		name: toolAudit, title: "Changes and decisions", input: auditInput(), output: auditOutput, needs: access.Read,
		serve: serveAudit,
		description: "Query the audit, newest entries first: every change of a guideline with its author, and every " +
			"decision about a tool call with its reason.",
	}
}

// adminTools returns the tools that change guidelines. A server offers them only if it was started with --admin.
func adminTools() []tool {
	return []tool{
		{
			name: toolCreate, title: "Create a guideline", input: createInput, output: changedOutput, needs: access.Write,
			writes: true, serve: writeTool(decodeCreate, create),
			description: "Add a guideline to the store. It applies at once.",
		},
		{
			name: toolUpdate, title: "Change a guideline", input: updateInput, output: changedOutput, needs: access.Write,
			writes: true, replaces: true, repeatable: true, serve: writeTool(decodeUpdate, update),
			description: "Change a guideline of the store. The given fields are replaced as a whole, and the others stay. " +
				"The change applies at once.",
		},
		{
			name: toolToggle, title: "Enable or disable a guideline", input: refInput, output: changedOutput,
			needs: access.Write, writes: true, replaces: true, repeatable: true, serve: writeTool(decodeRef, toggle),
			description: "Disable a guideline of the store if it is enabled, and enable it if it is disabled.",
		},
		{
			name: toolDelete, title: "Delete a guideline", input: refInput, output: deletedOutput, needs: access.Write,
			writes: true, replaces: true, repeatable: true, serve: writeTool(decodeRef, remove),
			description: "Delete a guideline from the store. Its history stays, so it can be restored.",
		},
		{
			name: toolImport, title: "Import guidelines", input: importInput, output: importOutput, needs: access.Admin,
			writes: true, replaces: true, repeatable: true, serve: writeTool(decodeImport, importMany),
			description: "Import many guidelines into the store, all or none, with a result for each. A dry run only " +
				"reports what would happen.",
		},
	}
}
