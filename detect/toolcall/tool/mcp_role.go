package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// learn adds the verbs that a call's arguments give away: a word for what is to be done, or a content beside a path.
func (f *foreignCall) learn() {
	var hasPath, hasContent bool
	for _, m := range f.args {
		name := plainName(m.Name)
		text, isText := document.Text(m.Raw)
		switch name {
		case words.Among(name, "command action operation op mode"):
			if isText && !f.verbs.has(verbRun) {
				f.learnVerb(name, text)
			}
		case words.Among(name, "content contents text filetext data newtext newstr newstring newcontent edits append body lines"):
			hasContent = true
		default:
			hasPath = hasPath || roleOf(name, f.verbs) == rolePath
		}
	}
	if hasPath && hasContent && !f.verbs.has(onPath) {
		f.verbs |= verbWrite
	}
}

// learnVerb takes over what a call is told to do. An editor that serves for everything does nothing else.
func (f *foreignCall) learnVerb(name, text string) {
	var told toolVerb
	for _, word := range nameWords(text) {
		told |= verbOf(word) & onPath &^ (verbGet | verbSend)
	}
	if told == 0 {
		return
	}
	if name == "command" && (strings.Contains(f.tool, "editor") || strings.Contains(f.tool, "edit_tool")) {
		f.verbs = 0
	}
	f.verbs |= told
}

// guess is the part of an argument whose name alone does not say it.
func (f *foreignCall) guess(name, text string) role {
	use := roleOf(name, f.verbs)
	switch {
	case use == roleCode && name == "program" && (len(f.words) > 0 || !strings.ContainsAny(text, " \n(;")):
		return roleCommand
	case use != roleData:
		return use
	}
	switch name {
	case "patch", "diff", "input", "patchtext":
		if f.verbs.has(verbWrite) && isDiff(text) {
			return rolePatch
		}
	case words.Among(name, "output out outfile outputdir saveto saveas savedir outputto"):
		if f.verbs.has(verbWrite|verbGet) && looksLikePath(text) {
			return roleTarget
		}
	case words.Among(name, "location where document name key target destination to into"):
		if f.verbs.has(verbWrite|verbRemove|verbTidy) && f.speaksOfFiles() && looksLikePath(text) {
			return rolePath
		}
	}
	return roleData
}

// speaksOfFiles reports whether a tool's name has nothing in it but verbs and words for files: write, save_document.
func (f *foreignCall) speaksOfFiles() bool {
	for _, word := range nameWords(f.tool) {
		if word == words.Among(word, "file files text document doc content contents to a or and disk fs folder directory note path") {
			continue
		}
		if verbOf(word)&onPath == 0 {
			return false
		}
	}
	return true
}

// looksLikePath reports whether a text is more likely a path than a word or a sentence.
func looksLikePath(text string) bool {
	if text == "" || len(text) > maxPathSize || strings.ContainsAny(text, "\n\t<>{}") || strings.Contains(text, "://") {
		return false
	}
	if trace.IsAbsolute(trace.Slashes(text)) || strings.HasPrefix(text, "~") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") {
		return true
	}
	return !strings.Contains(text, " ") && strings.ContainsAny(strings.TrimRight(text, "."), "./")
}

// namesFiles reports whether an object's names are files with what they hold, and not the fields of a single one.
func (f *foreignCall) namesFiles(outer string, members []document.Member) bool {
	switch outer {
	case words.Among(outer, "files file filecontents documents contents changes"):
	default:
		return false
	}
	for _, m := range members {
		switch name := plainName(m.Name); name {
		case "", "content", "contents", "text", "data", "name", "encoding", "mode", "type", "edits":
			return false
		default:
			if roleOf(name, f.verbs) != roleData {
				return false
			}
		}
	}
	return true
}

func isDiff(text string) bool {
	return strings.HasPrefix(text, "diff ") || strings.Contains(text, "+++ ") || strings.Contains(text, "*** ")
}

// patchTargets notes the files that a diff changes, in git's form or in that of patches for agents.
func patchTargets(t *trace.Trace, f *foreignCall, text string, span effect.Span) {
	old := ""
	for line := range strings.Lines(text) {
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

// patchLine is what a line of a diff says of a file, and which.
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
