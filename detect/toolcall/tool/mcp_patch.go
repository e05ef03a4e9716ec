package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

func isDiff(text string) bool {
	return strings.HasPrefix(text, "diff ") || strings.Contains(text, "+++ ") || strings.Contains(text, "*** ")
}

// patchTargets adds the effect of writing or deleting each file that a diff changes. It understands diffs of git and
// the patch format of coding agents.
func patchTargets(t *trace.Trace, f *foreignCall, text string, span effect.Span) {
	old := ""
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r\n")
		kind, name := patchLine(line)
		switch kind {
		case verbRead:
			old = name
		case verbRemove:
			t.Remove(trace.Value{Text: name}, f.sc, span, trace.Removal{How: "deletes"})
		case verbWrite:
			if name == "/dev/null" {
				t.Remove(trace.Value{Text: old}, f.sc, span, trace.Removal{How: "deletes"})
				continue
			}
			t.Write(trace.Value{Text: name}, f.sc, span)
		}
		if t.Full {
			return
		}
	}
}

// patchLine returns what happens to a file according to a line of a diff, and the name of that file. It returns 0 for a
// line without the name of a file.
func patchLine(line string) (toolVerb, string) {
	for _, head := range [...]struct {
		text string
		verb toolVerb
	}{
		{"--- ", verbRead},
		{"+++ ", verbWrite},
		{"rename from ", verbRemove},
		{"rename to ", verbWrite},
		{"copy to ", verbWrite},
		{"*** Add File: ", verbWrite},
		{"*** Update File: ", verbWrite},
		{"*** Move to: ", verbWrite},
		{"*** Delete File: ", verbRemove},
	} {
		if name, ok := strings.CutPrefix(line, head.text); ok {
			name, _, _ = strings.Cut(name, "\t")
			name = strings.Trim(name, `" `)
			if head.text[0] == '-' || head.text[0] == '+' {
				name = strings.TrimPrefix(strings.TrimPrefix(name, "a/"), "b/")
			}
			return head.verb, name
		}
	}
	return 0, ""
}
