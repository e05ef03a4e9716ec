package code

import (
	"path"
	"strings"

	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
)

// doValue does what only makes values of values.
func (w *interpreter) doValue(d action, args known) known {
	first := argument(args, d.at)
	switch d.kind {
	case spellText:
		if first.list {
			return spelled(first)
		}
		return spelled(args)
	case rotate:
		if w.language == trace.PHP {
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
			return known{taint: trace.FromEnviron}
		}
		return w.environment(first.value().Text)
	case wholeEnv:
		return known{taint: trace.FromEnviron}
	case tempPath:
		return text("/tmp/tmp.mktemp")
	case currentDir:
		return known{text: w.c.Scope.Cwd, known: !w.c.Scope.CwdUnknown, class: pathClass(w)}
	case homeDir:
		return known{text: w.trace.Env.Home, known: true, class: pathClass(w)}
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
		shell.ChangeDir(w.trace, &trace.Command{Name: "cd", Argv: []trace.Value{{}, first.value()}, Scope: w.c.Scope, Run: w.c.Run})
	case setEnv:
		w.trace.SensitiveVariable(w.c, first.text, argument(args, 1).value())
	}
	return known{taint: args.tainted()}
}

// doSpecial does what only one language has.
func (w *interpreter) doSpecial(d action, args known) known {
	first, second := argument(args, 0), argument(args, 1)
	switch d.kind {
	case makeSocket:
		return known{class: socket, text: "$socket"}
	case mapList:
		return w.mapped(second, first)
	case passEncoded:
		if first.list {
			return spelled(first)
		}
		return decodedBy(second.text, first)
	case packText:
		if len(args.items) > 2 {
			second = known{list: true, items: args.items[1:], taint: args.taint}
		}
		return packed(second, "pack", first)
	case writeHandle:
		w.method(first, "write", known{list: true, items: []known{second}})
	case concatAll:
		return joinedList(args, "")
	case listAll:
		return args
	}
	return known{}
}

func pathClass(w *interpreter) class {
	if w.language == trace.Python {
		return pathOf
	}
	return plain
}

// load is a module by its name.
func (w *interpreter) load(d known) known {
	if !d.known {
		return known{taint: d.taint}
	}
	return known{name: moduleName(d.text)}
}

// printTo is Perl's print to a handle: a file, or a program.
func (w *interpreter) printTo(handle string, args known) {
	switch h := w.vars[handle]; h.class {
	case fileOf:
		w.fileWrite(h, args)
	case process:
		w.toShell(h, argument(args, 0))
	}
}

// print adds the arguments to what the program prints.
func (w *interpreter) print(line bool, args known) {
	end := ""
	if line {
		end = "\n"
	}
	out := known{known: true}
	sep := " "
	if w.language == trace.Perl || w.language == trace.PHP || w.language == trace.Elixir {
		sep = ""
	}
	if w.language == trace.Ruby {
		sep = "\n"
	}
	for i, item := range args.items {
		if item.list || item.class == fileOf {
			item = known{taint: deepTaint(item, 0)}
		}
		if i > 0 {
			out = join(out, text(sep))
		}
		out = join(out, known{text: item.text, known: item.known, taint: item.taint})
	}
	w.say(out, end)
}

// expand is a path with ~ at its beginning made absolute.
func (w *interpreter) expand(d known) known {
	if rest, ok := strings.CutPrefix(d.text, "~"); ok && (rest == "" || rest[0] == '/') {
		d.text = w.trace.Env.Home + rest
	}
	if name, ok := strings.CutPrefix(d.text, "$HOME"); ok {
		d.text = w.trace.Env.Home + name
	}
	return d
}

// joinPath is os.path.join of two, where an absolute second one wins.
func joinPath(x, y known) known {
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

func joinAllPaths(args known) known {
	out := argument(args, 0)
	for i := 1; i < len(args.items); i++ {
		out = joinPath(out, args.items[i])
	}
	return out
}

// joinedList is a list as one text.
func joinedList(list known, sep string) known {
	out := known{known: true, taint: list.taint}
	for i, item := range list.listed() {
		if i > 0 {
			out.text += sep
		}
		out = join(out, item)
		if len(out.text) > maxJoined {
			return known{taint: out.taint}
		}
	}
	return out
}

// splitList is a text cut into its words.
func splitList(d known, sep string) known {
	if !d.known || len(d.text) > maxJoined {
		return known{list: true, items: []known{d}, taint: d.taint}
	}
	parts := strings.Split(d.text, sep)
	if sep == " " {
		parts = strings.Fields(d.text)
	}
	out := known{list: true, taint: d.taint}
	for _, p := range parts[:min(len(parts), trace.MaxFields)] {
		out.items = append(out.items, known{text: strings.Trim(p, `'"`), known: true, taint: d.taint})
	}
	return out
}
