package system

// run.go evaluates functions that run commands.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// PerformRun performs the actions that run a command, and returns a value that stands for the running program.
func (s *System) PerformRun(act library.Action, args value.Value) value.Value {
	first := value.Argument(args, act.Arg)
	if act.Kind == library.RunCommand && len(args.Items) > act.Arg && !first.List && (onlyOptions(args.Items[act.Arg+1:]) ||
		s.Language == trace.Python || s.Language == trace.PHP) {
		return s.ProcessValue(first, s.runTextIn(first, args))
	}
	if act.Kind == library.RunCommand && s.Language == trace.Compiled && len(args.Items) == 2 &&
		!first.List && !args.Items[1].List {
		return s.ProcessValue(first, s.RunText(value.JoinItems(args, " "))) // a program, then a text with its arguments
	}
	argv := value.List(args.Items[min(act.Arg, len(args.Items)):]...)
	if v, ok := first.Entry("cmd"); ok && len(argv.Items) == 1 {
		return s.PerformRun(library.Action{Kind: library.RunCommand}, value.List(v)) // as in Bun.spawn({ cmd: […] })
	}
	if len(argv.Items) == 0 {
		if v, ok := args.Entry("args cmd"); ok {
			argv := &value.Data{List: true, Items: []value.Value{v}, Pairs: args.Pairs}
			return s.PerformRun(library.Action{Kind: library.RunCommand}, argv)
		}
		return &value.Data{}
	}
	words := argv.Flatten()
	for _, item := range argv.Items { // as in Deno.Command("rm", { args: […] })
		if v, ok := item.Entry("args"); ok {
			words = append(words, v.Flatten()...)
		}
	}
	if act.Kind == library.ExecProgram && len(words) > 1 {
		words = append(words[:1:1], words[2:]...)
	}
	return s.ProcessValue(value.List(argv.Items...), s.runWords(words, args))
}

// onlyOptions reports whether all values are dictionaries or functions. Such values are options and callbacks, not
// parts of a command.
func onlyOptions(values []value.Value) bool {
	for _, v := range values {
		if len(v.Pairs) == 0 && v.Function == nil {
			return false
		}
	}
	return true
}

// runTextIn analyzes a command line. The options of the call may contain the folder in which the command line runs.
func (s *System) runTextIn(line, args value.Value) trace.Flow {
	outer := s.Command
	inner := *outer
	inner.Scope = s.scopeOf(args)
	inner.In = s.inputOf(args)
	s.Command = &inner
	defer func() { s.Command = outer }()
	return s.RunText(line)
}

// scopeOf returns the scope in which a call runs its command. If the options of the call contain a folder, the command
// runs in this folder.
func (s *System) scopeOf(args value.Value) *trace.Scope {
	folder, ok := args.Entry("cwd chdir dir current_dir")
	for i := 0; i < len(args.Items) && !ok; i++ {
		folder, ok = args.Items[i].Entry("cwd chdir dir")
	}
	if s.Language == trace.PHP && len(args.Items) > 3 { // proc_open
		folder, ok = args.Items[3], true
	}
	if !ok || folder.IsEmpty() {
		return s.Command.Scope
	}
	scope := s.Command.Scope.Sub()
	s.ChangeFolder(scope, folder)
	return scope
}

// inputOf returns the input of the command that a call runs. This input may be in the options of the call.
func (s *System) inputOf(args value.Value) trace.Flow {
	for _, options := range args.OptionSets() {
		if v, ok := options.Entry("input stdin_data"); ok {
			return trace.Flow{Text: v.Text, Known: v.Known, Taint: v.ItemTaint()}
		}
	}
	if _, ok := args.Entry("stdin"); ok {
		return trace.Nothing()
	}
	return s.Command.In
}

// ChangeFolder changes the current folder of a scope.
func (s *System) ChangeFolder(scope *trace.Scope, folder value.Value) {
	argv := []trace.Value{{}, folder.ToTrace()}
	shell.ChangeDir(s.Trace, &trace.Command{Name: "cd", Argv: argv, Scope: scope, Run: s.Command.Run})
}

func (s *System) runWords(words []trace.Value, args value.Value) trace.Flow {
	if len(words) == 0 {
		return trace.Nothing()
	}
	s.shellOnSocket(words)
	s.noteVariables(trace.JoinArgs(words))
	c := *s.Command
	c.Scope = s.scopeOf(args)
	c.In = s.inputOf(args)
	if words[0].Partial {
		s.unknownCommand(words[0])
		return trace.Flow{Taint: words[0].Taint}
	}
	if strings.Contains(words[0].Text, " ") && len(words) == 1 {
		return s.Trace.RunText(&c, words[0])
	}
	return s.Trace.RunInner(&c, words)
}

