package code

// expression.go evaluates expressions and their operators.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// expr() evaluates an expression. It ignores operator precedence, because effects do not depend on precedence, and
// because only a few text operators, such as concatenation, have a known result.
func (p *parser) expr() value.Value {
	if p.depth >= maxCodeDepth {
		p.Trace.Overflow("nests code deeper than 100 levels")
		p.pos = len(p.toks)
		return &value.Data{}
	}
	p.depth++
	defer func() { p.depth-- }()
	left, ok := p.operand()
	for ok && p.spend(1) && p.operator(&left) {
	}
	return left
}

// operator() applies the next operator to the left operand (the parameter "left"). If a text follows instead of an
// operator, operator() appends the text to the operand. operator() returns false if neither an operator nor a text
// follows.
func (p *parser) operator(left *value.Value) bool {
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

// juxtaposes() reports whether the language concatenates two texts that have no operator between them.
func (p *parser) juxtaposes() bool {
	return (p.Language == trace.Python || p.Language == trace.Awk || p.Language == trace.Ruby) && p.tokenAt(-1).Kind == lexer.Text
}

// symbolOperator applies an operator such as + to the left operand (the parameter "left"). It returns false if the
// parameter "op" is not such an operator.
func (p *parser) symbolOperator(left *value.Value, op string) bool {
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
			yes = value.EitherOf(yes, p.expr())
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

// combine() returns the result of applying the operator in the parameter "op" to the operands "left" and "right".
func (in *interpreter) combine(left, right value.Value, op string) value.Value {
	if n := max(left.Choices(3), right.Choices(3)); n > 1 && in.choosing && op != "||" && op != "??" {
		return in.evaluateEach(n, func(i int) value.Value { return in.combine(left.Choice(i), right.Choice(i), op) })
	}
	in.spendOn(left, right)
	switch {
	case op == in.concatenation():
		return value.Join(left, right)
	case op == "/" && (left.Kind == value.PathObject || right.Kind == value.PathObject):
		return value.JoinPath(left, right)
	case op == "%" && (in.Language == trace.Python || in.Language == trace.Ruby) && left.Known && !left.Number:
		return in.formatText(left, right)
	case op == "*" && in.Language == trace.Julia:
		return value.Join(left, right)
	case op == "*":
		return repeat(left, right)
	case op == "<<" && in.Language == trace.Ruby && left.Kind != value.FileObject && !left.List:
		return value.Join(left, right)
	case op == "<<" && in.Language == trace.Groovy && left.Kind == value.PathObject:
		in.SavePath(left, right)
		return left
	case op == "||" || op == "??":
		in.choosing = true
		return value.EitherOf(left, right)
	case op == "&&":
		return right
	case op == words.Among(op, "== === != !=="):
		return truth(left.ItemTaint() | right.ItemTaint())
	case op == ".." && in.Language != trace.Lua:
		return value.List(left, right)
	}
	if op == "|" && strings.Contains(left.Name+right.Name, "O_") {
		// The operator combines flags, as in os.O_WRONLY | os.O_TRUNC.
		return &value.Data{Name: left.Name + "|" + right.Name, Taint: left.ItemTaint() | right.ItemTaint()}
	}
	return &value.Data{Taint: left.ItemTaint() | right.ItemTaint()}
}

// truth() returns a value that is either true or false. It removes the taints of variables, because the value true or
// false does not reveal the text of a variable.
func truth(taint trace.Taint) value.Value {
	return &value.Data{Taint: taint &^ (trace.FromSetting | trace.FromEnviron)}
}

// join() concatenates two values and counts the work.
func (in *interpreter) join(left, right value.Value) value.Value {
	in.spendOn(left, right)
	return value.Join(left, right)
}

func (in *interpreter) spendOn(left, right value.Value) {
	in.spend((len(left.Text) + len(right.Text) + len(left.Items) + len(right.Items)) / 8)
}

func (in *interpreter) concatenation() string {
	switch in.Language {
	case trace.Perl, trace.PHP:
		return "."
	case trace.Lua:
		return ".."
	case trace.Elixir:
		return "<>"
	}
	return "+"
}

// repeat() returns the result of an expression such as "a" * 3.
func repeat(left, right value.Value) value.Value {
	if n, ok := right.Integer(); ok && left.Known && !left.Number && n > 0 && n*len(left.Text) <= value.MaxJoined {
		return &value.Data{Text: strings.Repeat(left.Text, n), Known: true, Taint: left.Taint}
	}
	return &value.Data{Taint: left.Taint}
}

// The method formatText replaces each placeholder, such as %s, in the text f.
func (in *interpreter) formatText(f, with value.Value) value.Value {
	var b strings.Builder
	for _, options := range with.OptionSets() {
		if len(options.Pairs) > 0 {
			return in.fillNames(in.fillNames(f, "%(", ")s", options), "%{", "}", options)
		}
	}
	values := with.Flatten()
	shell.FillFormat(&b, f.Text, values)
	out := &value.Data{Text: b.String(), Known: true, Taint: f.Taint | with.ItemTaint()}
	for _, v := range values {
		out.Known = out.Known && !v.Partial
	}
	return out
}

// wordOperator applies an operator that is a word, such as "and". It returns false if the word is not an operator.
func (p *parser) wordOperator(left *value.Value, word string) bool {
	switch word {
	case words.Among(word, "and or is eq ne lt gt instanceof xor cmp x"):
		if word == "x" && p.Language != trace.Perl {
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
			*left = value.EitherOf(*left, right)
			return true
		}
		*left = &value.Data{Taint: (*left).Taint | right.Taint}
		if word == "is" {
			*left = truth((*left).Taint)
		}
		return true
	case "if":
		return p.conditional(left)
	case "in", "not":
		if p.Language != trace.Python && (p.Language != trace.Script || word == "not") || word == "in" && p.depth == 1 {
			return false
		}
		p.pos++
		right, _ := p.operand()
		taint := (*left).Taint | right.Taint
		if (*left).Known || p.Language == trace.Script { // in JavaScript, only the names are compared
			taint = truth(taint).Taint
		}
		*left = &value.Data{Taint: taint}
		return true
	}
	return false
}

// targetsBefore returns the names on the left side of an assignment, except the last one. In "a, b, c = list", these
// are a and b. The parameter "at" is the index of the last name.
func (p *parser) targetsBefore(at int) []string {
	var names []string
	for i := at - 1; i > 0 && p.toks[i].IsOp(",") && p.toks[i-1].Kind == lexer.Name && len(names) < 8; i -= 2 {
		if before := &p.toks[max(i-2, 0)]; before.IsOp("(") || before.IsOp(".") {
			p.realInFake = p.realInFake || before.IsOp(".") // as in fake.member, y = object, 1
			return nil                                      // without a dot, these are the arguments of a call
		}
		names = append([]string{p.toks[i-1].Text}, names...)
	}
	return names
}

// assignSeveral binds several names to the items of a list, and returns the value of the last name.
func (p *parser) assignSeveral(names []string, right value.Value) value.Value {
	if p.peek().IsOp(",") && p.Language != trace.Script {
		right = value.List(right)
		for p.accept(",") && p.spend(1) {
			right.Items = append(right.Items, p.expr())
		}
	}
	for i, name := range names {
		p.bind(name, value.ColumnOf(right, i))
	}
	return value.ColumnOf(right, len(names)-1)
}

// assignInside evaluates an assignment whose left side ends with a bracket, such as ($a, $b) = list, [a, b] = list, or
// list[i] = item. The parameter "at" is the index of that bracket.
func (p *parser) assignInside(at int, right value.Value) {
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
		case tok.Kind == lexer.Name && p.toks[max(i-1, 0)].IsOp("...") && right.List && !right.Any:
			p.bind(tok.Text, value.List(right.Items[min(column, len(right.Items)):]...))
		case tok.Kind == lexer.Name && (right.List || column == 0):
			p.bind(tok.Text, value.ColumnOf(right, column))
		}
	}
}

