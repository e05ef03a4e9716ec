package system

// files.go evaluates functions that read, write, move and delete files.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/trace"
)

// PerformFile performs the actions that read, write, move or delete files.
func (s *System) PerformFile(act library.Action, args value.Value) value.Value {
	first, given := value.Argument(args, act.Arg), true
	if strings.HasPrefix(first.Text, "-") && act.Kind >= library.MovePath && act.Kind <= library.CopyTree {
		act.Arg++ // options come first, as in shelljs.cp("-R", "x", "y")
		first = value.Argument(args, act.Arg)
	}
	if len(args.Items) <= act.Arg {
		first, given = args.Entry("path file src filename target root_dir")
	}
	switch act.Kind {
	case library.ReadFile:
		return s.ReadPaths(first)
	case library.RemoveFile, library.RemoveTree:
		paths := value.List(removed(args.Items[min(act.Arg, len(args.Items)):])...)
		s.RemovePaths(paths, act.Kind == library.RemoveTree || isRecursive(args))
	case library.LinkPath:
		for _, v := range value.Argument(args, 0).Flatten() {
			s.Trace.MarkCopied(s.Command, v, true, true)
		}
		s.writePaths(first)
		s.moveSecrets(value.Argument(args, 0), first)
	case library.TruncateFile:
		if size := value.Argument(args, 1); size.Text == "0" || size.IsEmpty() {
			s.SavePath(first, value.Text(""))
			s.noteEmptied(first)
		}
		s.writePaths(first)
	case library.WriteFile, library.ChangeOwner:
		if given {
			s.writePaths(first)
		}
	case library.SaveFile:
		content := value.Argument(args, act.Arg+1)
		s.SavePath(first, content)
		if content.Known && content.Text == "" {
			s.noteEmptied(first)
		}
	case library.AppendToFile:
		s.writePaths(first)
		s.FileWrite(&value.Data{Text: first.Text, Known: first.Known}, value.List(value.Argument(args, act.Arg+1)))
	case library.OpenStream:
		if mode, ok := value.Argument(args, act.Arg+1).Entry("flags"); ok {
			return s.openAs(first, mode)
		}
		return s.openAs(first, value.Text("w"))
	case library.SaveContentFirst:
		s.SavePath(value.Argument(args, act.Arg), value.Argument(args, 0))
	case library.MovePath:
		s.movePaths(first, value.Argument(args, act.Arg+1))
	case library.CopyPath:
		s.copyPaths(first, value.Argument(args, act.Arg+1), "")
	case library.CopyTree:
		suffix := "/."
		if s.Language == trace.Ruby { // as the program cp does, Ruby copies a folder into another folder
			suffix = ""
		}
		s.copyPaths(first, value.Argument(args, act.Arg+1), suffix)
	case library.UnpackInto:
		s.UnpackInto(first, args)
	case library.OpenFile:
		return s.open(first, args, act.Arg)
	case library.ChangeMode:
		s.changeModes(args, act.Arg)
	}
	return &value.Data{Taint: args.ItemTaint() & trace.FromSecret}
}

// removed() returns the paths that a call deletes. These paths are the arguments of the call, except options and
// functions.
func removed(args []value.Value) []value.Value {
	var out []value.Value
	for _, v := range args {
		if v.Function == nil && !strings.HasPrefix(v.Text, "-") && (len(v.Pairs) == 0 || len(v.Items) > 0) {
			out = append(out, v)
		}
	}
	return out
}

// isRecursive reports whether a call has the option "recursive", whatever its value is.
func isRecursive(args value.Value) bool {
	check := args.Pairs
	for _, item := range args.Items {
		check = append(check[:len(check):len(check)], item.Pairs...)
	}
	for _, p := range check {
		if p.Key == "recursive" {
			return true
		}
	}
	return false
}

// ReadPaths adds the effects of reading files, and returns the content of the last file. A path may also be a URL, or a
// name such as "-" for the input.
func (s *System) ReadPaths(paths value.Value) value.Value {
	out := &value.Data{}
	for _, v := range paths.Flatten() {
		var content value.Data
		switch {
		case v.Text == "" || v.Text == "0" || v.Text == "/dev/stdin" || v.Text == "php://stdin" || v.Text == "-":
			content = *s.Stdin()
		case trace.IsURL(v.Text):
			content = *s.FetchAddress(&value.Data{Text: v.Text, Known: !v.Partial, Taint: v.Taint}, &value.Data{})
		default:
			f := s.Trace.ReadFlow(v, s.Command.Scope, s.Command.Span)
			content = value.Data{Text: f.Text, Known: f.Known, Taint: f.Taint}
			if file := f.From(); file != "" && !f.Known {
				content.Text = trace.TextOfFile(file)
			}
		}
		content.Taint |= out.Taint
		out = &content
	}
	return out
}

func (s *System) writePaths(paths value.Value) {
	for _, v := range s.written(paths) {
		s.Unsure.Writes = s.Unsure.Writes || v.Partial && !trace.KnownPrefix(v.Text)
		if !isStream(v.Text) {
			s.Trace.Write(v, s.Command.Scope, s.Command.Span)
		}
	}
}

