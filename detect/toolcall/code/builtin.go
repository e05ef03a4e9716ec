package code

// builtin.go evaluates functions that compute texts and paths, read the environment, or print.

import (
	"strings"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/system"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// performValue performs the actions that compute a value, print, or change the interpreter's own state.
func (in *interpreter) performValue(act library.Action, args value.Value) value.Value {
	first := value.Argument(args, act.Arg)
	if act.Kind == library.ReverseOrder && first.Kind == value.QueryObject {
		return first
	}
	switch act.Kind {
	case library.DecodeCharCodes:
		if first.List {
			return value.FromCharCodes(first)
		}
		return value.FromCharCodes(args)
	case library.DecodeRot13:
		if in.Language == trace.PHP {
			return value.Decode(library.DecodeRot13, first)
		}
		return value.DecodeNamed(value.Argument(args, 1).Text, first)
	case library.DecodeBase64, library.DecodeHex, library.DecodeOther, library.ReverseOrder:
		return value.Decode(act.Kind, first)
	case library.JoinPaths:
		return value.JoinPaths(args)
	case library.MakePath:
		out := value.JoinPaths(args).Clone()
		out.Kind = value.PathObject
		return out
	case library.ExpandHome:
		return in.ExpandTilde(first)
	case library.LookupEnv:
		if len(args.Items) == 0 {
			return &value.Data{Taint: trace.FromEnviron}
		}
		return in.Environment(value.Argument(args, act.Arg).ToTrace().Text)
	case library.EnvironmentReader:
		return &value.Data{Name: "os.environ.get"}
	case library.WholeEnv:
		return &value.Data{Taint: trace.FromEnviron}
	case library.EnvironmentObject:
		return in.settings(args)
	case library.TempPath:
		return value.Text(in.Trace.Temporary().Text + "/tmp.mktemp")
	case library.TempDir:
		return value.Text(in.Trace.Temporary().Text)
	case library.UserNumber:
		return in.Environment("UID")
	case library.UserName:
		return in.Environment("USER")
	case library.CurrentDir:
		return &value.Data{Text: in.Command.Scope.Cwd, Known: !in.Command.Scope.CwdUnknown, Kind: in.folderKind()}
	case library.HomeDir:
		return &value.Data{Text: in.Trace.Env.Home, Known: true, Kind: in.folderKind()}
	case library.PrintText, library.PrintLine:
		if handle := in.printHandle; handle != "" {
			in.printHandle = ""
			in.printTo(handle, args)
			break
		}
		in.PrintArguments(act.Kind == library.PrintLine, args)
	case library.LoadModule:
		in.importModule(first.Text)
		return moduleValue(first)
	case library.RunScript:
		if _, ok := value.Argument(args, 1).Entry("eval"); ok {
			return in.evalText(first) // as in new Worker("…", { eval: true })
		}
		in.runScript(first)
	case library.GetMember:
		return in.member(first, value.Argument(args, 1).Text)
	case library.ReadInput:
		return in.Stdin()
	case library.ReadArguments:
		if args.IsOn("inplace") {
			in.SavePath(first, &value.Data{})
		}
		if first.IsEmpty() {
			return in.inputFiles()
		}
		return in.ReadPaths(first)
	case library.ReturnFirst:
		if v, ok := args.Entry("text"); ok && len(args.Items) == 0 {
			return v // as in parse(text = …) of R
		}
		if in.Language == trace.Statistics && first.Text == "stdin" {
			return in.Stdin() // as in file("stdin")
		}
		return first
	case library.SplitShell:
		return in.splitAt(first, " ")
	case library.SplitInto:
		if sep := value.Argument(args, 2).Text; value.Argument(args, 1).Name != "" {
			in.bind(value.Argument(args, 1).Name, in.splitAt(first, words.OrElse(sep, " ")))
		}
	case library.FormatText:
		if first.IsPlainText() {
			return in.formatText(first, &value.Data{List: true, Items: args.Items[act.Arg+1:], Pairs: args.Pairs})
		}
	case library.JoinText:
		return value.JoinItems(first, value.Argument(args, 1).Text)
	case library.SplitText:
		return in.splitAt(value.Argument(args, 1), first.Text)
	case library.BuildCommand:
		return &value.Data{Kind: value.BuilderObject, Items: args.Items, Text: "$command"}
	case library.ListFolder:
		return system.Listed(first, args)
	case library.ListPaths:
		return system.EntriesOf(first, true)
	case library.FindPaths:
		if first.List {
			return first
		}
		if in.Language == trace.Perl {
			first = in.ExpandTilde(first)
		}
		return system.Matching(first, args)
	case library.WalkFolder:
		return system.Walk(first)
	case library.ChooseItem:
		if len(args.Items) == 0 {
			v, _ := in.shiftArgument()
			return v
		}
		in.choosing = true
		return value.ItemsOf(first)
	case library.DictKeys:
		return value.AsItems(value.KeysOf(first))
	case library.DictValues:
		return value.AsItems(value.ValuesOf(first))
	case library.GrowList:
		if first.From != "" {
			for _, v := range args.Items[min(1, len(args.Items)):] {
				in.grow(first.From, v)
			}
		}
	case library.JoinList:
		return value.JoinItems(value.Argument(args, 1), first.Text)
	case library.ChangeDir:
		in.ChangeFolder(in.Command.Scope, first)
		if f := value.Argument(args, 1); f.Function != nil {
			in.callFunction(f.Function, value.List())
		}
	case library.SetEnv:
		in.Trace.SensitiveVariable(in.Command, first.Text, value.Argument(args, 1).ToTrace())
	}
	return &value.Data{Taint: args.ItemTaint()}
}

// performSpecial performs the actions that exist in only one language.
func (in *interpreter) performSpecial(act library.Action, args value.Value) value.Value {
	first, second := value.Argument(args, 0), value.Argument(args, 1)
	switch act.Kind {
	case library.MakeSocket:
		return &value.Data{Kind: value.SocketObject, Text: "$socket"}
	case library.MapItems:
		return applyToItems(second, first)
	case library.DecodeByName:
		if first.List {
			return value.FromCharCodes(first)
		}
		return value.DecodeNamed(second.Text, first)
	case library.PackNumbers:
		if len(args.Items) > 2 {
			second = &value.Data{List: true, Items: args.Items[1:], Taint: args.Taint}
		}
		return value.Unpack(second, "pack", first)
	case library.WriteHandle:
		in.method(first, "write", value.List(second))
	case library.ConcatArguments:
		return value.JoinItems(args, "")
	case library.ListArguments:
		return args
	}
	return &value.Data{}
}

// folderKind returns the kind of the object for a folder. In Python, this is PathObject, because some functions of
// Python return Path objects.
func (in *interpreter) folderKind() value.ObjectKind {
	if in.Language == trace.Python {
		return value.PathObject
	}
	return value.NoObject
}

// moduleValue returns a reference to the module whose name is the text of v.
func moduleValue(v value.Value) value.Value {
	if !v.Known {
		return &value.Data{Taint: v.Taint}
	}
	return &value.Data{Name: moduleName(v.Text)}
}

// printTo evaluates a Perl print statement with a file handle. The handle is an open file or a running program.
func (in *interpreter) printTo(handle string, args value.Value) {
	switch h := in.variable(handle); h.Kind {
	case value.FileObject:
		in.FileWrite(h, args)
	case value.ProcessObject:
		in.WriteToProcess(h, value.Argument(args, 0))
	}
}

// workOfItem is the number of units of work that the analysis counts for each item of a new list.
const workOfItem = 4

// splitAt splits a text at a separator, or at white space if the separator is a space.
func (in *interpreter) splitAt(v value.Value, sep string) value.Value {
	if !v.Known || len(v.Text) > value.MaxJoined {
		return &value.Data{List: true, Items: []value.Value{system.WalkedItem(v)}, Taint: v.Taint}
	}
	parts := strings.Split(v.Text, sep)
	if sep == " " {
		parts = strings.Fields(v.Text)
	}
	parts = parts[:min(len(parts), trace.MaxFields)]
	in.spend(len(v.Text)/8 + workOfItem*len(parts))
	out := &value.Data{List: true, Taint: v.Taint}
	for _, p := range parts {
		out.Items = append(out.Items, &value.Data{Text: strings.Trim(p, `'"`), Known: true, Taint: v.Taint})
	}
	return out
}

// settings() returns the settings that a library reads from .env files. The arguments are paths, or options that
// contain a path. Without arguments, the library reads the file .env. If none of the files is secret, the result is
// unknown.
func (in *interpreter) settings(args value.Value) value.Value {
	files := args.Items
	for _, v := range [...]value.Value{args, value.Argument(args, 0)} {
		if path, ok := v.Entry("path dotenv_path"); ok {
			files = []value.Value{path}
		}
	}
	secret := len(files) == 0
	for _, file := range files {
		secret = secret || !file.Known || in.Trace.Place(file.ToTrace(), in.Command.Scope).Secret
	}
	switch {
	case !secret:
		return &value.Data{}
	case in.Language == trace.Script:
		return &value.Data{Name: "process.env"}
	case in.Language == trace.Ruby:
		return &value.Data{Name: "ENV", Taint: trace.FromEnviron}
	}
	return &value.Data{Name: "os.environ"}
}