// noteVariables notes that the command is not known if a shell variable is in the place of a program, as in "$A" or
// "eval $A". The code may have set this variable.
func (s *System) noteVariables(line string) {
	for i := range line {
		if line[i] == '$' {
			before := strings.TrimRight(line[:i], " \"'{")
			end := before[max(0, len(before)-4):]
			s.Unsure.Runs = s.Unsure.Runs || end == "" || strings.HasSuffix(end, "-c") || words.OneOf(end, "eval exec") ||
				strings.IndexByte(";&|(`\n", end[len(end)-1]) >= 0
		}
	}
}

// RunText analyzes a command line, or the words of a command if the parameter "line" is a list.
func (s *System) RunText(line value.Value) trace.Flow {
	if line.List {
		return s.runWords(line.Flatten(), line)
	}
	v := line.ToTrace()
	s.noteVariables(v.Text)
	if _, ok := trace.FileOf(v); ok {
		c := *s.Command
		return s.Trace.RunText(&c, v)
	}
	if v.Taint.Has(trace.Decoded) {
		s.Trace.Opaque(s.Command.Span, "runs decoded text", effect.HiddenExecution)
		v.Taint &^= trace.Decoded
	}
	s.shellOnSocket([]trace.Value{v})
	if v.Partial && strings.HasPrefix(v.Text, "$") && !strings.ContainsAny(v.Text, " ;|") {
		if s.Seen.Connected && s.Language == trace.Script { // a listener receives the command over the connection
			s.Trace.Mark(s.Command, "runs commands from the network", effect.ReverseShell)
		}
		s.unknownCommand(v)
		return trace.Flow{Taint: v.Taint}
	}
	s.Unsure.Runs = s.Unsure.Runs || v.Partial && !trace.KnownPrefix(v.Text)
	if v.Partial && v.Taint&^trace.FromFile == 0 {
		c := *s.Command
		return s.Trace.Inside(c.Span, func() trace.Flow { return s.Trace.Shell(v.Text, c.Scope.Sub(), c.In) })
	}
	c := *s.Command
	return s.Trace.RunText(&c, v)
}

// unknownCommand adds an effect for a command that is known only when the program runs. The effect has an event only if
// the text of the command comes from outside the program, for example from a download.
func (s *System) unknownCommand(v trace.Value) {
	if s.Trace.RunLines(s.Command, v) {
		return
	}
	s.Unsure.Runs = true
	if s.Language == trace.Awk && v.Taint.Has(trace.FromFile) {
		v.Taint |= trace.FromProgram
	}
	s.Trace.RunUnknown(s.Command, v.Taint, "runs a command that the program computes")
}

// shellOnSocket marks a program that has a network connection and starts a shell. It also marks a program that receives
// a command over the connection and runs this command.
func (s *System) shellOnSocket(words []trace.Value) {
	line := trace.JoinAll(words)
	program, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	name := trace.ProgramName(program)
	if !trace.IsShell(name) && name != "cmd" && name != "powershell" {
		if s.Seen.Connected && words[0].Taint.Has(trace.FromSocket) {
			s.Trace.Mark(s.Command, "runs what comes in over a connection", effect.ReverseShell)
		}
		return
	}
	if rest == "" || strings.HasPrefix(rest, "-i") || strings.Contains(rest, "&") || strings.HasPrefix(rest, "<") {
		s.Seen.shell = true
		s.markConnectedShell()
	}
}

// Connect records that the program has a network connection.
func (s *System) Connect() {
	s.Seen.Connected = true
	s.markConnectedShell()
}

// markConnectedShell marks the program if it has started a shell and opened a network connection, in any order.
func (s *System) markConnectedShell() {
	if s.Seen.Connected && s.Seen.shell {
		s.Trace.Mark(s.Command, "connects a shell to the network", effect.ReverseShell)
	}
}

// ProcessValue returns a value that stands for a running program. The value holds the output and the arguments of the
// program.
func (s *System) ProcessValue(argv value.Value, out trace.Flow) value.Value {
	v := s.CaptureOutput(out)
	v.Kind = value.ProcessObject
	v.Items = argv.AsList()
	return v
}

// CaptureOutput returns the output of a command as a value.
func (s *System) CaptureOutput(out trace.Flow) value.Value {
	taint := out.Taint &^ (trace.FromProgram | trace.FromShell)
	if s.Seen.Connected && out.Taint.Has(trace.FromSocket) {
		taint |= trace.FromSocket
	}
	s.Out.Taint |= taint
	if out.Known {
		return &value.Data{Text: strings.TrimSuffix(out.Text, "\n"), Known: true, Taint: taint}
	}
	return &value.Data{Taint: taint}
}

// WriteToProcess evaluates a write to a running program. If the program is a shell, it runs the text as commands.
func (s *System) WriteToProcess(process, input value.Value) {
	if len(process.Items) == 0 {
		return
	}
	argv := process.Items[0].Flatten()
	if len(argv) == 0 {
		return
	}
	program, _, _ := strings.Cut(argv[0].Text, " ")
	switch name := trace.ProgramName(program); {
	case trace.IsShell(name):
		s.RunText(input)
	case name == "ssh":
		c := *s.Command
		network.RunRemote(s.Trace, &c, "", input.ToTrace())
	}
}
