package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// doRun runs commands and code.
func (w *coder) doRun(d deed, args datum) datum {
	first := argument(args, d.at)
	switch {
	case d.kind == evalCode:
		return w.evalText(first)
	case d.kind == runCommand && len(args.items) == d.at+1 && !first.list:
		return w.started(first, w.runText(first))
	case d.kind == runCommand && len(args.items) > d.at && (w.tongue == python || w.tongue == php) && !first.list:
		return w.started(first, w.runText(first))
	}
	argv := datum{list: true, items: args.items[min(d.at, len(args.items)):]}
	if len(argv.items) == 0 {
		if v, ok := args.named("args", "cmd"); ok {
			return w.doRun(deed{kind: runCommand}, datum{list: true, items: []datum{v}, pairs: args.pairs})
		}
		return datum{}
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
	return w.started(datum{list: true, items: argv.items}, w.runWords(words, args))
}

// runWords runs a program with its arguments.
func (w *coder) runWords(words []value, args datum) flow {
	if len(words) == 0 {
		return nothing()
	}
	w.shellOnSocket(words)
	c := *w.c
	if _, ok := args.named("stdin"); ok {
		c.in = nothing()
	}
	if v, ok := args.named("input", "stdin_data"); ok {
		c.in = flow{text: v.text, known: v.known, taint: v.tainted()}
	}
	if words[0].partial {
		w.unknownCommand(words[0])
		return flow{taint: words[0].taint}
	}
	if strings.Contains(words[0].text, " ") && len(words) == 1 {
		return w.a.runText(&c, words[0])
	}
	return w.a.again(&c, words)
}

// runText runs a command line.
func (w *coder) runText(d datum) flow {
	if d.list {
		return w.runWords(d.all(), d)
	}
	v := d.value()
	if v.taint.has(decoded) {
		w.a.opaque(w.c.span, "decodes text and runs it", effect.HiddenExecution)
		v.taint &^= decoded
	}
	w.shellOnSocket([]value{v})
	if v.partial && strings.HasPrefix(v.text, "$") && !strings.ContainsAny(v.text, " ;|") {
		w.unknownCommand(v)
		return flow{taint: v.taint}
	}
	if v.partial && v.taint&^fromFile == 0 {
		c := *w.c
		return w.a.inside(c.span, func() flow { return w.a.script(v.text, c.sc.sub(), c.in) })
	}
	c := *w.c
	return w.a.runText(&c, v)
}

// unknownCommand notes a command that the program works out: everyday, unless it comes from elsewhere.
func (w *coder) unknownCommand(v value) {
	w.a.runUnknown(w.c, v.taint, "runs a command that the program works out")
}

// shellOnSocket finds a shell that is started while there is a connection.
func (w *coder) shellOnSocket(words []value) {
	line := joinAll(words)
	program, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if !isShell(programName(program)) && programName(program) != "cmd" && programName(program) != "powershell" {
		if w.seen.connected && words[0].taint.has(fromSocket) {
			w.a.mark(w.c, "runs what comes in over a connection", effect.ReverseShell)
		}
		return
	}
	if rest == "" || strings.HasPrefix(rest, "-i") || strings.Contains(rest, "&") || strings.HasPrefix(rest, "<") {
		w.seen.shell = true
		w.judgeConnection()
	}
}

// connect notes that the program has a connection to another machine.
func (w *coder) connect() {
	w.seen.connected = true
	w.judgeConnection()
}

// judgeConnection finds a shell and a connection in one program, whichever comes first.
func (w *coder) judgeConnection() {
	if w.seen.connected && w.seen.shell {
		w.a.mark(w.c, "connects a shell to the network", effect.ReverseShell)
	}
}

// started is the value of a program that runs: what it prints, and what can be written to it.
func (w *coder) started(argv datum, out flow) datum {
	d := w.capture(out)
	d.class = process
	d.items = argv.listed()
	return d
}

// capture is what a command prints as a value.
func (w *coder) capture(out flow) datum {
	t := out.taint &^ (fromProgram | fromShell)
	if w.seen.connected && out.taint.has(fromSocket) {
		t |= fromSocket
	}
	w.out.taint |= t
	if out.known {
		return datum{text: strings.TrimSuffix(out.text, "\n"), known: true, taint: t}
	}
	return datum{taint: t}
}

// evalText follows code that is given as a text.
func (w *coder) evalText(d datum) datum {
	if d.known && !d.list {
		if d.taint.has(decoded) {
			w.a.opaque(w.c.span, "decodes text and runs it", effect.HiddenExecution)
		} else if d.taint != 0 && d.taint.has(fromNetwork|fromSocket) {
			w.a.runUnknown(w.c, d.taint, "")
		}
		return w.evaluate(d.text)
	}
	t := d.tainted()
	if t == 0 && w.seen.downloads {
		t = fromNetwork // what a callback is given is not followed
	}
	w.a.runUnknown(w.c, t, "evaluates code that is not known")
	return datum{taint: t}
}

// toShell is what is written to a program that was started: commands, when it is a shell.
func (w *coder) toShell(p, said datum) {
	if len(p.items) == 0 {
		return
	}
	argv := p.items[0].all()
	program, _, _ := strings.Cut(argv[0].text, " ")
	if isShell(programName(program)) {
		w.runText(said)
	}
}
