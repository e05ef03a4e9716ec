package session

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"guardrails/internal/document"
)

// parseEntry parses a line of the ledger. It returns false if the kind is unknown. It ignores unknown fields.
func parseEntry(line string) (Entry, bool) {
	var e Entry
	if !eachField(line, e.set) {
		return Entry{}, false
	}
	switch e.Kind {
	case Wrote, Committed, Tested, Chose, Noticed, markKind:
		return e, true
	}
	return Entry{}, false
}

// set() stores the value of one field. It returns false if the value has the wrong type.
func (e *Entry) set(name, raw string) (ok bool) {
	switch name {
	case "kind":
		var kind string
		kind, ok = text(raw)
		e.Kind = Kind(kind)
	case "path":
		e.Path, ok = keptText(raw)
	case "command":
		e.Command, ok = keptText(raw)
	case "choice":
		e.Choice, ok = keptText(raw)
	case "name":
		e.Name, ok = keptText(raw)
	case "tool_use_id":
		e.ToolUseID, ok = keptText(raw)
	case "source":
		e.Source, ok = boolean(raw)
	case "planned":
		e.Planned, ok = boolean(raw)
	case "passed":
		e.Passed, ok = boolean(raw)
	case "times":
		times, err := strconv.ParseInt(raw, 10, 32)
		e.times, ok = int(times), err == nil
	default:
		ok = true
	}
	return ok
}

// maxDepth limits how deeply the values in a line may nest. This package writes no nested values, but a later version
// could write them.
const maxDepth = 8

// eachField calls set() for each field of a line, until set() returns false. It reports whether the line is a JSON
// object and set() accepted every field.
func eachField(line string, set func(name, raw string) bool) bool {
	s := document.ScanString(line, maxDepth)
	return strings.HasPrefix(line, "{") && utf8.ValidString(line) && s.Object(func(name string) bool {
		raw, ok := s.Raw()
		return ok && set(name, raw)
	}) && s.End()
}

// text() decodes a JSON string.
func text(raw string) (string, bool) {
	if len(raw) >= 2 && raw[0] == '"' && strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], true
	}
	return document.Text([]byte(raw))
}

// keptText decodes a JSON string and returns it in the form that the ledger keeps. Another program may have written the
// line in a different form.
func keptText(raw string) (string, bool) {
	value, ok := text(raw)
	return kept(value), ok
}

func boolean(raw string) (value, ok bool) { return raw == "true", raw == "true" || raw == "false" }
