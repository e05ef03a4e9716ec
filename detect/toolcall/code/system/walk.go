package system

// walk.go handles files that the code finds in folders, and the effects of deleting such files.

import (
	"strings"

	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
)

// WalkedList returns the result of a search for files. The result is a list with one item. This item stands for all
// files that the search finds.
func WalkedList(pattern value.Value) value.Value {
	return value.List(WalkedItem(pattern))
}

// WalkedItem returns a value that stands for all files that a search finds.
func WalkedItem(pattern value.Value) value.Value {
	pattern = pattern.Clone()
	pattern.Walked = true
	pattern.From = ""
	return pattern
}

// EntriesOf returns a list that stands for the content of a folder. If the parameter "full" is set, the list has paths.
// Otherwise, it has names.
func EntriesOf(folder value.Value, full bool) value.Value {
	name := value.Text("*")
	if !full {
		return WalkedList(name)
	}
	if folder.IsEmpty() {
		folder = value.Text(".")
	}
	return WalkedList(value.JoinPath(folder, name))
}

// Walk returns the result of os.walk in Python, which lists each folder with the names of its folders and files.
func Walk(folder value.Value) value.Value {
	names := EntriesOf(folder, false)
	return value.List(value.List(folder, names, names))
}

// removeWalked adds the deletion of the files that a search finds. If the code contains an ending such as ".log", only
// files with this ending are deleted.
func (s *System) removeWalked(v value.Value, r trace.Removal) {
	path := s.withEnding(v)
	if path.Text == "" {
		return
	}
	base := trace.BaseName(path.Text)
	path.Glob = strings.ContainsAny(base, "*?[")
	every := base == "*" || base == "**" || base == "**/*" || path.Partial && !path.Glob
	r.Tree, r.Found = r.Tree || every, true
	s.Trace.Remove(path, s.Command.Scope, s.Command.Span, r)
}

// withEnding returns a path for the files that a search finds. If the search finds all names and the code contains an
// ending such as ".log", the path ends with "*.log". A text such as ".log" does not count as an ending if it is the
// name of a folder in the path.
func (s *System) withEnding(v value.Value) trace.Value {
	path := v.ToTrace()
	if s.ending != "" && trace.BaseName(path.Text) == "*" && !strings.Contains("/"+path.Text, "/"+strings.TrimPrefix(s.ending, "*")+"/") {
		path.Text = strings.TrimSuffix(path.Text, "*") + s.ending
	}
	return path
}

// written() returns the paths that a call writes. If a search has found the files, the path is a glob. If the search
// also looks into folders whose names begin with a dot, it may find a file of the guard. In this case, the result
// contains this file instead of the glob.
func (s *System) written(v value.Value) []trace.Value {
	var out []trace.Value
	for _, item := range v.AsList() {
		switch {
		case item.List:
			out = append(out, s.written(item)...)
		case !item.Walked || !item.Known:
			out = append(out, item.ToTrace())
		default:
			path := s.withEnding(item)
			path.Glob = strings.ContainsAny(path.Text, "*?[")
			out = append(out, path)
			if item.Dotted && trace.BaseName(path.Text) != "*" {
				out[len(out)-1].Text = s.guardFile(path)
			}
		}
	}
	return out[:min(len(out), trace.MaxFields)]
}

// guardFile returns the first file of the guard that a glob may match. If there is no such file, guardFile returns the
// glob itself.
func (s *System) guardFile(glob trace.Value) string {
	p := s.Trace.Place(glob, s.Command.Scope)
	for _, file := range s.Trace.GuardFiles() {
		if s.Trace.MayBe(p.Abs, file) {
			return file
		}
	}
	return glob.Text
}

// Listed is a function that returns the names of the entries of a folder. If the call is recursive, it includes the
// entries of all subfolders.
func Listed(folder, args value.Value) value.Value {
	found := EntriesOf(folder, false)
	if isRecursive(args) {
		found.Items[0].Text, found.Items[0].Dotted = "**/*", true
	}
	return found
}

// Matching is a function that returns the paths that match a pattern.
func Matching(pattern, args value.Value) value.Value {
	found := WalkedList(pattern)
	_, found.Items[0].Dotted = value.Argument(args, 1).Entry("dot")
	return found
}

// NoteEnding remembers a text of the code if the text may be the ending of files, or the name of a folder, for which
// the code looks.
func (s *System) NoteEnding(text string) {
	switch {
	case len(text) < 2 || len(text) > 24 || strings.ContainsAny(text, " /\n%:()") || trace.IsGuardFolder(text) || text == ".git":
	case text[0] == '.' && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789._-") == "" && text != "..":
		s.ending = "*" + text
	case strings.HasPrefix(text, "*."):
		s.ending = text
	case strings.HasPrefix(text, "__") && trace.IsRegenerable(text):
		s.ending = text
	}
}
