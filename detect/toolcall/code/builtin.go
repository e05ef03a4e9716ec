package code

// builtin.go evaluates functions that compute texts and paths, read the environment, or print.

import (
	"path"
	"strings"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// performValue performs the actions that compute a value, print, or change the interpreter's own state.
func (in *interpreter) performValue(act library.Action, args value) value {
	first := argument(args, act.Arg)
	if act.Kind == library.ReverseOrder && first.kind == queryObject {
		return first
	}
	switch act.Kind {
	case library.DecodeCharCodes:
		if first.list {
			return fromCharCodes(first)
		}
		return fromCharCodes(args)
	case library.DecodeRot13:
		if in.language == trace.PHP {
			return decodeValue(library.DecodeRot13, first)
		}
		return decodeNamed(argument(args, 1).text, first)
	case library.DecodeBase64, library.DecodeHex, library.DecodeOther, library.ReverseOrder:
		return decodeValue(act.Kind, first)
	case library.JoinPaths:
		return joinAllPaths(args)
	case library.MakePath:
		out := joinAllPaths(args).clone()
		out.kind = pathObject
		return out
	case library.ExpandHome:
		return in.expandTilde(first)
	case library.LookupEnv:
		if len(args.items) == 0 {
			return &data{taint: trace.FromEnviron}
		}
		return in.environment(argument(args, act.Arg).toTrace().Text)
	case library.EnvironmentReader:
		return &data{name: "os.environ.get"}
	case library.WholeEnv:
		return &data{taint: trace.FromEnviron}
	case library.EnvironmentObject:
		return in.settings(args)
	case library.TempPath:
		return textValue(in.trace.Temporary().Text + "/tmp.mktemp")
	case library.TempDir:
		return textValue(in.trace.Temporary().Text)
	case library.UserNumber:
		return in.environment("UID")
	case library.UserName:
		return in.environment("USER")
	case library.CurrentDir:
		return &data{text: in.command.Scope.Cwd, known: !in.command.Scope.CwdUnknown, kind: in.folderKind()}
	case library.HomeDir:
		return &data{text: in.trace.Env.Home, known: true, kind: in.folderKind()}
	case library.PrintText, library.PrintLine:
		if handle := in.printHandle; handle != "" {
			in.printHandle = ""
			in.printTo(handle, args)
			break
		}
		in.printArguments(act.Kind == library.PrintLine, args)
	case library.LoadModule:
		in.importModule(first.text)
		return moduleValue(first)
	case library.RunScript:
		if _, ok := argument(args, 1).entry("eval"); ok {
			return in.evalText(first) // a worker whose code is a text
		}
		in.runScript(first)
	case library.GetMember:
		return in.member(first, argument(args, 1).text)
	case library.ReadInput:
		return in.stdin()
	case library.ReadArguments:
		if first.isEmpty() {
			return in.inputFiles()
		}
		return in.readPaths(first)
	case library.ReturnFirst:
		if v, ok := args.entry("text"); ok && len(args.items) == 0 {
			return v // parse(text = …) in R
		}
		if in.language == trace.Statistics && first.text == "stdin" {
			return in.stdin() // file("stdin")
		}
		return first
	case library.SplitShell:
		return in.splitAt(first, " ")
	case library.SplitInto:
		if sep := argument(args, 2).text; argument(args, 1).name != "" {
			in.bind(argument(args, 1).name, in.splitAt(first, words.OrElse(sep, " ")))
		}
	case library.JoinText:
		return joinItems(first, argument(args, 1).text)
	case library.SplitText:
		return in.splitAt(argument(args, 1), first.text)
	case library.BuildCommand:
		return &data{kind: builderObject, items: args.items, text: "$command"}
	case library.ListFolder:
		return listed(first, args)
	case library.ListPaths:
		return entriesOf(first, true)
	case library.FindPaths:
		if first.list {
			return first
		}
		return matching(first, args)
	case library.WalkFolder:
		return walk(first)
	case library.ChooseItem:
		if len(args.items) == 0 {
			v, _ := in.shiftArgument()
			return v
		}
		in.choosing = true
		return itemsOf(first)
	case library.DictKeys:
		return asItems(keysOf(first))
	case library.DictValues:
		return asItems(valuesOf(first))
	case library.GrowList:
		if first.from != "" {
			for _, v := range args.items[min(1, len(args.items)):] {
				in.grow(first.from, v)
			}
		}
	case library.JoinList:
		return joinItems(argument(args, 1), first.text)
	case library.ChangeDir:
		in.changeFolder(in.command.Scope, first)
		if f := argument(args, 1); f.fn != nil {
			in.callFunction(f.fn, &data{list: true})
		}
	case library.SetEnv:
		in.trace.SensitiveVariable(in.command, first.text, argument(args, 1).toTrace())
	}
	return &data{taint: args.itemTaint()}
}

// performSpecial performs the actions that exist in only one language.
func (in *interpreter) performSpecial(act library.Action, args value) value {
	first, second := argument(args, 0), argument(args, 1)
	switch act.Kind {
	case library.MakeSocket:
		return &data{kind: socketObject, text: "$socket"}
	case library.MapItems:
		return applyToItems(second, first)
	case library.DecodeByName:
		if first.list {
			return fromCharCodes(first)
		}
		return decodeNamed(second.text, first)
	case library.PackNumbers:
		if len(args.items) > 2 {
			second = &data{list: true, items: args.items[1:], taint: args.taint}
		}
		return unpackValue(second, "pack", first)
	case library.WriteHandle:
		in.method(first, "write", &data{list: true, items: []value{second}})
	case library.ConcatArguments:
		return joinItems(args, "")
	case library.ListArguments:
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
