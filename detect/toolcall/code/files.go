package code

// files.go evaluates functions that read, write, move and delete files.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/trace"
)

func (s *system) performFile(act library.Action, args value) value {
	first := argument(args, act.Arg)
	if len(args.items) <= act.Arg {
		first, _ = args.entry("path", "file", "src", "filename", "target")
	}
	switch act.Kind {
	case library.ReadFile:
		return s.readPaths(first)
	case library.RemoveFile, library.RemoveTree:
		paths := &data{list: true, items: removed(args.items[min(act.Arg, len(args.items)):])}
		s.removePaths(paths, act.Kind == library.RemoveTree || isRecursive(args))
	case library.LinkPath:
		for _, v := range argument(args, 0).flatten() {
			s.trace.MarkCopied(s.command, v, true, true)
		}
		s.writePaths(first)
		s.moveSecrets(argument(args, 0), first)
	case library.TruncateFile:
		if size := argument(args, 1); size.text == "0" || size.isEmpty() {
			s.savePath(first, textValue(""))
		}
		s.writePaths(first)
	case library.WriteFile, library.ChangeOwner:
		s.writePaths(first)
	case library.SaveFile:
		s.savePath(first, argument(args, act.Arg+1))
	case library.AppendToFile:
		p := s.trace.Place(first.toTrace(), s.command.Scope)
		s.savePath(first, s.after(&p, argument(args, act.Arg+1)))
	case library.OpenStream:
		if mode, ok := argument(args, act.Arg+1).entry("flags"); ok {
			return s.openAs(first, mode)
		}
		return s.openAs(first, textValue("w"))
	case library.SaveContentFirst:
		s.savePath(argument(args, act.Arg), argument(args, 0))
	case library.MovePath:
		s.movePaths(first, argument(args, act.Arg+1))
	case library.CopyPath:
		s.copyPaths(first, argument(args, act.Arg+1))
	case library.CopyTree:
		s.copyTree(first, argument(args, act.Arg+1))
	case library.UnpackInto:
		s.unpackInto(first, args)
	case library.OpenFile:
		return s.open(first, args, act.Arg)
	case library.ChangeMode:
		s.changeModes(args, act.Arg)
	}
	return &data{taint: args.itemTaint() & trace.FromSecret}
}

// removed returns the paths that a call deletes: its arguments without options and functions.
func removed(args []value) []value {
	var out []value
	for _, v := range args {
		if v.fn == nil && !strings.HasPrefix(v.text, "-") && (len(v.pairs) == 0 || len(v.items) > 0) {
			out = append(out, v)
		}
	}
	return out
}

// isRecursive reports whether a call has the option "recursive", whatever its value is.
func isRecursive(args value) bool {
	check := args.pairs
	for _, item := range args.items {
		check = append(check[:len(check):len(check)], item.pairs...)
	}
	for _, p := range check {
		if p.key == "recursive" {
			return true
		}
	}
	return false
}

// readPaths adds the effects of reading files, and returns the content of the last one. A path may be a URL, or stand
// for the input.
func (s *system) readPaths(paths value) value {
	out := &data{}
	for _, v := range paths.flatten() {
		var content data
		switch {
		case v.Text == "" || v.Text == "0" || v.Text == "/dev/stdin" || v.Text == "php://stdin" || v.Text == "-":
			content = *s.stdin()
		case IsURL(v.Text):
			content = *s.fetchAddress(&data{text: v.Text, known: !v.Partial, taint: v.Taint}, &data{})
		default:
			f := s.trace.ReadFlow(v, s.command.Scope, s.command.Span)
			content = data{text: f.Text, known: f.Known, taint: f.Taint}
			if file := f.From(); file != "" && !f.Known {
				content.text = trace.TextOfFile(file)
			}
		}
		content.taint |= out.taint
		out = &content
	}
	return out
}

func (s *system) writePaths(paths value) {
	for _, v := range s.written(paths) {
		s.unsure.writes = s.unsure.writes || v.Partial && !trace.KnownPrefix(v.Text)
		if !isStream(v.Text) {
			s.trace.Write(v, s.command.Scope, s.command.Span)
		}
	}
}

// isStream reports whether a path is a stream or a URL rather than a file.
func isStream(path string) bool {
	return strings.HasPrefix(path, "php://") || IsURL(path) || path == "-"
}

