package code

// call.go evaluates calls of functions. Each function performs an action.

import (
	"strings"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// actionOf returns what the function with this name does in the language of the code.
func (in *interpreter) actionOf(name string) library.Action {
	return library.ActionOf(in.language, name)
}

// call evaluates a call of the function or method f.
func (in *interpreter) call(f, args value) value {
	if in.choosing {
		if n := max(args.choices(0), f.choices(0)); n > 1 && f.fn == nil {
			return in.evaluateEach(n, func(i int) value { return in.call(f.pick(i, 0), args.pick(i, 0)) })
		}
	}
	if n := len(f.items); in.language == trace.Script && f.list && !f.any && n > 0 {
		f = f.items[n-1] // (0, eval)("…")
	}
	if f.fn != nil {
		return in.callFunction(f.fn, args)
	}
	in.noteCallbacks(args)
	if f.method != "" {
		return in.method(f.self, f.method, args)
	}
	if in.language == trace.PHP && f.known && !f.list {
		f = &data{name: f.text}
	}
	if f.kind == databaseObject {
		return &data{kind: rowsObject, text: "$rows"}
	}
	if f.name == "" || f.kind != noObject {
		if in.runner && f.kind == noObject && argument(args, 0).known {
			in.unsure.runs = true
		}
		return &data{taint: f.taint | args.itemTaint()}
	}
	if f.name == "process" && len(args.items) == 0 {
		return f // Function("return process")()
	}
	if own := in.defined[words.AfterLast(f.name, ".")]; own != nil && in.actionOf(f.name).Kind == library.NoAction {
		return in.callFunction(own, args)
	}
	name := library.Canonical(f.name)
	act := in.actionOf(name)
	if in.makesFake(name, args) {
		return &data{kind: fakeObject, text: "$fake", name: "fake"}
	}
	in.realInFake = in.realInFake || name == words.Among(name, "setattr vars type Object.assign")
	in.noteConnection(name, args)
	if !strings.Contains(name, ".") {
		in.noteOverwrite(name, args)
	}
	if v := in.serviceObject(name, args); v != nil {
		for _, item := range args.items {
			if item.fn != nil {
				in.callFunction(item.fn, &data{list: true, items: []value{v}}) // Net::SSH.start(…) { |ssh| … }
			}
		}
		return v
	}
	if name == "GetSecretValueCommand" {
		in.serviceMethod(&data{}, name, args)
	}
	for i := 0; act.Kind == library.NoAction && i < len(in.starImports); i++ {
		act = in.actionOf(in.starImports[i] + "." + name)
	}
	if name == "Function" && len(args.items) > 1 {
		args = &data{list: true, items: args.items[len(args.items)-1:]} // the parameters come before the code
	}
	if act.Kind >= library.ListFolder && act.Kind <= library.WalkFolder {
		found := in.perform(act, args)
		in.passFunctions(name, found, args)
		return found
	}
	if act.Kind != library.NoAction && act.Kind != library.MapItems {
		return in.perform(act, args)
	}
	if program := library.ProgramFunction(in.language, name); program != "" {
		argv := append([]value{textValue(program)}, args.items...)
		return in.performRun(library.Action{Kind: library.StartCommand}, &data{list: true, items: argv, pairs: args.pairs})
	}
	if module, ok := strings.CutSuffix(name, ".then"); ok {
		return in.method(&data{name: module}, "then", args) // import("fs").then(…)
	}
	if target, ok := strings.CutSuffix(name, ".bind"); ok && in.language == trace.Script {
		if len(args.items) < 2 {
			return &data{name: target}
		}
		return in.call(&data{name: target}, &data{list: true, items: args.items[1:]}) // the code calls it sooner or later
	}
	if name == "functools.partial" && len(args.items) == 1 {
		return args.items[0]
	}
	if v, ok := in.passFunctions(name, &data{}, args); ok {
		return v
	}
	if in.language == trace.Ruby && name == words.Among(name, "send public_send __send__") {
		return in.method(&data{}, name, args)
	}
	if act.Kind != library.NoAction {
		return in.perform(act, args)
	}
	if c := in.constructor(); c != nil && name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(name, ".") {
		in.callFunction(c, args)
		return &data{text: "$" + name}
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return in.method(&data{name: name[:i], text: "$" + name[:i], taint: f.taint}, name[i+1:], args)
	}
	if name == words.Among(name, "bool len Boolean") {
		return truth(args.itemTaint())
	}
	return &data{taint: args.itemTaint()}
}

// perform adds the effects of a call with this action and returns the value of the call.
func (in *interpreter) perform(act library.Action, args value) value {
	if len(args.items) == 0 && len(args.pairs) > 0 && in.language == trace.Compiled {
		args = &data{list: true, items: alternativesOf(valuesOf(args)), pairs: args.pairs} // removeItem(atPath: "x")
	}
	switch act.Kind {
	case library.EvalCode:
		return in.evalText(argument(args, act.Arg))
	case library.LoadObjects, library.LoadTensor, library.LoadArray, library.LoadByType:
		in.loadObjects(act, args)
		return &data{taint: trace.FromFile | argument(args, 0).itemTaint()}
	case library.OpenPipe:
		return in.openFileOrPipe(args)
	case library.RunCommand, library.StartCommand, library.ExecProgram:
		return in.performRun(act, args)
	case library.ReadFile, library.WriteFile, library.TruncateFile, library.SaveFile, library.AppendToFile,
		library.OpenStream, library.SaveContentFirst, library.RemoveFile, library.RemoveTree, library.MovePath,
		library.CopyPath, library.CopyTree, library.UnpackInto, library.LinkPath, library.OpenFile,
		library.ChangeMode, library.ChangeOwner:
		return in.performFile(act, args)
	case library.FetchURL, library.FetchTo, library.DeleteURL, library.SendURL, library.ConnectTo,
		library.ListenOn, library.DuplicateHandle, library.KillProcess, library.ForkProcess,
		library.WaitProcess, library.SetUser:
		return in.performReach(act, args)
	case library.MakeSocket, library.MapItems, library.DecodeByName, library.PackNumbers, library.WriteHandle,
		library.ConcatArguments, library.ListArguments:
		return in.performSpecial(act, args)
	}
	return in.performValue(act, args)
}
