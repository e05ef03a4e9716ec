package files

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// EditFile analyzes a script of sed or Perl that changes a file. If the call has written the file, and the script
// replaces one plain text with another, the new content is known.
func EditFile(t *trace.Trace, v trace.Value, sc *trace.Scope, script string) {
	name := t.Place(v, sc).Name
	if content, written := t.Content[name]; written && content.Known {
		if text, ok := substituted(script, content.Text); ok {
			t.Remember(name, trace.Flow{Text: text, Known: true, Taint: content.Taint})
			return
		}
	}
	t.Inserts(v, sc, EditText(script))
}

// substituted() applies a command such as s/a/b/ to each line of a text. It returns false for any other script. It also
// returns false if the script has special characters, except ^ at the beginning and $ at the end of the pattern.
func substituted(script, text string) (string, bool) {
	script = strings.TrimSpace(script)
	if len(script) < 4 || script[0] != 's' || isWordByte(script[1]) || script[1] <= ' ' {
		return "", false
	}
	pattern, rest := sedPart(script[2:], script[1])
	with, options := sedPart(rest, script[1])
	pattern, atStart := strings.CutPrefix(pattern, "^")
	pattern, atEnd := strings.CutSuffix(pattern, "$")
	if options != "" && options != "g" || strings.ContainsAny(pattern, `\.*[]^$+?(){}|`) || strings.ContainsAny(with, `\&$@`) {
		return "", false
	}
	count := 1
	if options == "g" {
		count = -1
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case i == len(lines)-1 && line == "": // the text ends with a newline
		case atStart && (!atEnd || line == pattern) && strings.HasPrefix(line, pattern):
			lines[i] = with + line[len(pattern):]
		case atStart:
		case atEnd && strings.HasSuffix(line, pattern):
			lines[i] = strings.TrimSuffix(line, pattern) + with
		case !atEnd && pattern != "":
			lines[i] = strings.Replace(line, pattern, with, count)
		}
	}
	return strings.Join(lines, "\n"), true
}
