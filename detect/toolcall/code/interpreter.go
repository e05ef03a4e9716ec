package code

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// Limits of the analysis of source code.
const (
	maxCodeDepth  = 100       // brackets and expressions inside one another
	maxCodeInside = 8         // code inside strings and eval
	maxCodeWork   = 640 << 10 // bytes of code, steps taken, and eighths of bytes of text put together
	maxNameLength = 256
)

// interpreter follows source code: it evaluates literals and names as far as they are known, and calls what has an effect.
type interpreter struct {
	trace    *trace.Trace
	c        *trace.Command
	language trace.Language
	vars     map[string]known
	// stars are the modules of which every name is imported.
	stars []string
	out   trace.Flow
	said  bool
	// partial is set when the shell puts something unknown into the text.
	partial bool
	depth   int
	// inside counts code inside strings.
	inside int
	// handle is where the print that is being read goes.
	handle string
	work   int
	seen   traits
}

// traits are what a program does that only together mean something.
type traits struct {
	connected bool // it has a connection to another machine
	shell     bool // it has started a shell to talk to
	downloads bool // it gets something from the network
	endless   bool // it has a loop without end
	forks     bool
	waits     bool // it waits for its children, or takes in connections
	branches  bool // what it prints depends on what is not known
}

// Run analyses a program's text and returns what it prints.
func Run(a *trace.Trace, c *trace.Command, t trace.Language, v trace.Value) trace.Flow {
	if len(v.Text) > trace.MaxCommandSize {
		a.Opaque(c.Span, "runs a program larger than 128 KiB, which is not looked into", effect.TooLarge)
		return trace.Unknown()
	}
	w := &interpreter{trace: a, c: c, language: t, vars: map[string]known{}, out: trace.Flow{Known: true}, partial: v.Partial}
	a.Inside(c.Span, func() trace.Flow {
		w.run(v.Text)
		return trace.Nothing()
	})
	judgeWhole(w)
	ownServerIn(a, c, t, v.Text)
	return w.output(v.Taint)
}

// judgeWhole judges what the program does as a whole.
func judgeWhole(w *interpreter) {
	if w.seen.forks && w.seen.endless && !w.seen.waits {
		w.trace.Mark(w.c, "starts processes without end", effect.ResourceExhaust)
	}
	if w.work > maxCodeWork {
		w.trace.Opaque(w.c.Span, "runs a program that is too large to be followed", effect.TooLarge)
	}
}

func (w *interpreter) output(from trace.Taint) trace.Flow {
	if w.said && w.out.Known && !w.seen.branches {
		w.out.Taint |= from
		return w.out
	}
	return trace.Flow{Taint: w.out.Taint | from | w.c.In.Taint | trace.FromProgram}
}

// parser reads the tokens of one text and evaluates what it reads.
type parser struct {
	*interpreter
	toks []token
	// match has the index of the closing bracket for each opening one.
	match []int
	pos   int
}

func (w *interpreter) parse(src string) *parser {
	toks := lex(src, w.language)
	return &parser{interpreter: w, toks: toks, match: brackets(toks)}
}

// run follows the statements of a text.
func (w *interpreter) run(src string) {
	if w.inside >= maxCodeInside || !w.spend(len(src)) {
		return
	}
	w.inside++
	p := w.parse(src)
	p.block(len(p.toks))
	w.inside--
}

// evaluate returns the value of an expression.
func (w *interpreter) evaluate(src string) known {
	if w.inside >= maxCodeInside || !w.spend(len(src)) {
		return known{}
	}
	w.inside++
	p := w.parse(src)
	if t := p.peek(); t.kind == tokName && !p.at(1).is(".") && !p.at(1).is("=") {
		p.keyword(t.text)
	}
	d := p.expr()
	p.block(len(p.toks))
	w.inside--
	return d
}

func (w *interpreter) spend(n int) bool {
	w.work += n
	return w.work <= maxCodeWork && !w.trace.Full
}

// brackets finds the counterpart of each bracket; one without closes at the end.
func brackets(toks []token) []int {
	match := make([]int, len(toks))
	var open []int
	for i := range toks {
		match[i] = len(toks)
		if toks[i].kind != tokOp {
			continue
		}
		switch toks[i].text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if len(open) > 0 {
				match[open[len(open)-1]] = i
				open = open[:len(open)-1]
			}
		}
	}
	return match
}

// block follows statements up to a token.
func (w *parser) block(end int) {
	for w.pos < end && w.spend(1) {
		before := w.pos
		w.statement()
		if w.pos == before {
			w.pos++
		}
	}
}

func (w *parser) peek() token { return w.at(0) }

func (w *parser) at(i int) token {
	if w.pos+i >= 0 && w.pos+i < len(w.toks) {
		return w.toks[w.pos+i]
	}
	return token{kind: tokLine}
}

func (t token) is(op string) bool { return t.kind == tokOp && t.text == op }

func (t token) word(name string) bool { return t.kind == tokName && t.text == name }

// accept goes past an operator if it stands here.
func (w *parser) accept(op string) bool {
	if w.peek().is(op) {
		w.pos++
		return true
	}
	return false
}

func (w *parser) acceptWord(names ...string) bool {
	for _, name := range names {
		if w.peek().word(name) {
			w.pos++
			return true
		}
	}
	return false
}

// say adds to what the program prints.
func (w *interpreter) say(d known, end string) {
	w.said = true
	w.out.Taint |= d.tainted()
	if !d.known || len(w.out.Text) > 1<<16 {
		w.out.Known = false
		return
	}
	w.out.Text += d.text + end
}

func (w *interpreter) bind(name string, d known) {
	if name == "" {
		return
	}
	if !d.known && d.text == "" && d.name == "" && !d.list {
		d.text = "$" + strings.TrimLeft(name, "$@%")
	}
	w.vars[name] = d
}
