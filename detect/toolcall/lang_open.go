package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// open opens a file the way its mode says.
func (w *coder) open(path, args datum, at int) datum {
	mode := argument(args, at+1)
	if v, ok := args.named("mode"); ok {
		mode = v
	}
	return w.openAs(path, mode)
}

func (w *coder) openAs(path, mode datum) datum {
	out := datum{text: path.value().text, known: path.known, class: fileOf, taint: path.taint}
	if !writesByFlags(mode) && (strings.HasPrefix(mode.text, "$") || !strings.ContainsAny(mode.text, "waxc+>")) {
		content := w.readAll(path)
		out.taint |= content.taint
		out.items = []datum{content}
		return out
	}
	w.writeAll(path)
	return out
}

// openAny is Perl's open(F, ">x"), open(F, "|cmd"), open(F, ">", "x") and Ruby's open("|cmd").
func (w *coder) openAny(args datum) datum {
	items := args.items
	handle := ""
	if w.tongue == perl && len(items) > 0 {
		handle = strings.TrimPrefix(items[0].value().text, "$")
		items = items[1:]
	}
	if len(items) == 0 {
		return datum{}
	}
	d := w.openSpec(items)
	if handle != "" {
		w.vars[handle] = d
	}
	return d
}

func (w *coder) openSpec(items []datum) datum {
	spec := strings.TrimSpace(items[0].text)
	last := items[len(items)-1]
	switch {
	case w.tongue == perl && len(items) > 1 && strings.ContainsAny(spec, "|-"):
		return w.started(items[1], w.runText(datum{list: len(items) > 2, items: items[1:], text: last.text, known: last.known, taint: last.taint}))
	case strings.HasPrefix(spec, "|"):
		return w.started(text(spec[1:]), w.runText(rest(items[0], spec[1:])))
	case w.tongue == perl && strings.HasSuffix(spec, "|"):
		return w.started(text(spec), w.runText(rest(items[0], strings.TrimSuffix(spec, "|"))))
	case strings.Contains(spec, "&"):
		if w.seen.connected {
			w.a.mark(w.c, "connects its input and output to the network", effect.ReverseShell)
		}
		return datum{}
	case w.tongue != perl:
		return w.openAs(items[0], argument(datum{items: items}, 1))
	case len(items) > 1:
		return w.openAs(items[1], items[0])
	}
	mode := strings.TrimRight(spec[:len(spec)-len(strings.TrimLeft(spec, "+<> "))], " ")
	return w.openAs(rest(items[0], strings.TrimLeft(spec, "+<> ")), text(mode))
}

// rest is a part of a text with what is known of the whole.
func rest(d datum, part string) datum {
	return datum{text: part, known: d.known, taint: d.taint}
}

// readHandle is what Perl reads from an open handle.
func (w *coder) readHandle(name string) datum {
	if d, ok := w.vars[name]; ok {
		return w.contentOf(d)
	}
	return datum{taint: w.implicit()}
}

// contentOf is what comes out of an open file.
func (w *coder) contentOf(d datum) datum {
	if d.class == fileOf && len(d.items) > 0 {
		return d.items[0]
	}
	return datum{taint: d.taint, text: d.text, known: d.known && d.class == process}
}

// writesByFlags reports whether the flags of os.open let a file be written: os.O_WRONLY | os.O_TRUNC.
func writesByFlags(mode datum) bool {
	for _, flag := range [...]string{"O_WRONLY", "O_RDWR", "O_TRUNC", "O_CREAT", "O_APPEND"} {
		if strings.Contains(mode.text, flag) || strings.Contains(mode.name, flag) {
			return true
		}
	}
	return false
}
