package code

// Functions that read, write, move and delete files.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// performFile performs the actions on files.
func (in *interpreter) performFile(act action, args value) value {
	first := argument(args, act.arg)
	if len(args.items) <= act.arg {
		first, _ = args.entry("path", "file", "src", "filename", "target")
	}
	switch act.kind {
	case readFile:
		return in.readPaths(first)
	case linkPath:
		for _, v := range argument(args, 0).flatten() {
			in.trace.MarkCopied(in.command, v, true, true)
		}
		in.writePaths(first)
	case writeFile, changeOwner:
		in.writePaths(first)
	case saveFile:
		in.savePath(first, argument(args, act.arg+1))
	case saveContentFirst:
		in.savePath(argument(args, act.arg), argument(args, 0))
	case removeFile:
		in.removePaths(value{list: true, items: args.items[min(act.arg, len(args.items)):]}, isRecursive(args))
	case removeTree:
		in.removePaths(value{list: true, items: args.items[min(act.arg, len(args.items)):]}, true)
	case movePath:
		in.movePaths(first, argument(args, act.arg+1))
	case copyPath:
		in.copyPaths(first, argument(args, act.arg+1))
	case openFile:
		return in.open(first, args, act.arg)
	case openPipe:
		return in.openFileOrPipe(args)
	case changeMode:
		in.changeModes(args, act.arg)
	}
	return value{taint: args.itemTaint() & trace.FromSecret}
}

// isRecursive reports whether a call has the option recursive.
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

// readPaths reads files, URLs or the input, and returns the content of the last one.
func (in *interpreter) readPaths(paths value) value {
	out := value{}
	for _, v := range paths.flatten() {
		if v.Text == "" || v.Text == "0" || v.Text == "/dev/stdin" || v.Text == "php://stdin" || v.Text == "-" {
			return in.stdin()
		}
		if isURL(v.Text) {
			return in.fetchAddress(paths, value{})
		}
		f := in.trace.ReadFlow(v, in.command.Scope, in.command.Span)
		out = value{text: f.Text, known: f.Known, taint: out.taint | f.Taint}
	}
	return out
}

// stdin returns what the program reads from its input.
func (in *interpreter) stdin() value {
	input := in.command.In
	if input.Known && input.Text != "" {
		return value{text: input.Text, known: true, taint: input.Taint}
	}
	taint := input.Taint
	if input.From() == "" {
		taint |= trace.FromProgram
	}
	return value{text: "$input", taint: taint}
}

func (in *interpreter) writePaths(paths value) {
	for _, v := range paths.flatten() {
		if !isStream(v.Text) {
			in.trace.Write(v, in.command.Scope, in.command.Span)
		}
	}
}

// isStream reports whether a path is a stream or a URL, not a file.
func isStream(path string) bool {
	return strings.HasPrefix(path, "php://") || isURL(path) || path == "-"
}

// savePath writes content to files and remembers it if it is known.
func (in *interpreter) savePath(path, content value) {
	for _, v := range path.flatten() {
		if isStream(v.Text) {
			continue
		}
		if name := in.trace.Write(v, in.command.Scope, in.command.Span); name != "" && !v.Partial {
			in.trace.Remember(name, trace.Flow{Text: content.text, Known: content.known, Taint: content.itemTaint()})
		}
	}
}

func (in *interpreter) removePaths(paths value, tree bool) {
	for _, v := range paths.flatten() {
		if strings.ContainsAny(v.Text, "*?") && (in.language == trace.Perl || v.Glob) {
			v.Glob = true
		}
		if v.Text != "" {
			in.trace.Remove(v, in.command.Scope, in.command.Span, trace.Removal{Tree: tree, How: "deletes"})
		}
	}
}

func (in *interpreter) movePaths(from, to value) {
	for _, v := range from.flatten() {
		in.trace.Remove(v, in.command.Scope, in.command.Span, trace.Removal{Tree: true, Moved: true, How: "moves away"})
	}
	in.writePaths(to)
}

func (in *interpreter) copyPaths(from, to value) {
	for _, v := range from.flatten() {
		in.trace.MarkCopied(in.command, v, true, false)
	}
	content := in.readPaths(from)
	in.savePath(to, content)
}

// isSensitive reports whether a place is outside the project or a secret.
func isSensitive(p *trace.Place) bool {
	return p.Zone == trace.System || p.Zone == trace.Outside || p.Zone == trace.Root || p.Secret
}

// changeModes changes permissions. Inside the project, only set-user-ID bits and access to secrets cause an event.
func (in *interpreter) changeModes(args value, pathArg int) {
	mode, path := argument(args, pathArg+1), argument(args, pathArg)
	if in.language == trace.Perl || in.language == trace.Ruby {
		mode, path = argument(args, 0), value{list: true, items: args.items[min(1, len(args.items)):]}
	}
	if !mode.number {
		mode.text = "0" + mode.text
	}
	bits, known := mode.integer()
	for _, v := range path.flatten() {
		p := in.trace.Place(v, in.command.Scope)
		e := in.trace.Emit(p.Effect(effect.Write, in.command.Span))
		p.NoteNames(e)
		switch {
		case known && bits&0o6000 != 0:
			e.Note("makes "+p.Name+" run as its owner", effect.PrivilegeGain)
		case known && bits&0o002 != 0 && isSensitive(&p):
			e.Note("opens "+p.Name+" to everyone", effect.PermissionOpen)
		case p.Zone == trace.System:
			e.Note("changes the permissions of "+p.Name+", which belongs to the system", effect.SystemChange)
		}
	}
}
