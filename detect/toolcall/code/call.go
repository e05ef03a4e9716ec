package code

// call.go evaluates calls of functions. Each function performs an action.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// actionOf returns the action of the function with this name in the language of the code.
func (in *interpreter) actionOf(name string) library.Action {
	return library.ActionOf(in.Language, name)
}

// call() evaluates a call of the function or method f.
func (in *interpreter) call(f, args value.Value) value.Value {
	if in.choosing {
		if n := max(args.Choices(0), f.Choices(0)); n > 1 && f.Function == nil {
			return in.evaluateEach(n, func(i int) value.Value { return in.call(f.Pick(i, 0), args.Pick(i, 0)) })
		}
	}
	if n := len(f.Items); in.Language == trace.Script && f.List && !f.Any && n > 0 {
		f = f.Items[n-1] // as in (0, eval)("…")
	}
	if f.Function != nil {
		return in.callFunction(f.Function, args)
	}
	in.noteCallbacks(args)
	if f.Method != "" {
		return in.method(f.Self, f.Method, args)
	}
	if in.Language == trace.PHP && f.Known && !f.List {
		f = &value.Data{Name: f.Text}
	}
	if f.Kind == value.DatabaseObject {
		return &value.Data{Kind: value.RowsObject, Text: "$rows"}
	}
	if f.Name == "" || f.Kind != value.NoObject {
		if in.runner && f.Kind == value.NoObject && value.Argument(args, 0).Known {
			in.Unsure.Runs = true
		}
		return &value.Data{Taint: f.Taint | args.ItemTaint()}
	}
	if f.Name == "process" && len(args.Items) == 0 {
		return f // as in Function("return process")()
	}
	if own := in.defined[words.AfterLast(f.Name, ".")]; own != nil && in.actionOf(f.Name).Kind == library.NoAction {
		return in.callFunction(own, args)
	}
	return in.callNamed(f, args)
}

// callNamed evaluates a call of a function that the code does not define. The value f contains the name of the
// function.
func (in *interpreter) callNamed(f, args value.Value) value.Value {
	name := library.Canonical(f.Name)
	act := in.actionOf(name)
	if in.makesMock(name, args) {
		return &value.Data{Kind: value.FakeObject, Text: mockText, Name: "fake"}
	}
	if in.makesFake(name, args) {
		return &value.Data{Kind: value.FakeObject, Text: "$fake", Name: "fake"}
	}
	in.realInFake = in.realInFake || name == words.Among(name, "setattr vars type Object.assign")
	in.noteConnection(name, args)
	if !strings.Contains(name, ".") {
		in.noteOverwrite(name, args)
	}
	if v := in.serviceObject(name, args); v != nil {
		for _, item := range args.Items {
			if item.Function != nil {
				in.callFunction(item.Function, value.List(v)) // as in Net::SSH.start(…) { |ssh| … }
			}
		}
		return v
	}
	if name == "GetSecretValueCommand" {
		in.serviceMethod(&value.Data{}, name, args)
	}
	for i := 0; act.Kind == library.NoAction && i < len(in.starImports); i++ {
		act = in.actionOf(in.starImports[i] + "." + name)
	}
	if n := len(args.Items) - 1; name == "Function" && n >= 0 {
		if body := args.Items[n]; body.IsPlainText() && body.Taint == 0 {
			params := value.JoinItems(value.List(args.Items[:n]...), ",")
			return in.evaluate("(" + params.Text + ") => {" + body.Text + "}") // as in Function("a", "b", "code")
		}
		args = value.List(args.Items[n:]...)
	}
	if act.Kind >= library.ListFolder && act.Kind <= library.WalkFolder ||
		name == "Dir.mktmpdir" && in.defined["mktmpdir"] == nil {
		found := in.perform(act, args)
		in.passFunctions(name, found, args)
		return found
	}
	top, _, dotted := strings.Cut(value.Argument(args, 0).Text, ".")
	if dotted && name == "__import__" && len(args.Pairs) == 0 {
		return &value.Data{Name: top} // __import__("urllib.request") returns urllib
	}
	if act.Kind != library.NoAction && act.Kind != library.MapItems {
		if act.Kind == library.RunCommand {
			args = commandLine(name, args)
		}
		if act.Kind == library.ReturnFirst && act.Arg+len(args.Pairs) > 0 {
			in.passFunctions(name, &value.Data{}, args) // as in filter(f, list) and sorted(list, key=f)
		}
		return in.perform(act, args)
	}
	if program := library.ProgramFunction(in.Language, name); program != "" {
		argv := append([]value.Value{value.Text(program)}, args.Items...)
		args = &value.Data{List: true, Items: argv, Pairs: args.Pairs}
		return in.PerformRun(library.Action{Kind: library.StartCommand}, args)
	}
	if module, ok := strings.CutSuffix(name, ".then"); ok {
		return in.method(&value.Data{Name: module}, "then", args) // as in import("fs").then(…)
	}
	if target, ok := strings.CutSuffix(name, ".bind"); ok && in.Language == trace.Script {
		if len(args.Items) < 2 {
			return &value.Data{Name: target}
		}
		return in.call(&value.Data{Name: target}, value.List(args.Items[1:]...)) // the code calls the function later
	}
	if name == "functools.partial" && len(args.Items) == 1 {
		return args.Items[0]
	}
	if member := value.Argument(args, 0); member.IsPlainText() && words.OneOf(name, "operator.attrgetter operator.methodcaller") {
		return in.memberGetter(name, member.Text, args)
	}
	c := in.constructor()
	isOwn := c != nil && name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(name, ".")
	if isOwn {
		in.callFunction(c, args)
	}
	if v, ok := in.passFunctions(name, &value.Data{}, args); ok {
		return v
	}
	if in.Language == trace.Ruby && name == words.Among(name, "send public_send __send__") {
		return in.method(&value.Data{}, name, args)
	}
	if act.Kind != library.NoAction {
		return in.perform(act, args)
	}
	if isOwn {
		return &value.Data{Text: "$" + name}
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return in.method(&value.Data{Name: name[:i], Text: "$" + name[:i], Taint: f.Taint}, name[i+1:], args)
	}
	if strings.HasPrefix(name, "wp_delete_") &&
		(name != "wp_delete_post" || len(args.Items) > 1 || args.IsOfMany(0)) { // a single post goes to the trash
		in.Trace.Mark(in.Command, "calls "+name+trace.DeletesRecords, effect.DestructiveOp)
	}
	if name == words.Among(name, "bool len Boolean") {
		return truth(args.ItemTaint())
	}
	return &value.Data{Taint: args.ItemTaint()}
}

