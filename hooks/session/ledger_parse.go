package session

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"guardrails/internal/document"
)

// parseEntry reads a line of the ledger; false when it is not one of a known kind. Fields that are not known are left
// alone.
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

// set reads one field; false when its value is of another type.
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

// eachField hands the fields of a line to a function, until it says no. Lines are JSON objects as this package writes
// them: without space, and without lists or objects in them. That makes them quick to read, which every tool call has to
// do that a limit holds for.
func eachField(line string, set func(name, raw string) bool) bool {
	rest, ok := strings.CutPrefix(line, "{")
	if !ok || !utf8.ValidString(line) {
		return false
	}
	for {
		var name, raw string
		if name, rest, ok = cutValue(rest, ':'); !ok || name[0] != '"' {
			return false
		}
		raw, after, more := cutValue(rest, ',')
		if !more {
			if raw, after, ok = cutValue(rest, '}'); !ok || after != "" {
				return false
			}
		}
		if !set(name[1:len(name)-1], raw) {
			return false
		}
		if rest = after; !more {
			return true
		}
	}
}

// cutValue cuts a string or a word off a text, and the byte that must follow it.
func cutValue(text string, follows byte) (raw, rest string, ok bool) {
	end := 0
	if strings.HasPrefix(text, `"`) {
		end = stringEnd(text)
	} else {
		for end < len(text) && isLiteralByte(text[end]) {
			end++
		}
	}
	if end == 0 || end == len(text) || text[end] != follows {
		return "", "", false
	}
	return text[:end], text[end+1:], true
}

// isLiteralByte reports whether a byte can be in a number or a word such as true.
func isLiteralByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-'
}

// stringEnd is the place after the string that a text begins with; 0 when it has no end.
func stringEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// text is the value of a string.
func text(raw string) (string, bool) {
	if len(raw) >= 2 && raw[0] == '"' && strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], true
	}
	return document.Text([]byte(raw))
}

// keptText is the value of a string as the ledger would have kept it, whoever wrote the line.
func keptText(raw string) (string, bool) {
	value, ok := text(raw)
	return kept(value), ok
}

func boolean(raw string) (value, ok bool) { return raw == "true", raw == "true" || raw == "false" }
