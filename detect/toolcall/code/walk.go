package code

// walk.go handles files that the code finds in folders, and the effects of deleting such files.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// walkedList returns the result of a search for files. It is a list with one item, which stands for everything that is
// found.
func walkedList(pattern value) value {
	return &data{list: true, items: []value{walkedItem(pattern)}}
}

func walkedItem(pattern value) value {
	pattern = pattern.clone()
	pattern.walked = true
	pattern.from = ""
	return pattern
}

// entriesOf returns a list that stands for the content of a folder. It has paths if full is set, and names otherwise.
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

// walk returns the result of os.walk in Python, which lists each folder with the names of its folders and files.
func walk(folder value) value {
	names := entriesOf(folder, false)
	return &data{list: true, items: []value{{list: true, items: []value{folder, names, names}}}}
}

// removeWalked adds the deletion or emptying of files that a search has found. If the code contains an ending such as
// ".log", only files with that ending are removed.
func (s *system) removeWalked(v value, r trace.Removal) {
	path := s.withEnding(v)
	if path.Text == "" {
		return
	}
	base := trace.BaseName(path.Text)
	path.Glob = strings.ContainsAny(base, "*?[")
	every := base == "*" || base == "**" || base == "**/*" || path.Partial && !path.Glob
	r.Tree, r.Found = r.Tree || every, true
	s.trace.Remove(path, s.command.Scope, s.command.Span, r)
}

// withEnding returns the path of files that a search has found. If the code contains an ending such as ".log", the path
// has that ending.
func (s *system) withEnding(v value) trace.Value {
	path := v.toTrace()
	if s.ending != "" && trace.BaseName(path.Text) == "*" {
		path.Text = strings.TrimSuffix(path.Text, "*") + s.ending
	}
	return path
}

// written returns the paths that a call writes. A path that a search has found is a glob. If the search also looks into
// folders such as .claude, a file of the guard that it may find stands for all.
func (s *system) written(v value) []trace.Value {
	var out []trace.Value
	for _, item := range v.asList() {
		switch {
		case item.list:
			out = append(out, s.written(item)...)
		case !item.walked || !item.known:
			out = append(out, item.toTrace())
		default:
			path := s.withEnding(item)
			path.Glob = strings.ContainsAny(path.Text, "*?[")
			out = append(out, path)
			if item.dotted && trace.BaseName(path.Text) != "*" {
				out[len(out)-1].Text = s.guardFile(path)
			}
		}
	}
	return out[:min(len(out), trace.MaxFields)]
}

// guardFile returns the first file of the guard that a glob may match, or the glob if there is none.
func (s *system) guardFile(glob trace.Value) string {
	p := s.trace.Place(glob, s.command.Scope)
	for _, file := range s.trace.GuardFiles() {
		if s.trace.MayBe(p.Abs, file) {
			return file
		}
	}
	return glob.Text
}

// listed returns the names in a folder, or the names at any depth below it.
func listed(folder, args value) value {
	found := entriesOf(folder, false)
	if isRecursive(args) {
		found.items[0].text, found.items[0].dotted = "**/*", true
	}
	return found
}

// matching returns the paths that match a pattern.
func matching(pattern, args value) value {
	found := walkedList(pattern)
	_, found.items[0].dotted = argument(args, 1).entry("dot")
	return found
}

// noteEnding remembers a text of the code if the code probably looks for files with this ending, or for a folder
// with this name.
func (s *system) noteEnding(text string) {
	switch {
	case len(text) < 2 || len(text) > 24 || strings.ContainsAny(text, " /\n%:()") || trace.IsGuardFolder(text):
	case text[0] == '.' && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789._-") == "" && text != "..":
		s.ending = "*" + text
	case strings.HasPrefix(text, "*."):
		s.ending = text
	case strings.HasPrefix(text, "__") && trace.IsRegenerable(text):
		s.ending = text
	}
}
