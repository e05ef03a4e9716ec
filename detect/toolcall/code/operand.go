package code

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// primary is an operand without what follows it.
func (w *parser) primary() (known, bool) {
	t := w.peek()
	switch t.kind {
	case tokText:
		w.pos++
		return w.literal(t), true
	case tokCommand:
		w.pos++
		return w.backticks(t), true
	case tokNumber:
		w.pos++
		return known{text: t.text, known: true, number: true}, true
	case tokName:
		w.pos++
		return w.named(t.text), true
	case tokOp:
		if t.text == "(" || t.text == "[" || t.text == "{" {
			return w.group(t.text), true
		}
	}
	return known{}, false
}

// literal is the value of a string with the expressions in it.
func (w *interpreter) literal(t token) known {
	if t.parts == nil {
		d := known{text: t.text, known: true, taint: t.taint}
		if w.partial && strings.Contains(t.text, "$") {
			d.known = false
		}
		return d
	}
	out := text("")
	for _, p := range t.parts {
		if !p.code {
			out = join(out, text(p.text))
			continue
		}
		code := p.text
		if w.language == trace.Python {
			code, _, _ = strings.Cut(code, "!")
		}
		out = join(out, w.hole(code))
	}
	out.taint |= t.taint
	return out
}

// hole is the value of an expression in a string, shown by its source when it is not known.
func (w *interpreter) hole(code string) known {
	d := w.evaluate(code)
	if d.list {
		d = joinedList(d, " ")
	}
	if !d.known && d.text == "" && d.name == "" && len(code) < 64 {
		d.text = "$" + strings.TrimLeft(code, "$")
	}
	d.class = plain
	return d
}

// backticks runs a command between backticks.
func (w *interpreter) backticks(t token) known {
	d := text(t.text)
	if t.parts != nil {
		d = w.literal(t)
	}
	return w.capture(w.runText(d))
}

// named is the value of a name: of a variable, or the name itself.
func (w *interpreter) named(name string) known {
	if d, ok := w.vars[name]; ok {
		return d
	}
	switch name {
	case words.Among(name, "true false True False None null nil undef undefined TRUE FALSE"):
		return known{}
	case words.Among(name, "<STDIN> <> $ARGV ARGF STDIN"):
		return w.stdin()
	case "__file__", "__filename", "__FILE__", "$0":
		return known{text: "$" + name}
	case "__dirname", "__DIR__", "__dir__":
		return known{text: w.c.Scope.Cwd, known: !w.c.Scope.CwdUnknown}
	}
	if strings.HasPrefix(name, "<") {
		return w.readHandle(strings.Trim(name, "<>$"))
	}
	return known{name: moduleName(name)}
}

// moduleName is a module as the tables of calls name it.
func moduleName(name string) string {
	name = strings.TrimPrefix(name, "node:")
	return strings.ReplaceAll(name, "/", ".")
}

// group follows what stands in brackets.
func (w *parser) group(open string) known {
	end := w.match[w.pos]
	w.pos++
	d := w.elements(end, open)
	if w.pos < len(w.toks) && w.pos == end {
		w.pos++
	}
	if open == "(" && len(d.items) == 1 && len(d.pairs) == 0 && !w.at(-2).is(",") {
		return d.items[0]
	}
	d.taint = d.tainted()
	return d
}

// elements are the values up to a closing bracket, with those that have a key apart. In a block, which opens with {,
// they are statements; the arguments of a call have no open.
func (w *parser) elements(end int, open string) known {
	d := known{list: true}
	if w.depth >= maxCodeDepth {
		w.trace.Overflow("nests code deeper than 100 levels")
		w.pos = end
		return d
	}
	w.depth++
	defer func() { w.depth-- }()
	for w.pos < end && w.spend(1) {
		start := w.pos
		w.element(&d, end, open)
		if w.pos == start {
			w.pos++
		}
	}
	w.pos = min(end, len(w.toks))
	return d
}

