package mcp

import (
	"guardrails/detect/contract"
	"guardrails/server/access"
)

// detectorTools returns the tools that check what people and models write. A server always answers them, but it lists
// only those that its options name, because each schema takes a part of the model's context.
func detectorTools() []tool {
	var out []tool
	for _, name := range contract.Names() {
		schema := contract.SchemaOf(name)
		out = append(out, tool{
			name: name, title: schema.Title, description: schema.Description, needs: access.Decide, isDetector: true, isOptional: true,
			input: string(schema.Properties.Input), output: string(schema.Properties.Output),
		})
	}
	return out
}