// isStream reports whether a path is a stream or a URL rather than a file.
func isStream(path string) bool {
	return strings.HasPrefix(path, "php://") || trace.IsURL(path) || path == "-"
}

// SavePath adds a write of files. If the new content of the files is known, SavePath remembers this content.
func (s *System) SavePath(path, content value.Value) { s.put(nil, path, content) }

// put() does the same as SavePath for a function that copies files or folders to a path. If the path may be a folder,
// the copies may be in that folder.
func (s *System) put(sources []trace.Value, path, content value.Value) {
	if path.Walked && content.Known && content.Text == "" {
		s.removeWalked(path, trace.Removal{How: "empties"})
	}
	for _, v := range s.written(path) {
		if isStream(v.Text) {
			continue
		}
		s.Unsure.Writes = s.Unsure.Writes || v.Partial && !trace.KnownPrefix(v.Text)
		if name := files.Put(s.Trace, s.Command, sources, v, true); name != "" && !v.Partial {
			s.Trace.Remember(name, trace.Flow{Text: content.Text, Known: content.Known, Taint: content.ItemTaint()})
		}
	}
}

// noteEmptied adds the effects of emptying files.
func (s *System) noteEmptied(paths value.Value) {
	for _, v := range paths.Flatten() {
		s.Trace.NoteEmptied(v, s.Command.Scope, s.Command.Span)
	}
}

// RemovePaths adds the deletion of paths. If the parameter "tree" is set, folders are deleted with everything in them.
func (s *System) RemovePaths(paths value.Value, tree bool) {
	how := trace.Removal{Tree: tree, How: "deletes"}
	if paths.Walked && !paths.List {
		s.removeWalked(paths, how)
		return
	}
	for i, item := range paths.Items {
		if item.Walked && !item.List || len(item.Items) > 0 && item.Items[0].Walked {
			for _, v := range item.AsList() {
				s.removeWalked(v, how)
			}
			rest := append(append([]value.Value{}, paths.Items[:i]...), paths.Items[i+1:]...)
			s.RemovePaths(value.List(rest...), tree)
			return
		}
	}
	for _, v := range paths.Flatten() {
		s.Unsure.Deletes = s.Unsure.Deletes || v.Partial && !trace.KnownPrefix(v.Text)
		if strings.ContainsAny(v.Text, "*?") && s.Language == trace.Perl {
			s.removeWalked(&value.Data{Text: v.Text, Known: true, Walked: true}, how)
			continue
		}
		if v.Text != "" {
			s.Trace.Remove(v, s.Command.Scope, s.Command.Span, how)
		}
	}
}

// movePaths adds the effects that the program mv would have if it moved the same files.
func (s *System) movePaths(from, to value.Value) {
	s.Unsure.Writes = s.Unsure.Writes || !to.Known
	s.Trace.RunAs(s.Command, "mv", append(from.Flatten(), to.ToTrace()))
}

// moveSecrets records the new paths of files with secrets.
func (s *System) moveSecrets(from, to value.Value) {
	for _, v := range to.Flatten() {
		s.Trace.MoveSecrets(s.Command, from.Flatten(), v)
	}
}

// copyPaths evaluates a function that copies files. If the parameter "suffix" is "/.", the evaluated function copies
// the content of a folder, not the folder itself.
func (s *System) copyPaths(from, to value.Value, suffix string) {
	sources := from.Flatten()
	for i, v := range sources {
		s.Trace.MarkCopied(s.Command, v, true, false)
		sources[i].Text += suffix
	}
	s.put(sources, to, s.ReadPaths(from))
}

// UnpackInto evaluates a function that unpacks an archive. If the call has no folder, the target is the current folder.
func (s *System) UnpackInto(folder, args value.Value) value.Value {
	if v, ok := args.Entry("path extract_dir"); ok {
		folder = v
	}
	var folders []trace.Value
	if !folder.IsEmpty() {
		folders = folder.Flatten()
	}
	files.UnpackInto(s.Trace, s.Command, folders)
	return &value.Data{}
}

// isSensitive reports whether a place is secret, is outside the project, or is the whole project.
func isSensitive(p *trace.Place) bool {
	return p.Zone == trace.System || p.Zone == trace.Outside || p.Zone == trace.Root || p.Secret
}

// changeModes adds a change of permissions. Inside the project, the change causes an event only if it sets the
// set-user-ID or set-group-ID bit, or gives everyone access to a secret or to the whole project.
func (s *System) changeModes(args value.Value, pathArg int) {
	mode, path := value.Argument(args, pathArg+1), value.Argument(args, pathArg)
	if s.Language == trace.Perl || s.Language == trace.Ruby {
		mode, path = value.Argument(args, 0), value.List(args.Items[min(1, len(args.Items)):]...)
	}
	if !mode.Number {
		mode = mode.Clone()
		mode.Text = "0" + mode.Text
	}
	bits, known := mode.Integer()
	for _, v := range s.written(path) {
		p := s.Trace.Place(v, s.Command.Scope)
		e := s.Trace.Emit(p.Effect(effect.Write, s.Command.Span))
		s.Trace.NoteNames(&p, e)
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
