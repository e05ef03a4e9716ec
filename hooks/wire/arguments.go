package wire

import (
	"errors"

	"guardrails/internal/document"
)

var errArguments = errors.New("the arguments are not a JSON object")

// ParseArguments reads an event that comes as the arguments of a tool call: the client puts each field of its document
// into a text, the input of a tool as JSON, and leaves the text of a field empty that the document lacks. strict says
// that the settings' entry asks for refusals where others ask.
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
		if m.Name == "strict" {
			// Whatever else stands there, somebody wanted it.
			strict = string(m.Raw) != "false"
			continue
		}
		if wrong := e.setText(m); wrong != nil && err == nil {
			err = wrong
		}
	}
	return e, strict, err
}

// setText keeps a field that stands in a text.
func (e *Event) setText(m document.Member) error {
	text, ok := document.Text(m.Raw)
	switch {
	case !ok:
		return &WrongType{m.Name}
	case text == "":
		return nil
	case m.Name == "tool_input":
		// Without this an input that is cut off would pass for another one.
		if _, err := document.Members([]byte(text)); err != nil {
			return &WrongType{m.Name}
		}
		return e.set(document.Member{Name: m.Name, Raw: []byte(text)})
	}
	if into := e.text(m.Name); into != nil {
		*into = text
	}
	return nil
}
