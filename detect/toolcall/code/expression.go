package code

// expression.go evaluates expressions and their operators.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// expr evaluates an expression. It ignores operator precedence, because effects do not depend on it and only a few text
// operators, such as concatenation, have a known result.
func (p *parser) expr() value {
	if p.depth >= maxCodeDepth {
		p.trace.Overflow("nests code deeper than 100 levels")
		p.pos = len(p.toks)
		return &data{}
	}
	p.depth++
	defer func() { p.depth-- }()
	left, ok := p.operand()
	for ok && p.spend(1) && p.operator(&left) {
	}
	return left
}

// operator applies the next operator to left, or appends the next text to it. It returns false if there is neither.
func (p *parser) operator(left *value) bool {
	tok := p.peek()
	switch tok.Kind {
	case lexer.Op:
		return p.symbolOperator(left, tok.Text)
	case lexer.Name:
		return p.wordOperator(left, tok.Text)
	case lexer.Text:
		if p.juxtaposes() {
			next, _ := p.operand()
			*left = p.join(*left, next)
			return true
		}
	}
	return false
}

// juxtaposes reports whether the language concatenates two texts if there is no operator between them.
func (p *parser) juxtaposes() bool {
	return (p.language == trace.Python || p.language == trace.Awk || p.language == trace.Ruby) && p.tokenAt(-1).Kind == lexer.Text
}

// symbolOperator applies an operator such as + to left. It returns false if op is not an operator of this kind.
func (p *parser) symbolOperator(left *value, op string) bool {
	switch op {
	case words.Among(op, ") ] } , ; : { => ( ["):
		return false
	case words.Among(op, "= := <- += .= ||= &&= ??= -="):
		p.assign(left, op, p.pos-1)
		return true
	case "?":
		p.pos++
		yes := p.expr()
		if p.accept(":") {
			yes = eitherOf(yes, p.expr())
			p.choosing = true
		}
		*left = yes
		return true
	}
	p.pos++
	if !p.startsOperand() {
		return true
	}
	right, ok := p.operand()
	if !ok {
		return true
	}
	*left = p.combine(*left, right, op)
	return true
}

// combine returns the result of applying the operator op.
func (in *interpreter) combine(left, right value, op string) value {
	if n := max(left.choices(3), right.choices(3)); n > 1 && in.choosing && op != "||" && op != "??" {
		return in.evaluateEach(n, func(i int) value { return in.combine(left.choice(i), right.choice(i), op) })
	}
	in.spendOn(left, right)
	switch {
	case op == in.concatenation():
		return join(left, right)
	case op == "/" && (left.kind == pathObject || right.kind == pathObject):
		return joinPath(left, right)
	case op == "%" && (in.language == trace.Python || in.language == trace.Ruby) && left.known && !left.number:
		return formatText(left, right)
	case op == "*" && in.language == trace.Julia:
		return join(left, right)
	case op == "*":
		return repeat(left, right)
	case op == "<<" && in.language == trace.Ruby && left.kind != fileObject && !left.list:
		return join(left, right)
	case op == "||" || op == "??":
		in.choosing = true
		return eitherOf(left, right)
	case op == "&&":
		return right
	case op == words.Among(op, "== === != !=="):
		return truth(left.itemTaint() | right.itemTaint())
	case op == ".." && in.language != trace.Lua:
		return &data{list: true, items: []value{left, right}}
	}
	if op == "|" && strings.Contains(left.name+right.name, "O_") {
		// An example is os.O_WRONLY | os.O_TRUNC.
		return &data{name: left.name + "|" + right.name, taint: left.itemTaint() | right.itemTaint()}
	}
	return &data{taint: left.itemTaint() | right.itemTaint()}
}

// truth returns a value that is either true or false. It removes the taints of variables, because a truth value shows
// no part of a variable's text.
func truth(taint trace.Taint) value {
	return &data{taint: taint &^ (trace.FromSetting | trace.FromEnviron)}
}

// join concatenates two values and counts the work.
func (in *interpreter) join(left, right value) value {
	in.spendOn(left, right)
	return join(left, right)
}

func (in *interpreter) spendOn(left, right value) {
	in.spend((len(left.text) + len(right.text) + len(left.items) + len(right.items)) / 8)
}

func (in *interpreter) concatenation() string {
	switch in.language {
	case trace.Perl, trace.PHP:
		return "."
	case trace.Lua:
		return ".."
	case trace.Elixir:
		return "<>"
	}
	return "+"
}

// repeat returns the result of an expression such as "a" * 3.
func repeat(left, right value) value {
	if n, ok := right.integer(); ok && left.known && !left.number && n > 0 && n*len(left.text) <= maxJoined {
		return &data{text: strings.Repeat(left.text, n), known: true, taint: left.taint}
	}
	return &data{taint: left.taint}
}

// formatText replaces each placeholder, such as %s, in the text f.
func formatText(f, with value) value {
	var b strings.Builder
	values := with.flatten()
	shell.FillFormat(&b, f.text, values)
	out := &data{text: b.String(), known: true, taint: f.taint | with.itemTaint()}
	for _, v := range values {
		out.known = out.known && !v.Partial
	}
	return out
}

