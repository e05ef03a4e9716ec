package wire

import (
	"errors"

	"guardrails/internal/document"
)

var errArguments = errors.New("the arguments are not a JSON object")

// ParseArguments reads an event from the arguments of a tool call. The client writes every field of the arguments as a
// string, even the tool's input. It writes a missing field as an empty string. The result "strict" reports whether
// the client's settings request denials instead of questions.
func ParseArguments(text []byte) (e Event, strict bool, err error) {
	text = trimmed(text)
	if len(text) == 0 || text[0] != '{' {
		return e, false, errArguments
	}
	members, err := document.Members(text)
	if err != nil {
		return e, false, errors.New("the arguments: " + err.Error())
	}
	for _, m := range members {
		if isResult(m.Name) && string(m.Raw) != `""` {
			e.Text = text
		}
		if m.Name == "strict" {
			// Any value except false means true, because somebody has set the argument.
			strict = string(m.Raw) != "false"
			continue
		}
		if wrong := e.setText(m); wrong != nil && err == nil {
			err = wrong
		}
	}
	return e, strict, err
}

// isResult reports whether a field has the result of a tool call or the final answer of the model. If an earlier
// version of "guardrails init" wrote the entry in the client's settings, the client does not send these fields.
func isResult(name string) bool {
	return name == "tool_response" || name == "error" || name == "last_assistant_message"
}

// setText stores a field that the client has written as a string.
func (e *Event) setText(m document.Member) error {
	text, ok := document.Text(m.Raw)
	switch {
	case !ok:
		return &WrongType{m.Name}
	case text == "":
		return nil
	case m.Name == "tool_input":
		// Without this check, a cut-off input could be read as a different input.
		if _, err := document.Members([]byte(text)); err != nil {
			return &WrongType{m.Name}
		}
		return e.set(document.Member{Name: m.Name, Raw: []byte(text)})
	case m.Name == "tool_response":
		e.Response = []byte(text)
		return nil
	}
	if into := e.text(m.Name); into != nil {
		return e.put(into, text)
	}
	return nil
}
