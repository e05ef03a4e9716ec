package code

// run.go evaluates functions that run commands.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
)

func (s *system) performRun(act library.Action, args value) value {
	first := argument(args, act.Arg)
	if act.Kind == library.RunCommand && len(args.items) > act.Arg && !first.list && (onlyOptions(args.items[act.Arg+1:]) ||
		s.language == trace.Python || s.language == trace.PHP) {
		return s.processValue(first, s.runTextIn(first, args))
	}
	if act.Kind == library.RunCommand && s.language == trace.Compiled && len(args.items) == 2 &&
		!first.list && !args.items[1].list {
		return s.processValue(first, s.runText(joinItems(args, " "))) // a program, then its arguments in one text
	}
	argv := &data{list: true, items: args.items[min(act.Arg, len(args.items)):]}
	if v, ok := first.entry("cmd"); ok && len(argv.items) == 1 {
		return s.performRun(library.Action{Kind: library.RunCommand}, &data{list: true, items: []value{v}}) // Bun.spawn({ cmd: […] })
	}
	if len(argv.items) == 0 {
		if v, ok := args.entry("args", "cmd"); ok {
			return s.performRun(library.Action{Kind: library.RunCommand}, &data{list: true, items: []value{v}, pairs: args.pairs})
		}
		return &data{}
	}
	words := argv.flatten()
	for _, item := range argv.items { // Deno.Command("rm", { args: […] })
		if v, ok := item.entry("args"); ok {
			words = append(words, v.flatten()...)
		}
	}
	if act.Kind == library.ExecProgram && len(words) > 1 {
		words = append(words[:1:1], words[2:]...)
	}
	return s.processValue(&data{list: true, items: argv.items}, s.runWords(words, args))
}

// onlyOptions reports whether all values are dictionaries or functions, which are options or callbacks rather than a
// command.
func onlyOptions(values []value) bool {
	for _, v := range values {
		if len(v.pairs) == 0 && v.fn == nil {
			return false
		}
	}
	return true
}

// runTextIn analyzes a command line that runs in the folder that the options of the call give.
func (s *system) runTextIn(line, args value) trace.Flow {
	outer := s.command
	inner := *outer
	inner.Scope = s.scopeOf(args)
	inner.In = s.inputOf(args)
	s.command = &inner
	defer func() { s.command = outer }()
	return s.runText(line)
}

// scopeOf returns the scope in which a call runs its command. If the options of the call name a folder, the command
// runs there.
func (s *system) scopeOf(args value) *trace.Scope {
	folder, ok := args.entry("cwd", "chdir", "dir", "current_dir")
	for i := 0; i < len(args.items) && !ok; i++ {
		folder, ok = args.items[i].entry("cwd", "chdir", "dir")
	}
	if s.language == trace.PHP && len(args.items) > 3 { // proc_open
		folder, ok = args.items[3], true
	}
	if !ok || folder.isEmpty() {
		return s.command.Scope
	}
	scope := s.command.Scope.Sub()
	s.changeFolder(scope, folder)
	return scope
}

// inputOf returns the input of the command that a call runs. The options of the call may give it.
func (s *system) inputOf(args value) trace.Flow {
	for _, options := range args.optionSets() {
		if v, ok := options.entry("input", "stdin_data"); ok {
			return trace.Flow{Text: v.text, Known: v.known, Taint: v.itemTaint()}
		}
	}
	if _, ok := args.entry("stdin"); ok {
		return trace.Nothing()
	}
	return s.command.In
}

func (s *system) changeFolder(scope *trace.Scope, folder value) {
	argv := []trace.Value{{}, folder.toTrace()}
	shell.ChangeDir(s.trace, &trace.Command{Name: "cd", Argv: argv, Scope: scope, Run: s.command.Run})
}

func (s *system) runWords(words []trace.Value, args value) trace.Flow {
	if len(words) == 0 {
		return trace.Nothing()
	}
	s.shellOnSocket(words)
	c := *s.command
	c.Scope = s.scopeOf(args)
	c.In = s.inputOf(args)
	if words[0].Partial {
		s.unknownCommand(words[0])
		return trace.Flow{Taint: words[0].Taint}
	}
	if strings.Contains(words[0].Text, " ") && len(words) == 1 {
		return s.trace.RunText(&c, words[0])
	}
	return s.trace.RunInner(&c, words)
}