// wordOperator applies an operator that is a word, such as "and". It returns false if the word is no operator.
func (p *parser) wordOperator(left *value, word string) bool {
	switch word {
	case words.Among(word, "and or is eq ne lt gt instanceof xor cmp x"):
		if word == "x" && p.language != trace.Perl {
			return false
		}
		p.pos++
		right, _ := p.operand()
		if word == "x" {
			*left = repeat(*left, right)
			return true
		}
		if word == "or" {
			p.choosing = true
			*left = eitherOf(*left, right)
			return true
		}
		*left = &data{taint: (*left).taint | right.taint}
		if word == "is" {
			*left = truth((*left).taint)
		}
		return true
	case "if":
		return p.conditional(left)
	case "in", "not":
		if p.language != trace.Python || word == "in" && p.depth == 1 {
			return false
		}
		p.pos++
		right, _ := p.operand()
		taint := (*left).taint | right.taint
		if (*left).known {
			taint = truth(taint).taint
		}
		*left = &data{taint: taint}
		return true
	}
	return false
}

// targetsBefore returns the names before the last one on the left side of an assignment: a and b in "a, b, c = list".
// at is the index of the last name.
func (p *parser) targetsBefore(at int) []string {
	var names []string
	for i := at - 1; i > 0 && p.toks[i].IsOp(",") && p.toks[i-1].Kind == lexer.Name && len(names) < 8; i -= 2 {
		if before := &p.toks[max(i-2, 0)]; before.IsOp("(") || before.IsOp(".") {
			p.realInFake = p.realInFake || before.IsOp(".") // fake.member, y = object, 1
			return nil                                      // otherwise, these are the arguments of a call
		}
		names = append([]string{p.toks[i-1].Text}, names...)
	}
	return names
}

// assignSeveral binds several names to the items of a list, and returns the value of the last name.
func (p *parser) assignSeveral(names []string, right value) value {
	if p.peek().IsOp(",") && p.language != trace.Script {
		right = &data{list: true, items: []value{right}}
		for p.accept(",") && p.spend(1) {
			right.items = append(right.items, p.expr())
		}
	}
	for i, name := range names {
		p.bind(name, columnOf(right, i))
	}
	return columnOf(right, len(names)-1)
}

// assignInside evaluates an assignment whose left side ends with the bracket at this index, such as ($a, $b) = list,
// [a, b] = list, or list[i] = item.
func (p *parser) assignInside(at int, right value) {
	open := at
	for open > 0 && open > at-32 && p.match[open] != at {
		open--
	}
	if open > 0 && p.toks[open].IsOp("[") && p.toks[open-1].Kind == lexer.Name && !p.toks[open-1].IsWord("const") &&
		!p.toks[open-1].IsWord("let") && !p.toks[open-1].IsWord("var") {
		p.grow(p.toks[open-1].Text, right)
		return
	}
	column := 0
	for i := open; i < at; i++ {
		tok := &p.toks[i]
		switch {
		case tok.IsOp(","):
			column++
		case tok.Kind == lexer.Name && p.toks[max(i-1, 0)].IsOp("...") && right.list && !right.any:
			p.bind(tok.Text, &data{list: true, items: right.items[min(column, len(right.items)):]})
		case tok.Kind == lexer.Name && (right.list || column == 0):
			p.bind(tok.Text, columnOf(right, column))
		}
	}
}

// conditional evaluates the part after x in Python's "x if y else z". It returns false if "if" does not continue the
// expression.
func (p *parser) conditional(left *value) bool {
	if p.language != trace.Python || p.conditions > 0 {
		return false
	}
	p.pos++
	p.conditions++
	p.expr()
	p.conditions--
	if p.acceptWord("else") {
		p.choosing = true
		*left = eitherOf(*left, p.expr())
	}
	return true
}

// assign evaluates the right side of an assignment, and binds the name on the left side to the result. at is the index
// of the last token on the left side.
func (p *parser) assign(left *value, op string, at int) {
	target := &p.toks[max(at, 0)]
	simple := target.Kind == lexer.Name
	names := p.targetsBefore(at)
	name := target.Text
	if (*left).name != "" && strings.Contains((*left).name, ".") {
		name = (*left).name
	}
	p.pos++
	before := *left
	inFake := before.kind == fakeObject && (!simple || p.toks[max(at-1, 0)].IsOp("."))
	conditions := p.conditions
	p.conditions = 0
	right := p.expr()
	p.conditions = conditions
	if op == "+=" || op == ".=" {
		if old, ok := p.vars[name]; ok {
			before = old
		}
		pieces := right
		right = p.combine(before, right, p.concatenation())
		if pieces.any && !before.list {
			right = eitherOf(right, joinItems(join(before, &data{list: true, items: pieces.items}), ""))
		}
	}
	if strings.HasPrefix(name, "@") && p.language == trace.Perl && !right.list {
		right = &data{list: true, items: []value{right}, taint: right.taint}
	}
	if len(names) > 0 {
		right = p.assignSeveral(append(names, name), right)
	}
	if inFake && (p.peek().IsOp(",") || !right.known && right.kind != fakeObject) {
		p.realInFake = true // fake.member = object
	}
	if target.IsOp(")") || target.IsOp("]") {
		p.assignInside(at, right)
	}
	if right.fn != nil && simple && len(p.defined) < 4*trace.MaxFields {
		p.defined[target.Text] = right.fn
	}
	if simple {
		p.bind(name, right)
		if len(name) > 1 && (name[0] == '@' || name[0] == '%') && p.language == trace.Perl {
			p.bind("$"+name[1:], right)
		}
	}
	p.noteSensitiveVariable(name, right)
	*left = right
}
