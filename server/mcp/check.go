package mcp

import (
	"guardrails/server/access"
	"guardrails/service"
	"guardrails/service/screening"
)

// checkTools returns the tools of the safety gate. Like the detectors, they are listed only if the options name them.
func checkTools() []tool {
	var out []tool
	for _, name := range service.CheckTools() {
		schema := screening.SchemaOf(name)
		out = append(out, tool{
			name: name, title: schema.Title, description: schema.Description, needs: access.Decide, isOptional: true,
			writes: true, input: string(schema.Properties.Input), output: string(schema.Properties.Output),
		})
	}
	return out
}
