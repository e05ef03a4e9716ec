package setup

import (
	"reflect"
	"slices"
	"strings"

	"guardrails/internal/product"
	"guardrails/setup/jsontext"
)

// An entry can call a tool of our MCP server instead of starting a program. The client copies the fields of the event
// into the arguments of the call. The client treats the answer like the output of a program.
const (
	callType = "mcp_tool"
	strictly = "strict"
)

// Direct reports whether the entry calls our server.
func (e *Entry) Direct() bool {
	return e.Type == callType && e.Server == product.MCPServer && e.Tool == product.HookTool
}

// directFields returns the fields of an event that its hook reads, in the order in which the settings file lists them.
func directFields(event string) []string {
	fields := []string{"hook_event_name", "session_id", "agent_id", "agent_type", "cwd"}
	switch event {
	case "UserPromptSubmit":
		return append(fields, "transcript_path", "prompt")
	case "PreToolUse":
		return append(fields, "tool_name", "tool_use_id", "tool_input")
	case "PostToolUse":
		return append(fields, "tool_name", "tool_use_id", "tool_input", "tool_response")
	case "PostToolUseFailure":
		return append(fields, "tool_name", "tool_use_id", "tool_input", "error")
	case "Stop", "SubagentStop":
		return append(fields, "last_assistant_message", "stop_hook_active")
	}
	return fields
}

// resultFields are some of the fields in directFields. Earlier versions of "guardrails init" did not write these
// fields. Only the detectors and the checks of answers need these fields.
const resultFields = "tool_response error last_assistant_message stop_hook_active"

// LacksResults reports whether an earlier version of "guardrails init" wrote the entry. Such an entry lacks only the
// fields with the results of calls and the answers of the model.
func (e *Entry) LacksResults() bool {
	want := directInput(e.Event, e.Strict())
	lacks := false
	for _, name := range strings.Fields(resultFields) {
		if _, given := e.Input[name]; want[name] != nil && !given {
			delete(want, name)
			lacks = true
		}
	}
	return lacks && reflect.DeepEqual(e.Input, want)
}

// directInput returns the arguments of a call. The client replaces the names in braces with the fields of the event.
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

// call() returns an entry that calls our server, in the form of the client's settings.
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

// hookOf returns the hook program for an event. In a direct installation, the client calls the server instead of this
// program.
func hookOf(event string) string {
	all := hooks()
	if i := slices.IndexFunc(all, func(h hook) bool { return h.event == event }); i >= 0 {
		return all[i].program
	}
	return product.HookTool
}
