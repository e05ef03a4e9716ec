package mcp

import (
	"guardrails/detect/contract"
	"guardrails/server/access"
	"guardrails/service/screening"
	"guardrails/service/tools"
)

// checkTools returns the tools of the safety gate and of the detectors. These tools check texts of people and models. A
// server always answers calls of these tools. The server lists only the tools that its options name, because the schema
// of each listed tool takes a part of the model's context.
func checkTools() []tool {
	var out []tool
	for _, name := range tools.Checks() {
		t := checkTool(name, screening.SchemaOf(name))
		t.writes = true
		out = append(out, t)
	}
	for _, name := range contract.Names() {
		t := checkTool(name, contract.SchemaOf(name))
		t.isDetector = true
		out = append(out, t)
	}
	return out
}

func checkTool(name string, schema contract.Schema) tool {
	return tool{
		name: name, title: schema.Title, description: schema.Description, needs: access.Decide, isOptional: true,
		input: string(schema.Properties.Input), output: string(schema.Properties.Output),
	}
}