// savePath adds a write of files, and remembers their content if it is known.
func (s *system) savePath(path, content value) {
	if path.walked && content.known && content.text == "" {
		s.removeWalked(path, trace.Removal{How: "empties"})
	}
	for _, v := range s.written(path) {
		if isStream(v.Text) {
			continue
		}
		s.unsure.writes = s.unsure.writes || v.Partial && !trace.KnownPrefix(v.Text)
		if name := s.trace.Write(v, s.command.Scope, s.command.Span); name != "" && !v.Partial {
			s.trace.Remember(name, trace.Flow{Text: content.text, Known: content.known, Taint: content.itemTaint()})
		}
	}
}

func (s *system) removePaths(paths value, tree bool) {
	how := trace.Removal{Tree: tree, How: "deletes"}
	if paths.walked && !paths.list {
		s.removeWalked(paths, how)
		return
	}
	for i, item := range paths.items {
		if item.walked && !item.list || len(item.items) > 0 && item.items[0].walked {
			for _, v := range item.asList() {
				s.removeWalked(v, how)
			}
			rest := append(append([]value{}, paths.items[:i]...), paths.items[i+1:]...)
			s.removePaths(&data{list: true, items: rest}, tree)
			return
		}
	}
	for _, v := range paths.flatten() {
		s.unsure.deletes = s.unsure.deletes || v.Partial && !trace.KnownPrefix(v.Text)
		if strings.ContainsAny(v.Text, "*?") && s.language == trace.Perl {
			s.removeWalked(&data{text: v.Text, known: true, walked: true}, how)
			continue
		}
		if v.Text != "" {
			s.trace.Remove(v, s.command.Scope, s.command.Span, how)
		}
	}
}

// movePaths adds the effects of the program mv.
func (s *system) movePaths(from, to value) {
	c := *s.command
	c.Name, c.Argv = "mv", append([]trace.Value{{Text: "mv"}, {Text: "--"}}, from.flatten()...)
	c.Argv = append(c.Argv, to.toTrace())
	s.unsure.writes = s.unsure.writes || !to.known
	s.trace.Find("mv")(s.trace, &c)
}

// moveSecrets records the new paths of files with secrets.
func (s *system) moveSecrets(from, to value) {
	for _, v := range to.flatten() {
		s.trace.MoveSecrets(s.command, from.flatten(), v)
	}
}

func (s *system) copyPaths(from, to value) {
	for _, v := range from.flatten() {
		s.trace.MarkCopied(s.command, v, true, false)
	}
	content := s.readPaths(from)
	s.savePath(to, content)
}

// copyTree evaluates a function that copies a folder into another one.
func (s *system) copyTree(from, to value) {
	s.copyPaths(from, to)
	v := to.toTrace()
	if s.language != trace.Ruby {
		v.Text = strings.TrimRight(v.Text, "/") // in Ruby, "x/" stands for a new folder in x
	}
	files.MarkFolders(s.trace, s.command, from.flatten(), v)
}

// unpackInto evaluates a function that unpacks an archive. Without a folder, it unpacks into the current one.
func (s *system) unpackInto(folder, args value) value {
	if v, ok := args.entry("path", "extract_dir"); ok {
		folder = v
	}
	var folders []trace.Value
	if !folder.isEmpty() {
		folders = folder.flatten()
	}
	files.UnpackInto(s.trace, s.command, folders)
	return &data{}
}

// isSensitive reports whether a place holds a secret, is outside the project, or is the project as a whole.
func isSensitive(p *trace.Place) bool {
	return p.Zone == trace.System || p.Zone == trace.Outside || p.Zone == trace.Root || p.Secret
}

// changeModes adds a change of permissions. Inside the project, the change causes an event only if it sets the
// set-user-ID or set-group-ID bit, or gives everyone access to a secret or to the whole project.
func (s *system) changeModes(args value, pathArg int) {
	mode, path := argument(args, pathArg+1), argument(args, pathArg)
	if s.language == trace.Perl || s.language == trace.Ruby {
		mode, path = argument(args, 0), &data{list: true, items: args.items[min(1, len(args.items)):]}
	}
	if !mode.number {
		mode = mode.clone()
		mode.text = "0" + mode.text
	}
	bits, known := mode.integer()
	for _, v := range path.flatten() {
		p := s.trace.Place(v, s.command.Scope)
		e := s.trace.Emit(p.Effect(effect.Write, s.command.Span))
		s.trace.NoteNames(&p, e)
		switch {
		case known && bits&0o6000 != 0:
			e.Note("makes "+p.Name+" run with the rights of its owner or group", effect.PrivilegeGain)
		case known && bits&0o002 != 0 && isSensitive(&p):
			e.Note("gives everyone access to "+p.Name, effect.PermissionOpen)
		case p.Zone == trace.System:
			e.Note("changes the permissions of "+p.Name+", which belongs to the system", effect.SystemChange)
		}
	}
}