func (w *parser) element(d *known, end int, open string) {
	t := w.peek()
	switch {
	case t.kind == tokLine || t.is(",") || t.is(";"):
		w.pos++
		return
	case t.kind == tokName && (w.at(1).is("=") && open == "" || w.at(1).is(":") || w.at(1).is("=>")):
		w.pos += 2
		d.add(t.text, w.expr())
		return
	case open == "{" && t.kind == tokName && w.keyword(t.text):
		return
	}
	if items := (known{list: true}); w.comprehension(&items, end) {
		if open == "[" {
			*d = items
			return
		}
		d.items = append(d.items, items)
		return
	}
	before := w.pos
	v := w.expr()
	if w.pos == before {
		return
	}
	if w.peek().is(":") || w.peek().is("=>") {
		w.pos++
		d.add(v.value().Text, w.expr())
		return
	}
	if len(d.items) < 4*trace.MaxFields {
		d.items = append(d.items, v)
	}
}

func (d *known) add(key string, v known) {
	if len(d.pairs) < trace.MaxFields {
		d.pairs = append(d.pairs, pair{key: key, value: v})
	}
}

// comprehension follows Python's [f(x) for x in list], item by item.
func (w *parser) comprehension(d *known, end int) bool {
	at := w.comprehensionFor(end)
	if at < 0 {
		return false
	}
	start := w.pos
	w.pos = at + 1
	name := w.peek().text
	w.pos++
	if !w.acceptWord("in") {
		w.pos = start
		return false
	}
	list := w.expr()
	items := list.items
	if !list.list || len(items) == 0 || len(items) > 4*trace.MaxFields {
		items = []known{{taint: list.taint}}
	}
	for _, item := range items {
		w.bind(name, item)
		w.pos = start
		d.items = append(d.items, w.expr())
		if !w.spend(8) {
			break
		}
	}
	w.pos = end
	return true
}

// comprehensionFor is where the for of a comprehension stands, or -1.
func (w *parser) comprehensionFor(end int) int {
	if w.language != trace.Python && w.language != trace.Julia {
		return -1
	}
	for i := w.pos; i < end && i < len(w.toks); i++ {
		t := w.toks[i]
		switch {
		case t.is("("), t.is("["), t.is("{"):
			i = w.match[i]
		case t.is(","), t.is(";"), t.kind == tokLine:
			return -1
		case t.word("for"):
			return i
		}
	}
	return -1
}

// startsOperand reports whether the token here can begin an operand.
func (w *parser) startsOperand() bool {
	t := w.peek()
	switch t.kind {
	case tokLine:
		return false
	case tokOp:
		switch t.text {
		case "(", "[", "{", "-", "!", "&", "*", "@", "\\", "+", "~", "%", "$", "::", "->", "^", "<<":
			return true
		}
		return false
	}
	return true
}

// operand follows one operand with its members, calls and indexes; ok is false when there is none.
func (w *parser) operand() (known, bool) {
	for range 8 {
		if !w.skipPrefix() {
			break
		}
	}
	start := w.pos
	d, ok := w.primary()
	if !ok || w.pos == start {
		return d, false
	}
	for w.spend(1) {
		next, more := w.postfix(d)
		if !more {
			break
		}
		d = next
	}
	return w.settle(d, start), true
}

// skipPrefix goes past what may stand before an operand without changing which it is.
func (w *parser) skipPrefix() bool {
	t := w.peek()
	switch t.kind {
	case tokOp:
		switch t.text {
		case "-", "!", "&", "*", "\\", "+", "~", "@", "$", "++", "--", "...", "**", "^":
			w.pos++
			return true
		}
	case tokName:
		if w.at(1).is("=") || w.at(1).is(".") {
			return false
		}
		switch t.text {
		case words.Among(t.text, "await new not return yield async typeof void delete my our local defined do scalar then"):
			w.pos++
			return true
		case "lambda":
			for w.pos < len(w.toks) && !w.peek().is(":") && !w.peek().is("->") && !w.peek().is("{") && w.peek().kind != tokLine {
				w.pos++
			}
			w.accept(":")
			return true
		case "function", "sub", "fn":
			w.definition()
			return true
		}
	}
	return false
}
