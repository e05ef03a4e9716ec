package code

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// fileAction reads, writes and deletes.
func fileAction(w *interpreter, d action, args known) known {
	first := argument(args, d.at)
	if len(args.items) <= d.at {
		first, _ = args.named("path", "file", "src", "filename", "target")
	}
	switch d.kind {
	case readFile:
		return readPaths(w, first)
	case linkPath:
		for _, v := range argument(args, 0).all() {
			w.trace.MarkCopied(w.c, v, true, true)
		}
		writePaths(w, first)
	case writeFile, changeOwner:
		writePaths(w, first)
	case openDir:
	case saveFile:
		savePath(w, first, argument(args, d.at+1))
	case saveAfter:
		savePath(w, argument(args, d.at), argument(args, 0))
	case removeFile:
		removePaths(w, known{list: true, items: args.items[min(d.at, len(args.items)):]}, isRecursive(w, args))
	case removeTree:
		removePaths(w, known{list: true, items: args.items[min(d.at, len(args.items)):]}, true)
	case movePath:
		movePaths(w, first, argument(args, d.at+1))
	case copyPath:
		copyPaths(w, first, argument(args, d.at+1))
	case openFile:
		return w.open(first, args, d.at)
	case openPipe:
		return w.openAny(args)
	case changeMode:
		changeModes(w, args, d.at)
	}
	return known{taint: args.tainted() & trace.FromSecret}
}

