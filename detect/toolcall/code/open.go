package code

// open.go evaluates functions that open files, and the handles that these functions return.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// open evaluates a function that opens a file. One of the arguments may be the mode.
func (s *system) open(path, args value, pathArg int) value {
	mode := argument(args, pathArg+1)
	if v, ok := args.entry("mode"); ok {
		mode = v
	}
	return s.openAs(path, mode)
}

func (s *system) openAs(path, mode value) value {
	out := &data{text: path.toTrace().Text, known: path.known, kind: fileObject, taint: path.taint}
	if !hasWriteFlag(mode) && (strings.HasPrefix(mode.text, "$") || !strings.ContainsAny(mode.text, "waxc+>")) {
		content := s.readPaths(path)
		out.taint |= content.taint
		out.items = []value{content}
		return out
	}
	s.writePaths(path)
	return out
}

// hasWriteFlag reports whether the mode contains a flag that allows writing, such as os.O_WRONLY.
func hasWriteFlag(mode value) bool {
	for _, flag := range [...]string{"O_WRONLY", "O_RDWR", "O_TRUNC", "O_CREAT", "O_APPEND"} {
		if strings.Contains(mode.text, flag) || strings.Contains(mode.name, flag) {
			return true
		}
	}
	return false
}

// openFileOrPipe evaluates the function open of Perl or Ruby. In Perl, the call has a form such as open(F, ">x"),
// open(F, "|cmd") or open(F, ">", "x"). In Ruby, it has a form such as open("|cmd").
func (in *interpreter) openFileOrPipe(args value) value {
	items := args.items
	handle := ""
	if in.language == trace.Perl && len(items) > 0 {
		handle = strings.TrimPrefix(items[0].toTrace().Text, "$")
		items = items[1:]
	}
	if len(items) == 0 {
		return &data{}
	}
	v := in.openBySpec(items)
	if handle != "" {
		in.vars[handle] = v
	}
	return v
}

// openBySpec evaluates a call that opens a file or runs a command. The parameter items holds the arguments after the
// handle.
func (s *system) openBySpec(items []value) value {
	spec := strings.TrimSpace(items[0].text)
	last := items[len(items)-1]
	switch {
	case s.language == trace.Perl && len(items) > 1 && strings.ContainsAny(spec, "|-"):
		command := &data{list: len(items) > 2, items: items[1:], text: last.text, known: last.known, taint: last.taint}
		return s.processValue(items[1], s.runText(command))
	case strings.HasPrefix(spec, "|"):
		return s.processValue(textValue(spec[1:]), s.runText(partOf(items[0], spec[1:])))
	case s.language == trace.Perl && strings.HasSuffix(spec, "|"):
		return s.processValue(textValue(spec), s.runText(partOf(items[0], strings.TrimSuffix(spec, "|"))))
	case strings.Contains(spec, "&"):
		if s.seen.connected {
			s.trace.Mark(s.command, "connects its input and output to the network", effect.ReverseShell)
		}
		return &data{}
	case s.language != trace.Perl:
		return s.openAs(items[0], argument(&data{items: items}, 1))
	case len(items) > 1:
		return s.openAs(items[1], items[0])
	}
	mode := strings.TrimRight(spec[:len(spec)-len(strings.TrimLeft(spec, "+<> "))], " ")
	return s.openAs(partOf(items[0], strings.TrimLeft(spec, "+<> ")), textValue(mode))
}

// partOf returns a part of the text v. It has the taint of the whole text.
func partOf(v value, part string) value {
	return &data{text: part, known: v.known, taint: v.taint}
}

// readHandle returns what Perl reads from the handle with this name.
func (in *interpreter) readHandle(name string) value {
	if v, ok := in.vars[name]; ok {
		return fileContent(v)
	}
	return &data{taint: in.implicitTaint()}
}

func fileContent(v value) value {
	if v.kind == fileObject && len(v.items) > 0 {
		return v.items[0]
	}
	return &data{taint: v.taint, text: v.text, known: v.known && v.kind == processObject}
}
