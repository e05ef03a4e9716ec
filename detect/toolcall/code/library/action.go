// Package library knows what the functions of each programming language do, such as running a command or writing a
// file. Each language has a table of its functions.
package library

// action.go lists the actions that a function can perform.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Action says what a function does, and which of its arguments it uses. The comments on the constants of the type Kind
// list these arguments in order. The first of these arguments has the index Arg.
type Action struct {
	Kind Kind
	Arg  int // the index of the first argument that the function uses
}

// Kind is what a function does.
type Kind uint8

// The kinds of actions.
const (
	NoAction     Kind = iota
	RunCommand        // a command: a text for the shell, or a list
	StartCommand      // a program and a list of arguments
	ExecProgram       // a program and its argv, which begins with the name of the program
	EvalCode
	LoadObjects // an open file or a path; the objects in the file can run code when they are loaded
	LoadTensor  // like LoadObjects, unless an argument allows only numbers
	LoadArray   // like LoadObjects, but only if an argument allows objects
	LoadByType  // like LoadObjects, unless an argument allows only plain values
	ReadFile
	WriteFile        // a path
	TruncateFile     // a path, then the new size
	SaveFile         // a path, then the content
	AppendToFile     // a path, then the content that is added
	OpenStream       // a path; the value of the call is an open file
	SaveContentFirst // the content, then a path
	RemoveFile
	RemoveTree
	MovePath
	CopyPath
	CopyTree
	UnpackInto // the folder that an archive is unpacked into
	LinkPath
	OpenFile
	OpenPipe // Perl's and Ruby's open, which may run a command
	ChangeMode
	ChangeOwner
	FetchURL
	FetchTo // an address, then the path of the file
	DeleteURL
	SendURL
	DecodeBase64
	DecodeHex
	DecodeOther
	DecodeRot13
	ReverseOrder
	DecodeCharCodes // character codes
	JoinPaths
	MakePath
	ExpandHome
	LookupEnv
	WholeEnv
	EnvironmentObject
	EnvironmentReader // returns an object; a call of this object with the name of a variable returns the value
	TempPath
	TempDir
	UserNumber
	UserName
	CurrentDir
	HomeDir
	ConnectTo
	ListenOn
	DuplicateHandle
	KillProcess
	ForkProcess
	WaitProcess
	SetUser
	PrintText
	PrintLine
	LoadModule
	RunScript // the path of a script in the same language
	GetMember
	ReadInput
	ReadArguments // the files in the first argument, or the files whose paths are the arguments of the program
	ReturnFirst   // the value of the call is the first argument
	SplitShell
	JoinList
	ChangeDir
	SetEnv
	MakeSocket
	MapItems     // a function, then a list
	DecodeByName // a text, then the name of its encoding
	PackNumbers
	WriteHandle
	ConcatArguments
	ListFolder // the names in a folder
	ListPaths  // the paths in a folder
	FindPaths  // the paths that match a pattern
	WalkFolder // the folders below a folder, each with its names
	ChooseItem // one of the items of a list
	BuildCommand
	FormatText // a format such as "%s", then the values
	JoinText   // a list, then the separator of its items
	SplitText  // a separator, then a text
	SplitInto  // a text, the name of a list, a separator
	DictKeys
	DictValues
	GrowList      // a list, then the items to add
	ListArguments // the value of the call is the list of arguments
)

// ProgramFunction returns the program that a function runs, such as rm for sh.rm("-rf", "x"). If a function does the
// same as a program, ProgramFunction returns that program, such as manage.py for call_command("flush").
func ProgramFunction(language trace.Language, name string) string {
	switch words.AfterLast(name, ".") {
	case "call_command":
		return "manage.py"
	case "Artisan":
		return "artisan" // as in Artisan::call
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

// Canonical returns the name of a function without prefixes and suffixes that do not change the effect of the function.
func Canonical(name string) string {
	for _, prefix := range [...]string{
		"builtins.", "__builtins__.", "__builtin__.", "globalThis.", "window.", "global.", "Kernel.", "CORE.", "CORE.GLOBAL.",
		"base.", "Base.", "_G.", "\\", "java.io.", "java.nio.file.", "java.lang.",
	} {
		name = strings.TrimPrefix(name, prefix)
	}
	if strings.Contains(name, "__dict__.") {
		name = strings.ReplaceAll(name, "__dict__.", "")
	}
	if strings.HasSuffix(name, "constructor._load") || strings.HasSuffix(name, "odule._load") {
		return "require"
	}
	if strings.HasPrefix(name, "subprocess.") {
		return name // subprocess.call is a function itself, but in JavaScript, f.call calls f
	}
	return strings.TrimSuffix(strings.TrimSuffix(name, ".call"), ".apply")
}

// The type "function" is a row of a table. A row lists the names of functions that perform the same action. The row
// also has the index of the first argument that these functions use.
type function struct {
	kind  Kind
	arg   uint8
	names string
}

// ActionOf returns what the function with this name does in a language.
func ActionOf(language trace.Language, name string) Action {
	table := lispFunctions
	switch language {
	case trace.Python:
		table = pythonFunctions
	case trace.Script:
		table, name = scriptFunctions, scriptName(name)
	case trace.Perl:
		table = perlFunctions
	case trace.Ruby:
		table = rubyFunctions
	case trace.PHP:
		table = phpFunctions
	case trace.Compiled:
		table, name = compiledFunctions, compiledName(name)
	case trace.Lua:
		table = luaFunctions
	case trace.Statistics:
		table = rFunctions
	case trace.Julia:
		table = juliaFunctions
	case trace.Groovy, trace.Elixir:
		table = virtualMachineFunctions
	case trace.Awk:
		table = awkFunctions
	}
	for i := range table {
		if words.OneOf(name, table[i].names) {
			return Action{Kind: table[i].kind, Arg: int(table[i].arg)}
		}
	}
	return Action{}
}
