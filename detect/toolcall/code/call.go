package code

// call.go evaluates calls of functions. Each function performs an action.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// action says what a function does, and to which of its arguments. The comments on the constants say what the
// arguments are, beginning with the argument at the index arg.
type action struct {
	kind actionKind
	arg  int // the index of the argument
}

type actionKind uint8

const (
	noAction     actionKind = iota
	runCommand              // a command: a text for the shell, or a list
	startCommand            // a program and a list of arguments
	execProgram             // a program and its argv, which begins with the name of the program
	evalCode
	loadObjects // an open file or a path; the objects in the file can run code when they are loaded
	loadTensor  // the same, unless an argument allows only numbers
	loadArray   // the same, but only if an argument allows objects
	loadByType  // the same, unless an argument allows only plain values
	readFile
	writeFile        // a path
	truncateFile     // a path, then the new size
	saveFile         // a path, then the content
	appendToFile     // a path, then the content that is added
	openStream       // a path; the value of the call is an open file
	saveContentFirst // the content, then a path
	removeFile
	removeTree
	movePath
	copyPath
	copyTree
	unpackInto // the folder that an archive is unpacked into
	linkPath
	openFile
	openPipe // Perl's and Ruby's open, which may run a command
	changeMode
	changeOwner
	fetchURL
	fetchTo // an address, then the path of the file
	deleteURL
	sendURL
	decodeBase64
	decodeHex
	decodeOther
	decodeRot13
	reverseOrder
	decodeCharCodes // character codes
	joinPaths
	makePath
	expandHome
	lookupEnv
	wholeEnv
	environmentObject
	environmentReader // makes an object; a call of it with the name of a variable returns the value
	tempPath
	tempDir
	userNumber
	userName
	currentDir
	homeDir
	connectTo
	listenOn
	duplicateHandle
	killProcess
	forkProcess
	waitProcess
	setUser
	printText
	printLine
	loadModule
	runScript // the path of a script in the same language
	getMember
	readInput
	readArguments // the files in the first argument, or those that the arguments of the program name
	returnFirst   // the value of the call is the first argument
	splitShell
	joinList
	changeDir
	setEnv
	makeSocket
	mapItems     // a function, then a list
	decodeByName // a text, then the name of its encoding
	packNumbers
	writeHandle
	concatArguments
	listFolder // the names in a folder
	listPaths  // the paths in a folder
	findPaths  // the paths that match a pattern
	walkFolder // the folders below a folder, each with its names
	chooseItem // one of the items of a list
	buildCommand
	joinText  // a list, then the separator of its items
	splitText // a separator, then a text
	splitInto // a text, the name of a list, a separator
	dictKeys
	dictValues
	growList      // a list, then the items to add
	listArguments // the value of the call is the list of arguments
)

// actionOf returns what the function with this name does in the language of the code.
func (in *interpreter) actionOf(name string) action {
	switch in.language {
	case trace.Python:
		return pythonAction(name)
	case trace.Script:
		return javascriptAction(name)
	case trace.Perl:
		return perlAction(name)
	case trace.Ruby:
		return rubyAction(name)
	case trace.PHP:
		return phpAction(name)
	case trace.Compiled:
		return compiledAction(name)
	}
	return otherAction(in.language, name)
}

