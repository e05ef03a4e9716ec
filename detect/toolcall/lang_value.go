package toolcall

import (
	"path"
	"strings"
)

// doValue does what only makes values of values.
func (w *coder) doValue(d deed, args datum) datum {
	first := argument(args, d.at)
	switch d.kind {
	case spellText:
		if first.list {
			return spelled(first)
		}
		return spelled(args)
	case rotate:
		if w.tongue == php {
			return decodeDatum(rotate, first)
		}
		return decodedBy(argument(args, 1).text, first)
	case base64Text, hexText, packedText, reverseText:
		return decodeDatum(d.kind, first)
	case joinPaths:
		return joinAllPaths(args)
	case makePath:
		out := joinAllPaths(args)
		out.class = pathOf
		return out
	case expandHome:
		return w.expand(first)
	case lookupEnv:
		if len(args.items) == 0 {
			return datum{taint: fromEnviron}
		}
		return w.environment(first.value().text)
	case wholeEnv:
		return datum{taint: fromEnviron}
	case tempPath:
		return text("/tmp/tmp.mktemp")
	case currentDir:
		return datum{text: w.c.sc.cwd, known: !w.c.sc.cwdUnknown, class: w.pathClass()}
	case homeDir:
		return datum{text: w.a.env.Home, known: true, class: w.pathClass()}
	case printText, printLine:
		if handle := w.handle; handle != "" {
			w.handle = ""
			w.printTo(handle, args)
			break
		}
		w.print(d.kind == printLine, args)
	case loadModule:
		return w.load(first)
	case getMember:
		return w.member(first, argument(args, 1).text)
	case readInput:
		return w.stdin()
	case passOn:
		if v, ok := args.named("text"); ok && len(args.items) == 0 {
			return v // parse(text = …) in R
		}
		return first
	case splitShell:
		return splitList(first, " ")
	case joinList:
		return joinedList(argument(args, 1), first.text)
	case changeTo:
		changeDir(w.a, &command{name: "cd", argv: []value{{}, first.value()}, sc: w.c.sc, run: w.c.run})
	case setEnv:
		w.a.sensitiveVariable(w.c, first.text, argument(args, 1).value())
	}
	return datum{taint: args.tainted()}
}

// doOdd does what only one language has.
func (w *coder) doOdd(d deed, args datum) datum {
	first, second := argument(args, 0), argument(args, 1)
	switch d.kind {
	case makeSocket:
		return datum{class: socket, text: "$socket"}
	case mapList:
		return w.mapped(second, first)
	case passEncoded:
		if first.list {
			return spelled(first)
		}
		return decodedBy(second.text, first)
	case packText:
		if len(args.items) > 2 {
			second = datum{list: true, items: args.items[1:], taint: args.taint}
		}
		return packed(second, "pack", first)
	case writeHandle:
		w.method(first, "write", datum{list: true, items: []datum{second}})
	case concatAll:
		return joinedList(args, "")
	case listAll:
		return args
	}
	return datum{}
}

func (w *coder) pathClass() class {
	if w.tongue == python {
		return pathOf
	}
	return plain
}

// load is a module by its name.
func (w *coder) load(d datum) datum {
	if !d.known {
		return datum{taint: d.taint}
	}
	return datum{name: moduleName(d.text)}
}

// printTo is Perl's print to a handle: a file, or a program.
func (w *coder) printTo(handle string, args datum) {
	switch h := w.vars[handle]; h.class {
	case fileOf:
		w.fileWrite(h, args)
	case process:
		w.toShell(h, argument(args, 0))
	}
}

// print adds the arguments to what the program prints.
func (w *coder) print(line bool, args datum) {
	end := ""
	if line {
		end = "\n"
	}
	out := datum{known: true}
	sep := " "
	if w.tongue == perl || w.tongue == php || w.tongue == elixir {
		sep = ""
	}
	if w.tongue == ruby {
		sep = "\n"
	}
	for i, item := range args.items {
		if item.list || item.class == fileOf {
			item = datum{taint: deepTaint(item, 0)}
		}
		if i > 0 {
			out = join(out, text(sep))
		}
		out = join(out, datum{text: item.text, known: item.known, taint: item.taint})
	}
	w.say(out, end)
}

// expand is a path with ~ at its beginning made absolute.
func (w *coder) expand(d datum) datum {
	if rest, ok := strings.CutPrefix(d.text, "~"); ok && (rest == "" || rest[0] == '/') {
		d.text = w.a.env.Home + rest
	}
	if name, ok := strings.CutPrefix(d.text, "$HOME"); ok {
		d.text = w.a.env.Home + name
	}
	return d
}

// joinPath is os.path.join of two, where an absolute second one wins.
func joinPath(x, y datum) datum {
	out := join(x, join(text("/"), y))
	if y.known && strings.HasPrefix(y.text, "/") {
		out = y
	} else if x.known && x.text == "" {
		out = y
	} else if out.known {
		out.text = path.Clean(out.text)
	}
	out.class = x.class
	if y.class == pathOf {
		out.class = pathOf
	}
	return out
}

func joinAllPaths(args datum) datum {
	out := argument(args, 0)
	for i := 1; i < len(args.items); i++ {
		out = joinPath(out, args.items[i])
	}
	return out
}

// joinedList is a list as one text.
func joinedList(list datum, sep string) datum {
	out := datum{known: true, taint: list.taint}
	for i, item := range list.listed() {
		if i > 0 {
			out.text += sep
		}
		out = join(out, item)
		if len(out.text) > maxJoined {
			return datum{taint: out.taint}
		}
	}
	return out
}

// splitList is a text cut into its words.
func splitList(d datum, sep string) datum {
	if !d.known || len(d.text) > maxJoined {
		return datum{list: true, items: []datum{d}, taint: d.taint}
	}
	parts := strings.Split(d.text, sep)
	if sep == " " {
		parts = strings.Fields(d.text)
	}
	out := datum{list: true, taint: d.taint}
	for _, p := range parts[:min(len(parts), maxFields)] {
		out.items = append(out.items, datum{text: strings.Trim(p, `'"`), known: true, taint: d.taint})
	}
	return out
}
