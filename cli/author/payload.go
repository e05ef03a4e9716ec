package author

import (
	"bytes"
	"encoding/json"

	"guardrails/cli/app"
	"guardrails/internal/document"
)

// call is one tool call, with what its sender says of who makes it and where.
type call struct {
	tool  string
	input []byte
	cwd   string
	agent string
	// session is the client's id of the session, or empty.
	session string
}

// parsePayload reads what the client sends to a hook before a tool call. Other names that clients have used for the
// same fields are accepted; fields that do not matter here are not looked at.
func parsePayload(name string, raw []byte) (*call, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		// Our own reader knows the line.
		if _, problems := document.ParseJSON(name, raw); len(problems) > 0 {
			return nil, problems
		}
		return nil, app.Failf("%s: is not a hook payload; give the JSON object that the client sends", name)
	}
	p := payload{name: name, fields: fields}
	c := &call{
		tool:    p.text("tool_name", "tool"),
		cwd:     p.text("cwd"),
		agent:   p.text("agent_type", "agentName"),
		session: p.text("session_id", "sessionId"),
		input:   p.value("tool_input", "arguments"),
	}
	if p.err != nil {
		return nil, p.err
	}
	if c.tool == "" {
		return nil, app.Failf("%s: tool_name is missing; give the payload of a hook on a tool call", name)
	}
	return c, nil
}

type payload struct {
	name   string
	fields map[string]json.RawMessage
	err    error
}

// value is the first of the fields that is there; an empty object stands for none.
func (p *payload) value(names ...string) []byte {
	for _, name := range names {
		if raw := bytes.TrimSpace(p.fields[name]); len(raw) > 0 && string(raw) != "null" {
			return raw
		}
	}
	return []byte("{}")
}

func (p *payload) text(names ...string) string {
	for _, name := range names {
		var value *string
		if raw, ok := p.fields[name]; !ok {
			continue
		} else if err := json.Unmarshal(raw, &value); err != nil {
			p.err = app.Failf("%s: %s is not a string; give the payload as the client sends it", p.name, name)
			return ""
		}
		if value != nil && *value != "" {
			return *value
		}
	}
	return ""
}
