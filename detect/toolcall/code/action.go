package code

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// action is what a function does with its arguments.
type action struct {
	kind actionKind
	// at is the index of the argument that it concerns.
	at int
}

type actionKind uint8

const (
	noAction     actionKind = iota
	runCommand              // a command: a text for the shell, or a list
	startCommand            // a program and a list of arguments
	replaceSelf             // a program and a list of arguments that begins with its name again
	evalCode
	readFile
	writeFile // a path
	saveFile  // a path, then what it will hold
	saveAfter // the path stands behind the content
	removeFile
	removeTree
	movePath
	copyPath
	linkPath
	openFile
	openPipe // Perl's and Ruby's open, which may run a command
	openDir
	changeMode
	changeOwner
	fetchURL
	fetchTo // an address, and the path that it is saved under
	sendURL
	base64Text
	hexText
	packedText
	rotate
	reverseText
	spellText // numbers to letters
	joinPaths
	makePath
	expandHome
	lookupEnv
	wholeEnv
	tempPath
	currentDir
	homeDir
	connectTo
	listenOn
	duplicate
	killProcess
	forkProcess
	waitProcess
	becomeUser
	printText
	printLine
	loadModule
	getMember
	readInput
	passOn // the first argument is the value
	splitShell
	joinList
	changeTo
	setEnv
	makeSocket
	mapList     // a function over a list
	passEncoded // a text and the name of its encoding
	packText
	writeHandle
	concatAll
	listAll // the arguments are a list
)

// actionOf finds what a function does by its name.
func actionOf(w *interpreter, name string) action {
	switch w.language {
	case trace.Python:
		return pythonAction(name)
	case trace.Script:
		return scriptAction(name)
	case trace.Perl:
		return perlAction(name)
	case trace.Ruby:
		return rubyAction(name)
	case trace.PHP:
		return phpAction(name)
	}
	return smallAction(w.language, name)
}

// call follows the call of a function or a method.
func (w *interpreter) call(f, args known) known {
	if f.method != "" {
		return w.method(*f.self, f.method, args)
	}
	if f.name == "" || f.class != plain {
		return known{taint: f.taint | args.tainted()}
	}
	if f.name == "process" && len(args.items) == 0 {
		return f // Function("return process")()
	}
	name := canonical(f.name)
	d := actionOf(w, name)
	for i := 0; d.kind == noAction && i < len(w.stars); i++ {
		d = actionOf(w, w.stars[i]+"."+name)
	}
	if d.kind != noAction {
		return w.do(d, args)
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return w.method(known{name: name[:i], text: "$" + name[:i], taint: f.taint}, name[i+1:], args)
	}
	return known{taint: args.tainted()}
}

// canonical drops what may stand before a function's name without changing which it is.
func canonical(name string) string {
	for _, prefix := range [...]string{"builtins.", "__builtins__.", "__builtin__.", "globalThis.", "window.", "global.", "Kernel.", "CORE.", "CORE.GLOBAL.", "base.", "Base.", "_G.", "\\"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if strings.Contains(name, "__dict__.") {
		name = strings.ReplaceAll(name, "__dict__.", "")
	}
	if strings.HasSuffix(name, "constructor._load") || strings.HasSuffix(name, "Module._load") {
		return "require"
	}
	if strings.HasPrefix(name, "subprocess.") {
		return name // there call is a function and not, as in JavaScript, a way to call one
	}
	return strings.TrimSuffix(strings.TrimSuffix(name, ".call"), ".apply")
}

// do adds the effects of an action and returns the value of the call.
func (w *interpreter) do(d action, args known) known {
	switch d.kind {
	case runCommand, startCommand, replaceSelf, evalCode:
		return w.doRun(d, args)
	case readFile, writeFile, saveFile, saveAfter, removeFile, removeTree, movePath, copyPath, linkPath, openFile, openPipe,
		openDir, changeMode, changeOwner:
		return fileAction(w, d, args)
	case fetchURL, fetchTo, sendURL, connectTo, listenOn, duplicate, killProcess, forkProcess, waitProcess, becomeUser:
		return reachAction(w, d, args)
	case makeSocket, mapList, passEncoded, packText, writeHandle, concatAll, listAll:
		return w.doSpecial(d, args)
	}
	return w.doValue(d, args)
}
