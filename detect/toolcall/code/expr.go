package code

import (
	"strings"

	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// expr follows an expression and returns what is known of its value. Precedence does not matter here: what has an
// effect is found in any order, and a value that is computed by more than putting texts together is not known.
func (w *parser) expr() known {
	if w.depth >= maxCodeDepth {
		w.trace.Overflow("nests code deeper than 100 levels")
		w.pos = len(w.toks)
		return known{}
	}
	w.depth++
	defer func() { w.depth-- }()
	left, ok := w.operand()
	for ok && w.spend(1) && w.operator(&left) {
	}
	return left
}

// operator applies the operator that follows to left and reports whether there was one.
func (w *parser) operator(left *known) bool {
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
func (w *parser) juxtaposes() bool {
	return (w.language == trace.Python || w.language == trace.Awk || w.language == trace.Ruby) && w.at(-1).kind == tokText
}

func (w *parser) symbolOperator(left *known, op string) bool {
	switch op {
	case words.Among(op, ") ] } , ; : { => ( ["):
		return false
	case words.Among(op, "= := <- += .= ||= &&= ??= -="):
		w.assign(left, op)
		return true
	case "?":
		w.pos++
		*left = known{taint: left.taint}
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
func (w *interpreter) combine(left, right known, op string) known {
	w.spend((len(left.text) + len(right.text) + len(left.items) + len(right.items)) / 8)
	switch {
	case op == w.concatenation():
		return join(left, right)
	case op == "/" && (left.class == pathOf || right.class == pathOf):
		return joinPath(left, right)
	case op == "%" && (w.language == trace.Python || w.language == trace.Ruby) && left.known && !left.number:
		return formatText(left, right)
	case op == "*" && w.language == trace.Julia:
		return join(left, right)
	case op == "*":
		return repeat(left, right)
	case op == "<<" && w.language == trace.Ruby && left.class != fileOf && !left.list:
		return join(left, right)
	case op == ".." && w.language != trace.Lua:
		return known{list: true, items: []known{left, right}}
	}
	if op == "|" && strings.Contains(left.name+right.name, "O_") {
		return known{name: left.name + "|" + right.name, taint: left.tainted() | right.tainted()} // os.O_WRONLY | os.O_TRUNC
	}
	return known{taint: left.tainted() | right.tainted()}
}

func (w *interpreter) concatenation() string {
	switch w.language {
	case trace.Perl, trace.PHP:
		return "."
	case trace.Lua:
		return ".."
	case trace.Elixir:
		return "<>"
	}
	return "+"
}

// repeat is "a" * 3.
func repeat(left, right known) known {
	if n, ok := right.integer(); ok && left.known && !left.number && n > 0 && n*len(left.text) <= maxJoined {
		return known{text: strings.Repeat(left.text, n), known: true, taint: left.taint}
	}
	return known{taint: left.taint}
}

// formatText fills the %s of a text.
func formatText(f, with known) known {
	var b strings.Builder
	values := with.all()
	shell.FillFormat(&b, f.text, values)
	out := known{text: b.String(), known: true, taint: f.taint | with.tainted()}
	for _, v := range values {
		out.known = out.known && !v.Partial
	}
	return out
}

func (w *parser) wordOperator(left *known, word string) bool {
	switch word {
	case words.Among(word, "and or is eq ne lt gt instanceof xor cmp x"):
		if word == "x" && w.language != trace.Perl {
			return false
		}
		w.pos++
		right, _ := w.operand()
		if word == "x" {
			*left = repeat(*left, right)
			return true
		}
		*left = known{taint: left.taint | right.taint}
		return true
	case "if", "else", "in", "not":
		if w.language != trace.Python || word == "in" && w.depth == 1 {
			return false
		}
		w.pos++
		right, _ := w.operand()
		*left = known{taint: left.taint | right.taint}
		return true
	}
	return false
}

// assign binds the name before the operator, or evaluates what is put into something else.
func (w *parser) assign(left *known, op string) {
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
	if strings.HasPrefix(name, "@") && w.language == trace.Perl && !right.list {
		right = known{list: true, items: []known{right}, taint: right.taint}
	}
	if simple {
		w.bind(name, right)
		if len(name) > 1 && (name[0] == '@' || name[0] == '%') && w.language == trace.Perl {
			w.bind("$"+name[1:], right)
		}
	}
	w.sensitive(name, right)
	*left = right
}

// sensitive notes an assignment to the environment that a guard depends on.
func (w *interpreter) sensitive(name string, d known) {
	if i := strings.LastIndexByte(name, '.'); i > 0 && isEnvironment(name[:i]) {
		w.trace.SensitiveVariable(w.c, name[i+1:], d.value())
	}
}