// commandLine returns the arguments of a function that runs a command. If the command is a text that nobody can know
// before the code runs, such as the result of Template.substitute, the value that commandLine returns says that a
// program computes the command. Many functions take a list instead of a text. Such a list is often computed, so it does
// not count.
func commandLine(name string, args value.Value) value.Value {
	_, isText := args.Entry("shell")
	line := value.Argument(args, 0)
	if line.Known || line.List || line.Any || line.Text+line.Name != "" || line.Taint != 0 ||
		!isText && !words.OneOf(words.AfterLast(name, "."), "system popen getoutput exec execSync") {
		return args
	}
	return value.List(&value.Data{Taint: trace.FromProgram})
}

// memberGetter returns the function that Python's operator.attrgetter or operator.methodcaller makes. This function
// gets a member of its argument. In the case of methodcaller, the function also calls this member with the second item
// of the parameter "args".
func (in *interpreter) memberGetter(name, member string, args value.Value) value.Value {
	code := "lambda o: o." + member
	if name == "operator.methodcaller" {
		in.bind("methodcaller_argument", value.Argument(args, 1))
		code += "(methodcaller_argument)"
	}
	return in.evaluate(code)
}

// perform() adds the effects of the action that a call performs, and returns the value of the call.
func (in *interpreter) perform(act library.Action, args value.Value) value.Value {
	if len(args.Items) == 0 && len(args.Pairs) > 0 && in.Language == trace.Compiled {
		items := value.AlternativesOf(value.ValuesOf(args)) // as in removeItem(atPath: "x")
		args = &value.Data{List: true, Items: items, Pairs: args.Pairs}
	}
	if act.Kind == library.KillProcess && !value.Argument(args, act.Arg).Known && in.listsProcesses() {
		in.Trace.Mark(in.Command, "kills every process", effect.SystemControl)
	}
	switch act.Kind {
	case library.EvalCode:
		return in.evalText(value.Argument(args, act.Arg))
	case library.LoadObjects, library.LoadTensor, library.LoadArray, library.LoadByType:
		in.loadObjects(act, args)
		return &value.Data{Taint: trace.FromFile | value.Argument(args, 0).ItemTaint()}
	case library.OpenPipe:
		return in.openFileOrPipe(args)
	case library.RunCommand, library.StartCommand, library.ExecProgram:
		return in.PerformRun(act, args)
	case library.ReadFile, library.WriteFile, library.TruncateFile, library.SaveFile, library.AppendToFile,
		library.OpenStream, library.SaveContentFirst, library.RemoveFile, library.RemoveTree, library.MovePath,
		library.CopyPath, library.CopyTree, library.UnpackInto, library.LinkPath, library.OpenFile,
		library.ChangeMode, library.ChangeOwner:
		return in.PerformFile(act, args)
	case library.FetchURL, library.FetchTo, library.DeleteURL, library.SendURL, library.ConnectTo,
		library.ListenOn, library.DuplicateHandle, library.KillProcess, library.WaitProcess, library.SetUser:
		return in.PerformReach(act, args)
	case library.ForkProcess:
		in.fork(value.Argument(args, 0))
		return &value.Data{}
	case library.MakeSocket, library.MapItems, library.DecodeByName, library.PackNumbers, library.WriteHandle,
		library.ConcatArguments, library.ListArguments:
		return in.performSpecial(act, args)
	}
	return in.performValue(act, args)
}

// listsProcesses reports whether the code lists all processes, but reads no property of a process by which it could
// choose some of these processes.
func (in *interpreter) listsProcesses() bool {
	return in.spend(len(in.source)/16) && words.HasPart(in.source, `"/proc"|'/proc'`) &&
		!words.HasPart(in.source, "cmdline|comm|exe|stat|environ|cwd")
}
