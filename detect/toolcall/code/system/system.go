// Package system adds the effects of what code does outside its variables: it reads, writes and deletes files, runs
// commands and uses the network.
//
// Start reading at System. The type System also has the input, the output and the environment variables of the program.
package system

import (
	"strings"

	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// System stands for everything outside a program's variables: files, commands, the network, and the input, output and
// environment of the program. The methods of System add the effects of a program that uses these things.
type System struct {
	Trace    *trace.Trace
	Command  *trace.Command
	Language trace.Language
	// Out is the output of the program. It is valid only if the field "printed" is set.
	Out     trace.Flow
	printed bool
	Seen    Traits
	Unsure  Unsure
	// The field "NoWeb" is set while a library answers instead of all web servers.
	NoWeb bool
	// The field "ending" is a pattern for the files that the code looks for, such as *.log.
	ending string
}

// Traits holds properties of a program that matter only in combination, such as an endless loop that starts processes.
type Traits struct {
	Connected bool // the program has a connection to another machine
	shell     bool // the program has started an interactive shell
	Downloads bool // the program downloads something
	Endless   bool // the program has an endless loop
	Forks     bool
	Waits     bool // the program waits for its children, or accepts connections
	Branches  bool // the output depends on conditions that are not evaluated
}

// Stdin returns the input of the program.
func (s *System) Stdin() value.Value {
	input := s.Command.In
	if input.Known && input.Text != "" {
		return &value.Data{Text: input.Text, Known: true, Taint: input.Taint}
	}
	taint := input.Taint
	if input.From() == "" {
		taint |= trace.FromProgram
	}
	return &value.Data{Text: "$input", Taint: taint}
}

// PrintArguments adds the arguments of a call to the output of the program.
func (s *System) PrintArguments(line bool, args value.Value) {
	end := ""
	if line {
		end = "\n"
	}
	out := &value.Data{Known: true}
	sep := " "
	if s.Language == trace.Perl || s.Language == trace.PHP || s.Language == trace.Elixir {
		sep = ""
	}
	if s.Language == trace.Ruby {
		sep = "\n"
	}
	for i, item := range args.Items {
		if item.List || item.Kind == value.FileObject {
			item = &value.Data{Taint: value.DeepTaint(item, 0)}
		}
		if i > 0 {
			out = value.Join(out, value.Text(sep))
		}
		out = value.Join(out, &value.Data{Text: item.Text, Known: item.Known, Taint: item.Taint})
	}
	s.addOutput(out, end)
}

func (s *System) addOutput(v value.Value, end string) {
	s.printed = true
	s.Out.Taint |= v.ItemTaint()
	if !v.Known || len(s.Out.Text) > 1<<16 {
		s.Out.Known = false
		return
	}
	s.Out.Text += v.Text + end
}

// Result returns the output of the program. The text of the result is known only if the whole output is known.
func (s *System) Result(from trace.Taint) trace.Flow {
	if s.printed && s.Out.Known && !s.Seen.Branches {
		s.Out.Taint |= from
		return s.Out
	}
	return trace.Flow{Taint: s.Out.Taint | from | s.Command.In.Taint | trace.FromProgram}
}

// Environment returns the value of an environment variable, which may be unknown.
func (s *System) Environment(name string) value.Value {
	if name == "HOME" || name == "USERPROFILE" {
		return value.Text(s.Trace.Env.Home)
	}
	if name == "PWD" {
		return &value.Data{Text: s.Command.Scope.Cwd, Known: !s.Command.Scope.CwdUnknown}
	}
	if v, ok := s.Command.Scope.Vars.Find(name); ok && len(v.Values) == 1 {
		return &value.Data{Text: v.Values[0].Text, Known: !v.Values[0].Partial, Taint: v.Values[0].Taint}
	}
	if text, ok := s.Trace.Inherited(name); ok {
		return value.Text(text)
	}
	if secret, ok := s.Command.Scope.Sourced(name); ok && s.Trace.Scripts.Current() == 0 {
		return &value.Data{Text: "$" + name, Taint: secret[0].Taint}
	}
	variable := &value.Data{Text: "$" + name, Taint: trace.TaintOfVariable(name)}
	if trace.IsGuardVariable(name) || trace.RunsCode(name) {
		variable.Name = "os.environ." + name // NoteSensitiveVariable looks for this prefix
	}
	return variable
}

// NoteSensitiveVariable records an assignment to an environment variable that the guard depends on, or that can make
// programs run code.
func (s *System) NoteSensitiveVariable(name string, v value.Value) {
	if i := strings.LastIndexByte(name, '.'); i > 0 && IsEnvironment(name[:i]) {
		s.Trace.SensitiveVariable(s.Command, name[i+1:], v.ToTrace())
	}
}

// ImplicitTaint returns the taint of the variable $_ in Perl and Ruby, which usually holds the current line of the
// input.
func (s *System) ImplicitTaint() trace.Taint {
	if s.Seen.Connected {
		return trace.FromSocket
	}
	return s.Command.In.Taint
}

// IsEnvironment reports whether a name stands for all environment variables, as os.environ does.
func IsEnvironment(name string) bool {
	return name == words.Among(name, "os.environ process.env ENV $ENV $_ENV $_SERVER Deno.env Bun.env %ENV System.env "+
		"ENVIRON environ os.environb")
}

// Unsure says whether the code runs an unknown command, or reads, writes or deletes an unknown file.
type Unsure struct {
	Runs, Reads, Writes, Deletes bool
}