func (s *system) runText(line value) trace.Flow {
	if line.list {
		return s.runWords(line.flatten(), line)
	}
	v := line.toTrace()
	if _, ok := trace.FileOf(v); ok {
		c := *s.command
		return s.trace.RunText(&c, v)
	}
	if v.Taint.Has(trace.Decoded) {
		s.trace.Opaque(s.command.Span, "runs decoded text", effect.HiddenExecution)
		v.Taint &^= trace.Decoded
	}
	s.shellOnSocket([]trace.Value{v})
	if v.Partial && strings.HasPrefix(v.Text, "$") && !strings.ContainsAny(v.Text, " ;|") {
		s.unknownCommand(v)
		return trace.Flow{Taint: v.Taint}
	}
	s.unsure.runs = s.unsure.runs || v.Partial && !trace.KnownPrefix(v.Text)
	if v.Partial && v.Taint&^trace.FromFile == 0 {
		c := *s.command
		return s.trace.Inside(c.Span, func() trace.Flow { return s.trace.Shell(v.Text, c.Scope.Sub(), c.In) })
	}
	c := *s.command
	return s.trace.RunText(&c, v)
}

// unknownCommand adds an effect for a command that only the running program can compute. The effect matters only if the
// text of the command comes from outside the program.
func (s *system) unknownCommand(v trace.Value) {
	if s.trace.RunLines(s.command, v) {
		return
	}
	s.unsure.runs = true
	if s.language == trace.Awk && v.Taint.Has(trace.FromFile) {
		v.Taint |= trace.FromProgram
	}
	s.trace.RunUnknown(s.command, v.Taint, "runs a command that the program computes")
}

// shellOnSocket marks the program if it starts a shell, or a command that it has received, while it has a network
// connection.
func (s *system) shellOnSocket(words []trace.Value) {
	line := trace.JoinAll(words)
	program, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	name := trace.ProgramName(program)
	if !trace.IsShell(name) && name != "cmd" && name != "powershell" {
		if s.seen.connected && words[0].Taint.Has(trace.FromSocket) {
			s.trace.Mark(s.command, "runs what comes in over a connection", effect.ReverseShell)
		}
		return
	}
	if rest == "" || strings.HasPrefix(rest, "-i") || strings.Contains(rest, "&") || strings.HasPrefix(rest, "<") {
		s.seen.shell = true
		s.markConnectedShell()
	}
}

// connect records that the program has a network connection.
func (s *system) connect() {
	s.seen.connected = true
	s.markConnectedShell()
}

// markConnectedShell marks the program if it has started a shell and opened a network connection, in any order.
func (s *system) markConnectedShell() {
	if s.seen.connected && s.seen.shell {
		s.trace.Mark(s.command, "connects a shell to the network", effect.ReverseShell)
	}
}

// processValue returns a value that stands for a running program. It holds the output and the arguments of the program.
func (s *system) processValue(argv value, out trace.Flow) value {
	v := s.captureOutput(out)
	v.kind = processObject
	v.items = argv.asList()
	return v
}

func (s *system) captureOutput(out trace.Flow) value {
	taint := out.Taint &^ (trace.FromProgram | trace.FromShell)
	if s.seen.connected && out.Taint.Has(trace.FromSocket) {
		taint |= trace.FromSocket
	}
	s.out.Taint |= taint
	if out.Known {
		return &data{text: strings.TrimSuffix(out.Text, "\n"), known: true, taint: taint}
	}
	return &data{taint: taint}
}

// writeToProcess evaluates a write to a running program. If the program is a shell, it runs the text as commands.
func (s *system) writeToProcess(process, input value) {
	if len(process.items) == 0 {
		return
	}
	argv := process.items[0].flatten()
	if len(argv) == 0 {
		return
	}
	program, _, _ := strings.Cut(argv[0].Text, " ")
	switch name := trace.ProgramName(program); {
	case trace.IsShell(name):
		s.runText(input)
	case name == "ssh":
		c := *s.command
		network.RunRemote(s.trace, &c, "", input.toTrace())
	}
}
