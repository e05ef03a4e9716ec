package setup

import (
	"slices"

	"guardrails/internal/product"
	"guardrails/setup/jsontext"
)

// An entry may call a tool of our MCP server instead of starting a program: the client puts the fields of the event into
// the arguments, and reads the answer as what a program would print.
const (
	callType = "mcp_tool"
	strictly = "strict"
)

// Direct reports whether the entry calls our server, and starts no program.
func (e *Entry) Direct() bool {
	return e.Type == callType && e.Server == product.MCPServer && e.Tool == product.HookTool
}

// directFields are the fields of an event that its hook looks at, in the order in which they are written.
func directFields(event string) []string {
	fields := []string{"hook_event_name", "session_id", "agent_id", "agent_type", "cwd"}
	switch event {
	case "UserPromptSubmit":
		return append(fields, "transcript_path", "prompt")
	case "PreToolUse", "PostToolUse", "PostToolUseFailure":
		return append(fields, "tool_name", "tool_use_id", "tool_input")
	}
	return fields
}

// directInput are the arguments of a call: what stands in the braces the client fills in.
func directInput(event string, strict bool) map[string]any {
	input := map[string]any{}
	for _, name := range directFields(event) {
		input[name] = "${" + name + "}"
	}
	if strict {
		input[strictly] = true
	}
	return input
}

// call is an entry that calls our server as it is written.
func (e *Entry) call() jsontext.Object {
	var input jsontext.Line
	for _, name := range append(directFields(e.Event), strictly) {
		if value, given := e.Input[name]; given {
			input = append(input, jsontext.Field{Name: name, Value: value})
		}
	}
	return jsontext.Object{
		{Name: "type", Value: e.Type},
		{Name: "server", Value: e.Server},
		{Name: "tool", Value: e.Tool},
		{Name: "input", Value: input},
		{Name: "timeout", Value: e.Timeout},
	}
}

// hookOf is the program in whose place an event's call stands.
func hookOf(event string) string {
	all := hooks()
	if i := slices.IndexFunc(all, func(h hook) bool { return h.event == event }); i >= 0 {
		return all[i].program
	}
	return product.HookTool
}