// isRecursive reports whether a call says that it takes folders with what is in them.
func isRecursive(w *interpreter, args known) bool {
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

func readPaths(w *interpreter, d known) known {
	out := known{}
	for _, v := range d.all() {
		if v.Text == "" || v.Text == "0" || v.Text == "/dev/stdin" || v.Text == "php://stdin" || v.Text == "-" {
			return w.stdin()
		}
		if isURL(v.Text) {
			return fetchAddress(w, d, known{})
		}
		f := w.trace.ReadFlow(v, w.c.Scope, w.c.Span)
		out = known{text: f.Text, known: f.Known, taint: out.taint | f.Taint}
	}
	return out
}

// stdin is what the program reads from its input.
func (w *interpreter) stdin() known {
	in := w.c.In
	if in.Known && in.Text != "" {
		return known{text: in.Text, known: true, taint: in.Taint}
	}
	t := in.Taint
	if in.From() == "" {
		t |= trace.FromProgram
	}
	return known{text: "$input", taint: t}
}

func writePaths(w *interpreter, d known) {
	for _, v := range d.all() {
		if !isStream(v.Text) {
			w.trace.Write(v, w.c.Scope, w.c.Span)
		}
	}
}

func isStream(path string) bool {
	return strings.HasPrefix(path, "php://") || isURL(path) || path == "-"
}

// savePath writes a file of which the content may be known.
func savePath(w *interpreter, path, content known) {
	for _, v := range path.all() {
		if isStream(v.Text) {
			continue
		}
		if name := w.trace.Write(v, w.c.Scope, w.c.Span); name != "" && !v.Partial {
			w.trace.Remember(name, trace.Flow{Text: content.text, Known: content.known, Taint: content.tainted()})
		}
	}
}

func removePaths(w *interpreter, d known, tree bool) {
	for _, v := range d.all() {
		if strings.ContainsAny(v.Text, "*?") && (w.language == trace.Perl || v.Glob) {
			v.Glob = true
		}
		if v.Text != "" {
			w.trace.Remove(v, w.c.Scope, w.c.Span, trace.Removal{Tree: tree, How: "deletes"})
		}
	}
}

func movePaths(w *interpreter, from, to known) {
	for _, v := range from.all() {
		w.trace.Remove(v, w.c.Scope, w.c.Span, trace.Removal{Tree: true, Moved: true, How: "moves away"})
	}
	writePaths(w, to)
}

func copyPaths(w *interpreter, from, to known) {
	for _, v := range from.all() {
		w.trace.MarkCopied(w.c, v, true, false)
	}
	content := readPaths(w, from)
	savePath(w, to, content)
}

// changeModes changes permissions; what only the project's own files get is no event.
func changeModes(w *interpreter, args known, at int) {
	mode, path := argument(args, at+1), argument(args, at)
	if w.language == trace.Perl || w.language == trace.Ruby {
		mode, path = argument(args, 0), known{list: true, items: args.items[min(1, len(args.items)):]}
	}
	if !mode.number {
		mode.text = "0" + mode.text
	}
	bits, known := mode.integer()
	for _, v := range path.all() {
		p := w.trace.Place(v, w.c.Scope)
		e := w.trace.Emit(p.Effect(effect.Write, w.c.Span))
		p.NoteNames(e)
		switch {
		case known && bits&0o6000 != 0:
			e.Note("makes "+p.Name+" run as its owner", effect.PrivilegeGain)
		case known && bits&0o002 != 0 && (p.Zone == trace.System || p.Zone == trace.Outside || p.Zone == trace.Root || p.Secret):
			e.Note("opens "+p.Name+" to everyone", effect.PermissionOpen)
		case p.Zone == trace.System:
			e.Note("changes the permissions of "+p.Name+", which belongs to the system", effect.SystemChange)
		}
	}
}

// open opens a file the way its mode says.
func (w *interpreter) open(path, args known, at int) known {
	mode := argument(args, at+1)
	if v, ok := args.named("mode"); ok {
		mode = v
	}
	return w.openAs(path, mode)
}

func (w *interpreter) openAs(path, mode known) known {
	out := known{text: path.value().Text, known: path.known, class: fileOf, taint: path.taint}
	if !writesByFlags(mode) && (strings.HasPrefix(mode.text, "$") || !strings.ContainsAny(mode.text, "waxc+>")) {
		content := readPaths(w, path)
		out.taint |= content.taint
		out.items = []known{content}
		return out
	}
	writePaths(w, path)
	return out
}

// openAny is Perl's open(F, ">x"), open(F, "|cmd"), open(F, ">", "x") and Ruby's open("|cmd").
func (w *interpreter) openAny(args known) known {
	items := args.items
	handle := ""
	if w.language == trace.Perl && len(items) > 0 {
		handle = strings.TrimPrefix(items[0].value().Text, "$")
		items = items[1:]
	}
	if len(items) == 0 {
		return known{}
	}
	d := w.openSpec(items)
	if handle != "" {
		w.vars[handle] = d
	}
	return d
}

func (w *interpreter) openSpec(items []known) known {
	spec := strings.TrimSpace(items[0].text)
	last := items[len(items)-1]
	switch {
	case w.language == trace.Perl && len(items) > 1 && strings.ContainsAny(spec, "|-"):
		return w.started(items[1], w.runText(known{list: len(items) > 2, items: items[1:], text: last.text, known: last.known, taint: last.taint}))
	case strings.HasPrefix(spec, "|"):
		return w.started(text(spec[1:]), w.runText(rest(items[0], spec[1:])))
	case w.language == trace.Perl && strings.HasSuffix(spec, "|"):
		return w.started(text(spec), w.runText(rest(items[0], strings.TrimSuffix(spec, "|"))))
	case strings.Contains(spec, "&"):
		if w.seen.connected {
			w.trace.Mark(w.c, "connects its input and output to the network", effect.ReverseShell)
		}
		return known{}
	case w.language != trace.Perl:
		return w.openAs(items[0], argument(known{items: items}, 1))
	case len(items) > 1:
		return w.openAs(items[1], items[0])
	}
	mode := strings.TrimRight(spec[:len(spec)-len(strings.TrimLeft(spec, "+<> "))], " ")
	return w.openAs(rest(items[0], strings.TrimLeft(spec, "+<> ")), text(mode))
}

// rest is a part of a text with what is known of the whole.
func rest(d known, part string) known {
	return known{text: part, known: d.known, taint: d.taint}
}

// readHandle is what Perl reads from an open handle.
func (w *interpreter) readHandle(name string) known {
	if d, ok := w.vars[name]; ok {
		return contentOf(w, d)
	}
	return known{taint: w.implicit()}
}

// contentOf is what comes out of an open file.
func contentOf(w *interpreter, d known) known {
	if d.class == fileOf && len(d.items) > 0 {
		return d.items[0]
	}
	return known{taint: d.taint, text: d.text, known: d.known && d.class == process}
}

// writesByFlags reports whether the flags of os.open let a file be written: os.O_WRONLY | os.O_TRUNC.
func writesByFlags(mode known) bool {
	for _, flag := range [...]string{"O_WRONLY", "O_RDWR", "O_TRUNC", "O_CREAT", "O_APPEND"} {
		if strings.Contains(mode.text, flag) || strings.Contains(mode.name, flag) {
			return true
		}
	}
	return false
}
