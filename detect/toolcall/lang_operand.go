package toolcall

import "strings"

// primary is an operand without what follows it.
func (w *coder) primary() (datum, bool) {
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
		return datum{text: t.text, known: true, number: true}, true
	case tokName:
		w.pos++
		return w.named(t.text), true
	case tokOp:
		if t.text == "(" || t.text == "[" || t.text == "{" {
			return w.group(t.text), true
		}
	}
	return datum{}, false
}

// literal is the value of a string with the expressions in it.
func (w *coder) literal(t token) datum {
	if t.parts == nil {
		d := datum{text: t.text, known: true, taint: t.taint}
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
		if w.tongue == python {
			code, _, _ = strings.Cut(code, "!")
		}
		out = join(out, w.hole(code))
	}
	out.taint |= t.taint
	return out
}

// hole is the value of an expression in a string, shown by its source when it is not known.
func (w *coder) hole(code string) datum {
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
func (w *coder) backticks(t token) datum {
	d := text(t.text)
	if t.parts != nil {
		d = w.literal(t)
	}
	return w.capture(w.runText(d))
}

// named is the value of a name: of a variable, or the name itself.
func (w *coder) named(name string) datum {
	if d, ok := w.vars[name]; ok {
		return d
	}
	switch name {
	case among(name, "true false True False None null nil undef undefined TRUE FALSE"):
		return datum{}
	case among(name, "<STDIN> <> $ARGV ARGF STDIN"):
		return w.stdin()
	case "__file__", "__filename", "__FILE__", "$0":
		return datum{text: "$" + name}
	case "__dirname", "__DIR__", "__dir__":
		return datum{text: w.c.sc.cwd, known: !w.c.sc.cwdUnknown}
	}
	if strings.HasPrefix(name, "<") {
		return w.readHandle(strings.Trim(name, "<>$"))
	}
	return datum{name: moduleName(name)}
}

// moduleName is a module as the tables of calls name it.
func moduleName(name string) string {
	name = strings.TrimPrefix(name, "node:")
	return strings.ReplaceAll(name, "/", ".")
}

// group follows what stands in brackets.
func (w *coder) group(open string) datum {
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
func (w *coder) elements(end int, open string) datum {
	d := datum{list: true}
	if w.depth >= maxCodeDepth {
		w.a.overflow("nests code deeper than 100 levels")
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

func (w *coder) element(d *datum, end int, open string) {
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
	if items := (datum{list: true}); w.comprehension(&items, end) {
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
		d.add(v.value().text, w.expr())
		return
	}
	if len(d.items) < 4*maxFields {
		d.items = append(d.items, v)
	}
}

func (d *datum) add(key string, v datum) {
	if len(d.pairs) < maxFields {
		d.pairs = append(d.pairs, pair{key: key, value: v})
	}
}

// comprehension follows Python's [f(x) for x in list], item by item.
func (w *coder) comprehension(d *datum, end int) bool {
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
	if !list.list || len(items) == 0 || len(items) > 4*maxFields {
		items = []datum{{taint: list.taint}}
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
func (w *coder) comprehensionFor(end int) int {
	if w.tongue != python && w.tongue != julia {
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
