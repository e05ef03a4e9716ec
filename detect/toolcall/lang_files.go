package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// doFile reads, writes and deletes.
func (w *coder) doFile(d deed, args datum) datum {
	first := argument(args, d.at)
	if len(args.items) <= d.at {
		first, _ = args.named("path", "file", "src", "filename", "target")
	}
	switch d.kind {
	case readFile:
		return w.readAll(first)
	case linkPath:
		for _, v := range argument(args, 0).all() {
			w.a.markCopied(w.c, v, true, true)
		}
		w.writeAll(first)
	case writeFile, changeOwner:
		w.writeAll(first)
	case openDir:
	case saveFile:
		w.save(first, argument(args, d.at+1))
	case saveAfter:
		w.save(argument(args, d.at), argument(args, 0))
	case removeFile:
		w.removeAll(datum{list: true, items: args.items[min(d.at, len(args.items)):]}, w.isRecursive(args))
	case removeTree:
		w.removeAll(datum{list: true, items: args.items[min(d.at, len(args.items)):]}, true)
	case movePath:
		w.move(first, argument(args, d.at+1))
	case copyPath:
		w.copy(first, argument(args, d.at+1))
	case openFile:
		return w.open(first, args, d.at)
	case openPipe:
		return w.openAny(args)
	case changeMode:
		w.changeMode(args, d.at)
	}
	return datum{taint: args.tainted() & fromSecret}
}

// isRecursive reports whether a call says that it takes folders with what is in them.
func (w *coder) isRecursive(args datum) bool {
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

func (w *coder) readAll(d datum) datum {
	out := datum{}
	for _, v := range d.all() {
		if v.text == "" || v.text == "0" || v.text == "/dev/stdin" || v.text == "php://stdin" || v.text == "-" {
			return w.stdin()
		}
		if isURL(v.text) {
			return w.fetch(d, datum{})
		}
		f := w.a.readFlow(v, w.c.sc, w.c.span)
		out = datum{text: f.text, known: f.known, taint: out.taint | f.taint}
	}
	return out
}

// stdin is what the program reads from its input.
func (w *coder) stdin() datum {
	in := w.c.in
	if in.known && in.text != "" {
		return datum{text: in.text, known: true, taint: in.taint}
	}
	t := in.taint
	if in.from() == "" {
		t |= fromProgram
	}
	return datum{text: "$input", taint: t}
}

func (w *coder) writeAll(d datum) {
	for _, v := range d.all() {
		if !isStream(v.text) {
			w.a.write(v, w.c.sc, w.c.span)
		}
	}
}

func isStream(path string) bool {
	return strings.HasPrefix(path, "php://") || isURL(path) || path == "-"
}

// save writes a file of which the content may be known.
func (w *coder) save(path, content datum) {
	for _, v := range path.all() {
		if isStream(v.text) {
			continue
		}
		if name := w.a.write(v, w.c.sc, w.c.span); name != "" && !v.partial {
			w.a.remember(name, flow{text: content.text, known: content.known, taint: content.tainted()})
		}
	}
}

func (w *coder) removeAll(d datum, tree bool) {
	for _, v := range d.all() {
		if strings.ContainsAny(v.text, "*?") && (w.tongue == perl || v.glob) {
			v.glob = true
		}
		if v.text != "" {
			w.a.remove(v, w.c.sc, w.c.span, removal{tree: tree, how: "deletes"})
		}
	}
}

func (w *coder) move(from, to datum) {
	for _, v := range from.all() {
		w.a.remove(v, w.c.sc, w.c.span, removal{tree: true, moved: true, how: "moves away"})
	}
	w.writeAll(to)
}

func (w *coder) copy(from, to datum) {
	for _, v := range from.all() {
		w.a.markCopied(w.c, v, true, false)
	}
	content := w.readAll(from)
	w.save(to, content)
}

// changeMode changes permissions; what only the project's own files get is no event.
func (w *coder) changeMode(args datum, at int) {
	mode, path := argument(args, at+1), argument(args, at)
	if w.tongue == perl || w.tongue == ruby {
		mode, path = argument(args, 0), datum{list: true, items: args.items[min(1, len(args.items)):]}
	}
	if !mode.number {
		mode.text = "0" + mode.text
	}
	bits, known := mode.integer()
	for _, v := range path.all() {
		p := w.a.place(v, w.c.sc)
		e := w.a.emit(p.effect(effect.Write, w.c.span))
		p.noteNames(e)
		switch {
		case known && bits&0o6000 != 0:
			e.Note("makes "+p.name+" run as its owner", effect.PrivilegeGain)
		case known && bits&0o002 != 0 && (p.zone == system || p.zone == outside || p.zone == root || p.secret):
			e.Note("opens "+p.name+" to everyone", effect.PermissionOpen)
		case p.zone == system:
			e.Note("changes the permissions of "+p.name+", which belongs to the system", effect.SystemChange)
		}
	}
}
