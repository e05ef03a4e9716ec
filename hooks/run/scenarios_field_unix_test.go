//go:build unix

package run_test

import "strings"

// set() returns a function that sets a field of the document, or removes the field if the value is nil.
func set(name string, value any) func(map[string]any) {
	return func(doc map[string]any) {
		if value == nil {
			delete(doc, name)
			return
		}
		doc[name] = value
	}
}

// renamed() gives some fields of the document names that the hooks do not know.
func renamed(doc map[string]any) {
	for was, is := range map[string]string{"session_id": "sessionId", "tool_name": "tool", "tool_input": "arguments", "agent_type": "agentName"} {
		if value, ok := doc[was]; ok {
			delete(doc, was)
			doc[is] = value
		}
	}
}

func fieldScenarios() map[string]scenario {
	calls := []string{"denied", "gate", "free", "read", "strict", "own"}
	return map[string]scenario{
		"a field has the wrong type":                                           {document: set("cwd", 7)},
		"the working folder is longer than any path":                           {document: set("cwd", "/tmp/"+strings.Repeat("a/", 1<<19))},
		"the tool's input is not an object":                                    {document: set("tool_input", "rm -rf /"), only: calls},
		"the tool's input is missing":                                          {document: set("tool_input", nil), only: calls},
		"the tool's name is missing":                                           {document: set("tool_name", nil), only: calls},
		"the event's name is missing":                                          {document: set("hook_event_name", nil)},
		"the event is unknown":                                                 {document: set("hook_event_name", "BeforeToolUse"), only: calls},
		"the session's id is missing":                                          {document: set("session_id", nil)},
		"the session's id has characters that are not letters, digits, _ or -": {document: set("session_id", "../../evil 日本")},
		"the working folder is missing":                                        {document: set("cwd", nil)},
		"fields have names from older documentation":                           {document: renamed},
	}
}
