package code

// system.go handles everything around a program: its input, its output and its environment variables.

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// system is everything outside a program's variables: files, commands, the network, and the program's own input, output
// and environment. When the code uses one of them, the methods of system add the effects.
type system struct {
	trace    *trace.Trace
	command  *trace.Command
	language trace.Language
	// out is the output of the program. It is valid only if printed is set.
	out     trace.Flow
	printed bool
	seen    traits
	unsure  unsure
	// literals holds the string literals of the code. ending is the ending of the files that the code looks for, such
	// as *.log.
	literals literals
	ending   string
	// realInFake is set if the code may have made a real object part of a fake.
	realInFake bool
	// runner is set if the code uses a module that runs programs.
	runner bool
	// git is set if the code uses a library that does what git does.
	git bool
	// database is set if the code uses a library for a database.
	database  bool
	connected connections
}

// traits holds properties of a program that have an effect only together with others.
type traits struct {
	connected bool // it has a connection to another machine
	shell     bool // it has started an interactive shell
	downloads bool // it downloads something
	endless   bool // it has an endless loop
	forks     bool
	waits     bool // it waits for its children, or accepts connections
	branches  bool // its output depends on conditions that are not evaluated
}

func (s *system) stdin() value {
	input := s.command.In
	if input.Known && input.Text != "" {
		return &data{text: input.Text, known: true, taint: input.Taint}
	}
	taint := input.Taint
	if input.From() == "" {
		taint |= trace.FromProgram
	}
	return &data{text: "$input", taint: taint}
}

// printArguments adds the arguments of a call to the output of the program.
func (s *system) printArguments(line bool, args value) {
	end := ""
	if line {
		end = "\n"
	}
	out := &data{known: true}
	sep := " "
	if s.language == trace.Perl || s.language == trace.PHP || s.language == trace.Elixir {
		sep = ""
	}
	if s.language == trace.Ruby {
		sep = "\n"
	}
	for i, item := range args.items {
		if item.list || item.kind == fileObject {
			item = &data{taint: deepTaint(item, 0)}
		}
		if i > 0 {
			out = join(out, textValue(sep))
		}
		out = join(out, &data{text: item.text, known: item.known, taint: item.taint})
	}
	s.addOutput(out, end)
}

func (s *system) addOutput(v value, end string) {
	s.printed = true
	s.out.Taint |= v.itemTaint()
	if !v.known || len(s.out.Text) > 1<<16 {
		s.out.Known = false
		return
	}
	s.out.Text += v.text + end
}

// result returns the output of the program. Its text is known only if all of the output is known.
func (s *system) result(from trace.Taint) trace.Flow {
	if s.printed && s.out.Known && !s.seen.branches {
		s.out.Taint |= from
		return s.out
	}
	return trace.Flow{Taint: s.out.Taint | from | s.command.In.Taint | trace.FromProgram}
}

// environment returns the value of an environment variable, which may be unknown.
func (s *system) environment(name string) value {
	if name == "HOME" || name == "USERPROFILE" {
		return textValue(s.trace.Env.Home)
	}
	if name == "PWD" {
		return &data{text: s.command.Scope.Cwd, known: !s.command.Scope.CwdUnknown}
	}
	if v, ok := s.command.Scope.Vars.Find(name); ok && len(v.Values) == 1 {
		return &data{text: v.Values[0].Text, known: !v.Values[0].Partial, taint: v.Values[0].Taint}
	}
	if value, ok := s.trace.Inherited(name); ok {
		return textValue(value)
	}
	if secret, ok := s.command.Scope.Sourced(name); ok && s.trace.Scripts.Current() == 0 {
		return &data{text: "$" + name, taint: secret[0].Taint}
	}
	variable := &data{text: "$" + name}
	if trace.IsGuardVariable(name) || trace.RunsCode(name) {
		variable.name = "os.environ." + name // the name lets noteSensitiveVariable recognize an assignment
	}
	return variable
}

// noteSensitiveVariable records an assignment to an environment variable that the guard depends on, or that can make
// programs run code.
func (s *system) noteSensitiveVariable(name string, v value) {
	if i := strings.LastIndexByte(name, '.'); i > 0 && isEnvironment(name[:i]) {
		s.trace.SensitiveVariable(s.command, name[i+1:], v.toTrace())
	}
}

// implicitTaint returns the taint of the variable $_ in Perl and Ruby.
func (s *system) implicitTaint() trace.Taint {
	if s.seen.connected {
		return trace.FromSocket
	}
	return s.command.In.Taint
}
