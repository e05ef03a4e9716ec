package toolcall

import "strings"

// expr follows an expression and returns what is known of its value. Precedence does not matter here: what has an
// effect is found in any order, and a value that is computed by more than putting texts together is not known.
func (w *coder) expr() datum {
	if w.depth >= maxCodeDepth {
		w.a.overflow("nests code deeper than 100 levels")
		w.pos = len(w.toks)
		return datum{}
	}
	w.depth++
	defer func() { w.depth-- }()
	left, ok := w.operand()
	for ok && w.spend(1) && w.operator(&left) {
	}
	return left
}

// operator applies the operator that follows to left and reports whether there was one.
func (w *coder) operator(left *datum) bool {
	t := w.peek()
	switch t.kind {
	case tokOp:
		return w.symbolOperator(left, t.text)
	case tokName:
		return w.wordOperator(left, t.text)
	case tokText:
		if w.juxtaposes() {
			next, _ := w.operand()
			*left = join(*left, next)
			return true
		}
	}
	return false
}

// juxtaposes reports whether texts that stand side by side are one.
func (w *coder) juxtaposes() bool {
	return (w.tongue == python || w.tongue == awk || w.tongue == ruby) && w.at(-1).kind == tokText
}

func (w *coder) symbolOperator(left *datum, op string) bool {
	switch op {
	case among(op, ") ] } , ; : { => ( ["):
		return false
	case among(op, "= := <- += .= ||= &&= ??= -="):
		w.assign(left, op)
		return true
	case "?":
		w.pos++
		*left = datum{taint: left.taint}
		return true
	}
	w.pos++
	if !w.startsOperand() {
		return true
	}
	right, ok := w.operand()
	if !ok {
		return true
	}
	*left = w.combine(*left, right, op)
	return true
}

// combine is the value of two operands with an operator between them.
func (w *coder) combine(left, right datum, op string) datum {
	w.spend((len(left.text) + len(right.text) + len(left.items) + len(right.items)) / 8)
	switch {
	case op == w.concatenation():
		return join(left, right)
	case op == "/" && (left.class == pathOf || right.class == pathOf):
		return joinPath(left, right)
	case op == "%" && (w.tongue == python || w.tongue == ruby) && left.known && !left.number:
		return formatText(left, right)
	case op == "*" && w.tongue == julia:
		return join(left, right)
	case op == "*":
		return repeat(left, right)
	case op == "<<" && w.tongue == ruby && left.class != fileOf && !left.list:
		return join(left, right)
	case op == ".." && w.tongue != lua:
		return datum{list: true, items: []datum{left, right}}
	}
	if op == "|" && strings.Contains(left.name+right.name, "O_") {
		return datum{name: left.name + "|" + right.name, taint: left.tainted() | right.tainted()} // os.O_WRONLY | os.O_TRUNC
	}
	return datum{taint: left.tainted() | right.tainted()}
}

func (w *coder) concatenation() string {
	switch w.tongue {
	case perl, php:
		return "."
	case lua:
		return ".."
	case elixir:
		return "<>"
	}
	return "+"
}

// repeat is "a" * 3.
func repeat(left, right datum) datum {
	if n, ok := right.integer(); ok && left.known && !left.number && n > 0 && n*len(left.text) <= maxJoined {
		return datum{text: strings.Repeat(left.text, n), known: true, taint: left.taint}
	}
	return datum{taint: left.taint}
}

// formatText fills the %s of a text.
func formatText(f, with datum) datum {
	var b strings.Builder
	values := with.all()
	fillFormat(&b, f.text, values)
	out := datum{text: b.String(), known: true, taint: f.taint | with.tainted()}
	for _, v := range values {
		out.known = out.known && !v.partial
	}
	return out
}

func (w *coder) wordOperator(left *datum, word string) bool {
	switch word {
	case among(word, "and or is eq ne lt gt instanceof xor cmp x"):
		if word == "x" && w.tongue != perl {
			return false
		}
		w.pos++
		right, _ := w.operand()
		if word == "x" {
			*left = repeat(*left, right)
			return true
		}
		*left = datum{taint: left.taint | right.taint}
		return true
	case "if", "else", "in", "not":
		if w.tongue != python || word == "in" && w.depth == 1 {
			return false
		}
		w.pos++
		right, _ := w.operand()
		*left = datum{taint: left.taint | right.taint}
		return true
	}
	return false
}

// assign binds the name before the operator, or evaluates what is put into something else.
func (w *coder) assign(left *datum, op string) {
	target := w.at(-1)
	simple := target.kind == tokName
	name := target.text
	if left.name != "" && strings.Contains(left.name, ".") {
		name = left.name
	}
	w.pos++
	before := *left
	right := w.expr()
	if op == "+=" || op == ".=" {
		if old, ok := w.vars[name]; ok {
			before = old
		}
		right = w.combine(before, right, w.concatenation())
	}
	if strings.HasPrefix(name, "@") && w.tongue == perl && !right.list {
		right = datum{list: true, items: []datum{right}, taint: right.taint}
	}
	if simple {
		w.bind(name, right)
		if len(name) > 1 && (name[0] == '@' || name[0] == '%') && w.tongue == perl {
			w.bind("$"+name[1:], right)
		}
	}
	w.sensitive(name, right)
	*left = right
}

// sensitive notes an assignment to the environment that a guard depends on.
func (w *coder) sensitive(name string, d datum) {
	if i := strings.LastIndexByte(name, '.'); i > 0 && isEnvironment(name[:i]) {
		w.a.sensitiveVariable(w.c, name[i+1:], d.value())
	}
}
