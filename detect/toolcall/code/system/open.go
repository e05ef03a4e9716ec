package system

// open.go evaluates functions that open files, and the handles that these functions return.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
)

// open() evaluates a function that opens a file. One of the arguments may be the mode.
func (s *System) open(path, args value.Value, pathArg int) value.Value {
	mode := value.Argument(args, pathArg+1)
	if v, ok := args.Entry("mode"); ok {
		mode = v
	}
	return s.openAs(path, mode)
}

func (s *System) openAs(path, mode value.Value) value.Value {
	out := &value.Data{Text: path.ToTrace().Text, Known: path.Known, Kind: value.FileObject, Taint: path.Taint}
	if !hasWriteFlag(mode) && (strings.HasPrefix(mode.Text, "$") || !strings.ContainsAny(mode.Text, "waxc+>")) {
		content := s.ReadPaths(path)
		out.Taint |= content.Taint
		out.Items = []value.Value{content}
		return out
	}
	s.writePaths(path)
	if path.Known && (mode.Text == "w" || mode.Text == "wb" || mode.Text == ">") {
		p := s.Trace.Place(path.ToTrace(), s.Command.Scope)
		s.Trace.NoteReplaced(p.Name, trace.Flow{Known: true})
		s.Trace.Forget(p.Name)
	}
	return out
}

// hasWriteFlag reports whether the mode contains a flag that allows writing, such as os.O_WRONLY.
func hasWriteFlag(mode value.Value) bool {
	for _, flag := range [...]string{"O_WRONLY", "O_RDWR", "O_TRUNC", "O_CREAT", "O_APPEND"} {
		if strings.Contains(mode.Text, flag) || strings.Contains(mode.Name, flag) {
			return true
		}
	}
	return false
}

// OpenBySpec evaluates a call that opens a file or runs a command. The parameter "items" holds the arguments of the
// call without the handle.
func (s *System) OpenBySpec(items []value.Value) value.Value {
	spec := strings.TrimSpace(items[0].Text)
	last := items[len(items)-1]
	switch {
	case s.Language == trace.Perl && len(items) > 1 && strings.ContainsAny(spec, "|-"):
		command := &value.Data{List: len(items) > 2, Items: items[1:], Text: last.Text, Known: last.Known, Taint: last.Taint}
		return s.ProcessValue(items[1], s.RunText(command))
	case strings.HasPrefix(spec, "|"):
		return s.ProcessValue(value.Text(spec[1:]), s.RunText(value.PartOf(items[0], spec[1:])))
	case s.Language == trace.Perl && strings.HasSuffix(spec, "|"):
		return s.ProcessValue(value.Text(spec), s.RunText(value.PartOf(items[0], strings.TrimSuffix(spec, "|"))))
	case strings.Contains(spec, "&"):
		if s.Seen.Connected {
			s.Trace.Mark(s.Command, "connects its input and output to the network", effect.ReverseShell)
		}
		return &value.Data{}
	case s.Language != trace.Perl:
		return s.openAs(items[0], value.Argument(&value.Data{Items: items}, 1))
	case len(items) > 1:
		return s.openAs(items[1], items[0])
	}
	mode := strings.TrimRight(spec[:len(spec)-len(strings.TrimLeft(spec, "+<> "))], " ")
	return s.openAs(value.PartOf(items[0], strings.TrimLeft(spec, "+<> ")), value.Text(mode))
}

// FileContent returns the content of an open file, or the output of a running program.
func FileContent(v value.Value) value.Value {
	if v.Kind == value.FileObject && len(v.Items) > 0 {
		return v.Items[0]
	}
	return &value.Data{Taint: v.Taint, Text: v.Text, Known: v.Known && v.Kind == value.ProcessObject}
}