// conditional() evaluates the rest of Python's "x if y else z" after x. It returns false if the word "if" does not
// belong to such an expression.
func (p *parser) conditional(left *value.Value) bool {
	if p.Language != trace.Python || p.conditions > 0 {
		return false
	}
	p.pos++
	p.conditions++
	p.expr()
	p.conditions--
	if p.acceptWord("else") {
		p.choosing = true
		*left = value.EitherOf(*left, p.expr())
	}
	return true
}

// assign() evaluates the right side of an assignment, and binds the name on the left side to the result. The parameter
// "at" is the index of the last token on the left side.
func (p *parser) assign(left *value.Value, op string, at int) {
	target := &p.toks[max(at, 0)]
	simple := target.Kind == lexer.Name
	names := p.targetsBefore(at)
	name := target.Text
	if (*left).Name != "" && strings.Contains((*left).Name, ".") {
		name = (*left).Name
	}
	p.pos++
	before := *left
	inFake := before.Kind == value.FakeObject && (!simple || p.toks[max(at-1, 0)].IsOp("."))
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
		if pieces.Any && !before.List {
			right = value.EitherOf(right, value.JoinItems(value.Join(before, value.List(pieces.Items...)), ""))
		}
	}
	if strings.HasPrefix(name, "@") && p.Language == trace.Perl && !right.List {
		right = &value.Data{List: true, Items: []value.Value{right}, Taint: right.Taint}
	}
	if len(names) > 0 {
		right = p.assignSeveral(append(names, name), right)
	}
	if inFake && (p.peek().IsOp(",") || !right.Known && right.Kind != value.FakeObject) {
		p.realInFake = true // as in fake.member = object
	}
	if target.IsOp(")") || target.IsOp("]") {
		p.assignInside(at, right)
	}
	if right.Function != nil && simple && len(p.defined) < 4*trace.MaxFields {
		p.defined[target.Text] = right.Function
	}
	if simple {
		p.bind(name, right)
		if len(name) > 1 && (name[0] == '@' || name[0] == '%') && p.Language == trace.Perl {
			p.bind("$"+name[1:], right)
		}
	}
	p.NoteSensitiveVariable(name, right)
	*left = right
}
