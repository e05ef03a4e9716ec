package code

// builtin.go evaluates functions that compute texts and paths, read the environment, or print.

import (
	"path"
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// performValue performs the actions that compute a value, print, or change the interpreter's own state.
func (in *interpreter) performValue(act action, args value) value {
	first := argument(args, act.arg)
	switch act.kind {
	case decodeCharCodes:
		if first.list {
			return fromCharCodes(first)
		}
		return fromCharCodes(args)
	case decodeRot13:
		if in.language == trace.PHP {
			return decodeValue(decodeRot13, first)
		}
		return decodeNamed(argument(args, 1).text, first)
	case decodeBase64, decodeHex, decodeOther, reverseOrder:
		return decodeValue(act.kind, first)
	case joinPaths:
		return joinAllPaths(args)
	case makePath:
		out := joinAllPaths(args).clone()
		out.kind = pathObject
		return out
	case expandHome:
		return in.expandTilde(first)
	case lookupEnv:
		if len(args.items) == 0 {
			return &data{taint: trace.FromEnviron}
		}
		return in.environment(argument(args, act.arg).toTrace().Text)
	case environmentReader:
		return &data{name: "os.environ.get"}
	case wholeEnv:
		return &data{taint: trace.FromEnviron}
	case environmentObject:
		return in.settings(args)
	case tempPath:
		return textValue(in.trace.Temporary().Text + "/tmp.mktemp")
	case tempDir:
		return textValue(in.trace.Temporary().Text)
	case userNumber:
		return in.environment("UID")
	case userName:
		return in.environment("USER")
	case currentDir:
		return &data{text: in.command.Scope.Cwd, known: !in.command.Scope.CwdUnknown, kind: in.folderKind()}
	case homeDir:
		return &data{text: in.trace.Env.Home, known: true, kind: in.folderKind()}
	case printText, printLine:
		if handle := in.printHandle; handle != "" {
			in.printHandle = ""
			in.printTo(handle, args)
			break
		}
		in.printArguments(act.kind == printLine, args)
	case loadModule:
		in.importModule(first.text)
		return moduleValue(first)
	case runScript:
		if _, ok := argument(args, 1).entry("eval"); ok {
			return in.evalText(first) // a worker whose code is a text
		}
		in.runScript(first)
	case getMember:
		return in.member(first, argument(args, 1).text)
	case readInput:
		return in.stdin()
	case readArguments:
		if first.isEmpty() {
			return in.inputFiles()
		}
		return in.readPaths(first)
	case returnFirst:
		if v, ok := args.entry("text"); ok && len(args.items) == 0 {
			return v // parse(text = …) in R
		}
		return first
	case splitShell:
		return in.splitAt(first, " ")
	case splitInto:
		if sep := argument(args, 2).text; argument(args, 1).name != "" {
			in.bind(argument(args, 1).name, in.splitAt(first, words.OrElse(sep, " ")))
		}
	case joinText:
		return joinItems(first, argument(args, 1).text)
	case splitText:
		return in.splitAt(argument(args, 1), first.text)
	case buildCommand:
		return &data{kind: builderObject, items: args.items, text: "$command"}
	case listFolder:
		return listed(first, args)
	case listPaths:
		return entriesOf(first, true)
	case findPaths:
		if first.list {
			return first
		}
		return matching(first, args)
	case walkFolder:
		return walk(first)
	case chooseItem:
		if len(args.items) == 0 {
			v, _ := in.shiftArgument()
			return v
		}
		in.choosing = true
		return itemsOf(first)
	case dictKeys:
		return asItems(keysOf(first))
	case dictValues:
		return asItems(valuesOf(first))
	case growList:
		if first.from != "" {
			for _, v := range args.items[min(1, len(args.items)):] {
				in.grow(first.from, v)
			}
		}
	case joinList:
		return joinItems(argument(args, 1), first.text)
	case changeDir:
		in.changeFolder(in.command.Scope, first)
		if f := argument(args, 1); f.fn != nil {
			in.callFunction(f.fn, &data{list: true})
		}
	case setEnv:
		in.trace.SensitiveVariable(in.command, first.text, argument(args, 1).toTrace())
	}
	return &data{taint: args.itemTaint()}
}

// performSpecial performs the actions that exist in only one language.
func (in *interpreter) performSpecial(act action, args value) value {
	first, second := argument(args, 0), argument(args, 1)
	switch act.kind {
	case makeSocket:
		return &data{kind: socketObject, text: "$socket"}
	case mapItems:
		return applyToItems(second, first)
	case decodeByName:
		if first.list {
			return fromCharCodes(first)
		}
		return decodeNamed(second.text, first)
	case packNumbers:
		if len(args.items) > 2 {
			second = &data{list: true, items: args.items[1:], taint: args.taint}
		}
		return unpackValue(second, "pack", first)
	case writeHandle:
		in.method(first, "write", &data{list: true, items: []value{second}})
	case concatArguments:
		return joinItems(args, "")
	case listArguments:
		return args
	}
	return &data{}
}

// folderKind returns the kind of object that stands for a folder. In Python it is a Path object, because some
// functions of Python return Path objects.
func (in *interpreter) folderKind() objectKind {
	if in.language == trace.Python {
		return pathObject
	}
	return noObject
}

// moduleValue returns a reference to the module whose name is the text of v.
func moduleValue(v value) value {
	if !v.known {
		return &data{taint: v.taint}
	}
	return &data{name: moduleName(v.text)}
}

// printTo evaluates a Perl print statement with a file handle. The handle is an open file or a running program.
func (in *interpreter) printTo(handle string, args value) {
	switch h := in.variable(handle); h.kind {
	case fileObject:
		in.fileWrite(h, args)
	case processObject:
		in.writeToProcess(h, argument(args, 0))
	}
}

// expandTilde replaces ~ or $HOME at the beginning of a path.
func (s *system) expandTilde(v value) value {
	v = v.clone()
	if rest, ok := strings.CutPrefix(v.text, "~"); ok && (rest == "" || rest[0] == '/') {
		v.text = s.trace.Env.Home + rest
	}
	if name, ok := strings.CutPrefix(v.text, "$HOME"); ok {
		v.text = s.trace.Env.Home + name
	}
	return v
}

// joinPath joins two paths as os.path.join does: an absolute second path replaces the first.
func joinPath(x, y value) value {
	out := join(x, join(textValue("/"), y))
	if y.known && strings.HasPrefix(y.text, "/") || x.known && x.text == "" {
		out = y.clone()
	} else if out.known {
		out.text = path.Clean(out.text)
	}
	out.kind = x.kind
	if y.kind == pathObject {
		out.kind = pathObject
	}
	return out
}

func joinAllPaths(args value) value {
	var parts []value
	for _, v := range args.items {
		if v.list && !v.any {
			parts = append(parts, v.items...) // an argument such as *parts
			continue
		}
		parts = append(parts, v)
	}
	out := argument(&data{items: parts}, 0)
	for i := 1; i < len(parts); i++ {
		out = joinPath(out, parts[i])
	}
	return out
}

func joinItems(list value, sep string) value {
	out := &data{known: true, taint: list.taint}
	for i, item := range list.asList() {
		if item.list && !item.any {
			item = joinItems(item, sep)
		}
		if i > 0 {
			out.text += sep
		}
		out = join(out, item)
		if len(out.text) > maxJoined {
			return &data{taint: out.taint}
		}
	}
	return out
}

// workOfItem is the work that each item of a new list takes.
const workOfItem = 4

// splitAt splits a text at a separator, or at white space if the separator is a space.
func (in *interpreter) splitAt(v value, sep string) value {
	if !v.known || len(v.text) > maxJoined {
		return &data{list: true, items: []value{walkedItem(v)}, taint: v.taint}
	}
	parts := strings.Split(v.text, sep)
	if sep == " " {
		parts = strings.Fields(v.text)
	}
	parts = parts[:min(len(parts), trace.MaxFields)]
	in.spend(len(v.text)/8 + workOfItem*len(parts))
	out := &data{list: true, taint: v.taint}
	for _, p := range parts {
		out.items = append(out.items, &data{text: strings.Trim(p, `'"`), known: true, taint: v.taint})
	}
	return out
}

// settings returns the settings that a library for .env files reads. The arguments are the files or name them.
func (in *interpreter) settings(args value) value {
	files := args.items
	for _, v := range [...]value{args, argument(args, 0)} {
		if path, ok := v.entry("path", "dotenv_path"); ok {
			files = []value{path}
		}
	}
	secret := len(files) == 0
	for _, file := range files {
		secret = secret || !file.known || in.trace.Place(file.toTrace(), in.command.Scope).Secret
	}
	switch {
	case !secret:
		return &data{}
	case in.language == trace.Script:
		return &data{name: "process.env"}
	case in.language == trace.Ruby:
		return &data{name: "ENV", taint: trace.FromEnviron}
	}
	return &data{name: "os.environ"}
}
