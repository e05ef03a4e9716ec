package code

// Files that the code finds in folders, and what happens when it deletes them.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// walkedList returns the list of what a search finds, as one item that stands for all.
func walkedList(pattern value) value {
	return &data{list: true, items: []value{walkedItem(pattern)}}
}

func walkedItem(pattern value) value {
	pattern = pattern.clone()
	pattern.walked = true
	pattern.from = ""
	return pattern
}

// entriesOf returns what a folder contains: names, or paths if full is set.
func entriesOf(folder value, full bool) value {
	name := textValue("*")
	if !full {
		return walkedList(name)
	}
	if folder.isEmpty() {
		folder = textValue(".")
	}
	return walkedList(joinPath(folder, name))
}

// walk returns what Python's os.walk returns: folders, each with the names of its folders and files.
func walk(folder value) value {
	names := entriesOf(folder, false)
	return &data{list: true, items: []value{{list: true, items: []value{folder, names, names}}}}
}

// removeWalked adds the deletion of what a search finds. The code may delete only files with an ending that it names.
func (s *system) removeWalked(v value) {
	path := v.toTrace()
	if path.Text == "" {
		return
	}
	base := trace.BaseName(path.Text)
	if ending := s.ending; ending != "" && base == "*" {
		path.Text = strings.TrimSuffix(path.Text, "*") + ending
		base = ending
	}
	path.Glob = strings.ContainsAny(base, "*?[")
	every := base == "*" || base == "**" || base == "**/*" || path.Partial && !path.Glob
	how := trace.Removal{Tree: every, Found: true, How: "deletes"}
	s.trace.Remove(path, s.command.Scope, s.command.Span, how)
}

// noteEnding remembers the ending of files, or the name of a folder, that the code looks for.
func (s *system) noteEnding(text string) {
	switch {
	case len(text) < 2 || len(text) > 24 || strings.ContainsAny(text, " /\n%:()"):
	case text[0] == '.' && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789._-") == "" && text != "..":
		s.ending = "*" + text
	case strings.HasPrefix(text, "*."):
		s.ending = text
	case strings.HasPrefix(text, "__") && trace.IsRegenerable(text):
		s.ending = text
	}
}
