package code

// open.go evaluates functions that open files, and the handles that these functions return.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
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
	if path.known && (mode.text == "w" || mode.text == "wb" || mode.text == ">") {
		p := s.trace.Place(path.toTrace(), s.command.Scope)
		s.trace.Forget(p.Name)
	}
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

// loadObjects evaluates a function that loads objects from an open file or from a path. The objects can run code, so
// the call needs approval if it has downloaded or written the file itself.
func (in *interpreter) loadObjects(act library.Action, args value) {
	if loadsValues(act.Kind, args) {
		return
	}
	file := argument(args, 0)
	v := file.toTrace()
	v.Taint = fileContent(file).itemTaint()
	if IsURL(file.text) {
		v.Taint |= trace.FromNetwork
	}
	RunObjects(in.trace, in.command, v)
}

// loadsValues reports whether the arguments of a function allow only objects that cannot run code.
func loadsValues(kind library.Kind, args value) bool {
	name, position := "weights_only", -1
	switch kind {
	case library.LoadObjects:
		return false
	case library.LoadArray:
		name, position = "allow_pickle", 2
	case library.LoadByType:
		name, position = "Loader", 1
	}
	setting, ok := args.entry(name)
	if !ok {
		setting = argument(args, position)
	}
	switch text := setting.name + setting.text; kind {
	case library.LoadTensor:
		return setting.name == "True"
	case library.LoadArray:
		return text == "" || text == "0" || text == off
	default:
		return words.OneOf(words.AfterLast(text, "."), "SafeLoader CSafeLoader BaseLoader CBaseLoader FullLoader CFullLoader")
	}
}

// RunObjects adds an opaque effect for a file with objects if the call has downloaded or decoded the file, or has
// written it as a text. The value has the taints of the known content.
func RunObjects(t *trace.Trace, c *trace.Command, file trace.Value) {
	taint := file.Taint
	if !file.Partial {
		written := t.Content[t.Place(file, c.Scope).Name]
		taint |= written.Taint
		if written.Known && written.Text != "" {
			taint |= trace.FromProgram
		}
	}
	if taint.Has(trace.FromNetwork | trace.FromSocket | trace.Decoded | trace.FromProgram) {
		t.RunUnknown(c, taint, "loads objects from "+file.Text+", which the same command has written")
	}
}
