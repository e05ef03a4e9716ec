package code

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
)

// meetsAt looks at the address that code listens at or connects to: a path is a socket of this machine.
func meetsAt(w *interpreter, args known) {
	for _, v := range args.all() {
		if strings.Contains(v.Text, "/") && !isURL(v.Text) {
			self.LocalSocket(w.trace, w.c, v)
		}
	}
}

// doRun runs commands and code.
func (w *interpreter) doRun(d action, args known) known {
	first := argument(args, d.at)
	switch {
	case d.kind == evalCode:
		return w.evalText(first)
	case d.kind == runCommand && len(args.items) == d.at+1 && !first.list:
		return w.started(first, w.runText(first))
	case d.kind == runCommand && len(args.items) > d.at && (w.language == trace.Python || w.language == trace.PHP) && !first.list:
		return w.started(first, w.runText(first))
	}
	argv := known{list: true, items: args.items[min(d.at, len(args.items)):]}
	if len(argv.items) == 0 {
		if v, ok := args.named("args", "cmd"); ok {
			return w.doRun(action{kind: runCommand}, known{list: true, items: []known{v}, pairs: args.pairs})
		}
		return known{}
	}
	words := argv.all()
	for _, item := range argv.items { // Deno.Command("rm", { args: [...] })
		if v, ok := item.named("args"); ok {
			words = append(words, v.all()...)
		}
	}
	if d.kind == replaceSelf && len(words) > 1 {
		words = append(words[:1:1], words[2:]...)
	}
	return w.started(known{list: true, items: argv.items}, w.runWords(words, args))
}

// runWords runs a program with its arguments.
func (w *interpreter) runWords(words []trace.Value, args known) trace.Flow {
	if len(words) == 0 {
		return trace.Nothing()
	}
	w.shellOnSocket(words)
	c := *w.c
	if _, ok := args.named("stdin"); ok {
		c.In = trace.Nothing()
	}
	if v, ok := args.named("input", "stdin_data"); ok {
		c.In = trace.Flow{Text: v.text, Known: v.known, Taint: v.tainted()}
	}
	if words[0].Partial {
		w.unknownCommand(words[0])
		return trace.Flow{Taint: words[0].Taint}
	}
	if strings.Contains(words[0].Text, " ") && len(words) == 1 {
		return w.trace.RunText(&c, words[0])
	}
	return w.trace.Again(&c, words)
}

// runText runs a command line.
func (w *interpreter) runText(d known) trace.Flow {
	if d.list {
		return w.runWords(d.all(), d)
	}
	v := d.value()
	if v.Taint.Has(trace.Decoded) {
		w.trace.Opaque(w.c.Span, "decodes text and runs it", effect.HiddenExecution)
		v.Taint &^= trace.Decoded
	}
	w.shellOnSocket([]trace.Value{v})
	if v.Partial && strings.HasPrefix(v.Text, "$") && !strings.ContainsAny(v.Text, " ;|") {
		w.unknownCommand(v)
		return trace.Flow{Taint: v.Taint}
	}
	if v.Partial && v.Taint&^trace.FromFile == 0 {
		c := *w.c
		return w.trace.Inside(c.Span, func() trace.Flow { return w.trace.Shell(v.Text, c.Scope.Sub(), c.In) })
	}
	c := *w.c
	return w.trace.RunText(&c, v)
}

// unknownCommand notes a command that the program works out: everyday, unless it comes from elsewhere.
func (w *interpreter) unknownCommand(v trace.Value) {
	w.trace.RunUnknown(w.c, v.Taint, "runs a command that the program works out")
}

// shellOnSocket finds a shell that is started while there is a connection.
func (w *interpreter) shellOnSocket(words []trace.Value) {
	line := trace.JoinAll(words)
	program, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if !trace.IsShell(trace.ProgramName(program)) && trace.ProgramName(program) != "cmd" && trace.ProgramName(program) != "powershell" {
		if w.seen.connected && words[0].Taint.Has(trace.FromSocket) {
			w.trace.Mark(w.c, "runs what comes in over a connection", effect.ReverseShell)
		}
		return
	}
	if rest == "" || strings.HasPrefix(rest, "-i") || strings.Contains(rest, "&") || strings.HasPrefix(rest, "<") {
		w.seen.shell = true
		w.judgeConnection()
	}
}

// connect notes that the program has a connection to another machine.
func (w *interpreter) connect() {
	w.seen.connected = true
	w.judgeConnection()
}

// judgeConnection finds a shell and a connection in one program, whichever comes first.
func (w *interpreter) judgeConnection() {
	if w.seen.connected && w.seen.shell {
		w.trace.Mark(w.c, "connects a shell to the network", effect.ReverseShell)
	}
}

// started is the value of a program that runs: what it prints, and what can be written to it.
func (w *interpreter) started(argv known, out trace.Flow) known {
	d := w.capture(out)
	d.class = process
	d.items = argv.listed()
	return d
}

// capture is what a command prints as a value.
func (w *interpreter) capture(out trace.Flow) known {
	t := out.Taint &^ (trace.FromProgram | trace.FromShell)
	if w.seen.connected && out.Taint.Has(trace.FromSocket) {
		t |= trace.FromSocket
	}
	w.out.Taint |= t
	if out.Known {
		return known{text: strings.TrimSuffix(out.Text, "\n"), known: true, taint: t}
	}
	return known{taint: t}
}

// evalText follows code that is given as a text.
func (w *interpreter) evalText(d known) known {
	if d.known && !d.list {
		if d.taint.Has(trace.Decoded) {
			w.trace.Opaque(w.c.Span, "decodes text and runs it", effect.HiddenExecution)
		} else if d.taint != 0 && d.taint.Has(trace.FromNetwork|trace.FromSocket) {
			w.trace.RunUnknown(w.c, d.taint, "")
		}
		return w.evaluate(d.text)
	}
	t := d.tainted()
	if t == 0 && w.seen.downloads {
		t = trace.FromNetwork // what a callback is given is not followed
	}
	w.trace.RunUnknown(w.c, t, "evaluates code that is not known")
	return known{taint: t}
}

// toShell is what is written to a program that was started: commands, when it is a shell.
func (w *interpreter) toShell(p, said known) {
	if len(p.items) == 0 {
		return
	}
	argv := p.items[0].all()
	program, _, _ := strings.Cut(argv[0].Text, " ")
	if trace.IsShell(trace.ProgramName(program)) {
		w.runText(said)
	}
}