// call evaluates a call of the function or method f.
func (in *interpreter) call(f, args value) value {
	if in.choosing {
		if n := max(args.choices(0), f.choices(0)); n > 1 && f.fn == nil {
			return in.evaluateEach(n, func(i int) value { return in.call(f.pick(i, 0), args.pick(i, 0)) })
		}
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
	if f.name == "" || f.kind != noObject {
		if in.runner && f.kind == noObject && argument(args, 0).known {
			in.unsure.runs = true
		}
		return &data{taint: f.taint | args.itemTaint()}
	}
	if f.name == "process" && len(args.items) == 0 {
		return f // Function("return process")()
	}
	if own := in.defined[words.AfterLast(f.name, ".")]; own != nil && in.actionOf(f.name).kind == noAction {
		return in.callFunction(own, args)
	}
	name := canonical(f.name)
	act := in.actionOf(name)
	if in.makesFake(name, args) {
		return &data{kind: fakeObject, text: "$fake", name: "fake"}
	}
	in.realInFake = in.realInFake || name == words.Among(name, "setattr vars type Object.assign")
	in.noteConnection(name, args)
	if v := serviceObject(name, args); v != nil {
		return v
	}
	if name == "GetSecretValueCommand" {
		in.serviceMethod(&data{}, name, args)
	}
	for i := 0; act.kind == noAction && i < len(in.starImports); i++ {
		act = in.actionOf(in.starImports[i] + "." + name)
	}
	if name == "Function" && len(args.items) > 1 {
		args = &data{list: true, items: args.items[len(args.items)-1:]} // the parameters come before the code
	}
	if act.kind >= listFolder && act.kind <= walkFolder {
		found := in.perform(act, args)
		in.passFunctions(name, found, args)
		return found
	}
	if act.kind != noAction && act.kind != mapItems {
		return in.perform(act, args)
	}
	if program := programFunction(in.language, name); program != "" {
		argv := append([]value{textValue(program)}, args.items...)
		return in.performRun(action{kind: startCommand}, &data{list: true, items: argv, pairs: args.pairs})
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
	if act.kind != noAction {
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

// programFunction returns the program that a function runs, as in sh.rm("-rf", "x"), or the program that does the same,
// as for call_command("flush").
func programFunction(language trace.Language, name string) string {
	switch words.AfterLast(name, ".") {
	case "call_command":
		return "manage.py"
	case "Artisan":
		return "artisan" // Artisan::call
	}
	if name == "Mix.Task.run" {
		return "mix"
	}
	for _, module := range [...]string{"sh.", "plumbum.cmd.", "plumbum.local."} {
		if program, ok := strings.CutPrefix(name, module); ok && language == trace.Python && !strings.Contains(program, ".") {
			return program
		}
	}
	return ""
}

// canonical returns a function's name without prefixes and suffixes that make no difference to its effect.
func canonical(name string) string {
	for _, prefix := range [...]string{
		"builtins.", "__builtins__.", "__builtin__.", "globalThis.", "window.", "global.", "Kernel.", "CORE.", "CORE.GLOBAL.",
		"base.", "Base.", "_G.", "\\", "java.io.", "java.nio.file.", "java.lang.",
	} {
		name = strings.TrimPrefix(name, prefix)
	}
	if strings.Contains(name, "__dict__.") {
		name = strings.ReplaceAll(name, "__dict__.", "")
	}
	if strings.HasSuffix(name, "constructor._load") || strings.HasSuffix(name, "Module._load") {
		return "require"
	}
	if strings.HasPrefix(name, "subprocess.") {
		return name // subprocess.call is a function; in JavaScript, f.call calls f
	}
	return strings.TrimSuffix(strings.TrimSuffix(name, ".call"), ".apply")
}

// perform adds the effects of a call with this action and returns the value of the call.
func (in *interpreter) perform(act action, args value) value {
	if len(args.items) == 0 && len(args.pairs) > 0 && in.language == trace.Compiled {
		args = &data{list: true, items: alternativesOf(valuesOf(args)), pairs: args.pairs} // removeItem(atPath: "x")
	}
	switch act.kind {
	case evalCode:
		return in.evalText(argument(args, act.arg))
	case loadObjects, loadTensor, loadArray, loadByType:
		in.loadObjects(act, args)
		return &data{taint: trace.FromFile | argument(args, 0).itemTaint()}
	case openPipe:
		return in.openFileOrPipe(args)
	case runCommand, startCommand, execProgram:
		return in.performRun(act, args)
	case readFile, writeFile, truncateFile, saveFile, appendToFile, openStream, saveContentFirst, removeFile, removeTree, movePath, copyPath, copyTree,
		unpackInto, linkPath, openFile, changeMode, changeOwner:
		return in.performFile(act, args)
	case fetchURL, fetchTo, deleteURL, sendURL, connectTo, listenOn, duplicateHandle,
		killProcess, forkProcess, waitProcess, setUser:
		return in.performReach(act, args)
	case makeSocket, mapItems, decodeByName, packNumbers, writeHandle, concatArguments, listArguments:
		return in.performSpecial(act, args)
	}
	return in.performValue(act, args)
}
