package code

// Functions that run commands and code.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// performRun performs the actions that run commands and code.
func (in *interpreter) performRun(act action, args value) value {
	first := argument(args, act.arg)
	switch {
	case act.kind == evalCode:
		return in.evalText(first)
	case act.kind == runCommand && len(args.items) == act.arg+1 && !first.list:
		return in.processValue(first, in.runText(first))
	case act.kind == runCommand && len(args.items) > act.arg && !first.list &&
		(in.language == trace.Python || in.language == trace.PHP):
		return in.processValue(first, in.runText(first))
	}
	argv := value{list: true, items: args.items[min(act.arg, len(args.items)):]}
	if len(argv.items) == 0 {
		if v, ok := args.entry("args", "cmd"); ok {
			return in.performRun(action{kind: runCommand}, value{list: true, items: []value{v}, pairs: args.pairs})
		}
		return value{}
	}
	words := argv.flatten()
	for _, item := range argv.items { // Deno.Command("rm", { args: [...] })
		if v, ok := item.entry("args"); ok {
			words = append(words, v.flatten()...)
		}
	}
	if act.kind == execProgram && len(words) > 1 {
		words = append(words[:1:1], words[2:]...)
	}
	return in.processValue(value{list: true, items: argv.items}, in.runWords(words, args))
}

// runWords runs a program with its arguments.
func (in *interpreter) runWords(words []trace.Value, args value) trace.Flow {
	if len(words) == 0 {
		return trace.Nothing()
	}
	in.shellOnSocket(words)
	c := *in.command
	if _, ok := args.entry("stdin"); ok {
		c.In = trace.Nothing()
	}
	if v, ok := args.entry("input", "stdin_data"); ok {
		c.In = trace.Flow{Text: v.text, Known: v.known, Taint: v.itemTaint()}
	}
	if words[0].Partial {
		in.unknownCommand(words[0])
		return trace.Flow{Taint: words[0].Taint}
	}
	if strings.Contains(words[0].Text, " ") && len(words) == 1 {
		return in.trace.RunText(&c, words[0])
	}
	return in.trace.RunInner(&c, words)
}

// runText runs a command line.
func (in *interpreter) runText(line value) trace.Flow {
	if line.list {
		return in.runWords(line.flatten(), line)
	}
	v := line.toTrace()
	if v.Taint.Has(trace.Decoded) {
		in.trace.Opaque(in.command.Span, "decodes text and runs it", effect.HiddenExecution)
		v.Taint &^= trace.Decoded
	}
	in.shellOnSocket([]trace.Value{v})
	if v.Partial && strings.HasPrefix(v.Text, "$") && !strings.ContainsAny(v.Text, " ;|") {
		in.unknownCommand(v)
		return trace.Flow{Taint: v.Taint}
	}
	if v.Partial && v.Taint&^trace.FromFile == 0 {
		c := *in.command
		return in.trace.Inside(c.Span, func() trace.Flow { return in.trace.Shell(v.Text, c.Scope.Sub(), c.In) })
	}
	c := *in.command
	return in.trace.RunText(&c, v)
}

// unknownCommand adds an effect for a command that the program computes. It matters only if the text comes from
// elsewhere.
func (in *interpreter) unknownCommand(v trace.Value) {
	in.trace.RunUnknown(in.command, v.Taint, "runs a command that the program computes")
}

// shellOnSocket finds a shell, or a command from the network, that starts while there is a connection.
func (in *interpreter) shellOnSocket(words []trace.Value) {
	line := trace.JoinAll(words)
	program, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	name := trace.ProgramName(program)
	if !trace.IsShell(name) && name != "cmd" && name != "powershell" {
		if in.seen.connected && words[0].Taint.Has(trace.FromSocket) {
			in.trace.Mark(in.command, "runs what comes in over a connection", effect.ReverseShell)
		}
		return
	}
	if rest == "" || strings.HasPrefix(rest, "-i") || strings.Contains(rest, "&") || strings.HasPrefix(rest, "<") {
		in.seen.shell = true
		in.markConnectedShell()
	}
}

// connect records that the program has a connection to another machine.
func (in *interpreter) connect() {
	in.seen.connected = true
	in.markConnectedShell()
}

// markConnectedShell marks a program with both a shell and a connection, in any order.
func (in *interpreter) markConnectedShell() {
	if in.seen.connected && in.seen.shell {
		in.trace.Mark(in.command, "connects a shell to the network", effect.ReverseShell)
	}
}

// processValue returns a running program as a value: its output, and the arguments that tell which program it is.
func (in *interpreter) processValue(argv value, out trace.Flow) value {
	v := in.captureOutput(out)
	v.kind = processObject
	v.items = argv.asList()
	return v
}

// captureOutput returns the output of a command as a value.
func (in *interpreter) captureOutput(out trace.Flow) value {
	taint := out.Taint &^ (trace.FromProgram | trace.FromShell)
	if in.seen.connected && out.Taint.Has(trace.FromSocket) {
		taint |= trace.FromSocket
	}
	in.out.Taint |= taint
	if out.Known {
		return value{text: strings.TrimSuffix(out.Text, "\n"), known: true, taint: taint}
	}
	return value{taint: taint}
}

// evalText evaluates a text as code.
func (in *interpreter) evalText(v value) value {
	if v.known && !v.list {
		if v.taint.Has(trace.Decoded) {
			in.trace.Opaque(in.command.Span, "decodes text and runs it", effect.HiddenExecution)
		} else if v.taint != 0 && v.taint.Has(trace.FromNetwork|trace.FromSocket) {
			in.trace.RunUnknown(in.command, v.taint, "")
		}
		return in.evaluate(v.text)
	}
	taint := v.itemTaint()
	if taint == 0 && in.seen.downloads {
		taint = trace.FromNetwork // the arguments of a callback are not known
	}
	in.trace.RunUnknown(in.command, taint, "evaluates unknown code")
	return value{taint: taint}
}

// writeToProcess writes a text to a running program. A shell runs the text as commands.
func (in *interpreter) writeToProcess(process, input value) {
	if len(process.items) == 0 {
		return
	}
	argv := process.items[0].flatten()
	program, _, _ := strings.Cut(argv[0].Text, " ")
	if trace.IsShell(trace.ProgramName(program)) {
		in.runText(input)
	}
}
