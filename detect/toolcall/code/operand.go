package code

// operand.go evaluates operands: names, literals, brackets and comprehensions.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// operand evaluates an operand together with the members, calls and indexes after it. It returns false if there is no
// operand.
func (p *parser) operand() (value, bool) {
	start := p.pos
	for p.peek().IsOp("!") || p.language == trace.Script && p.peek().IsWord("typeof") {
		p.pos++
	}
	negated := p.pos > start
	v, ok := p.plainOperand()
	if negated {
		v = truth(v.itemTaint())
	}
	return v, ok
}

// plainOperand evaluates an operand that has no "!" before it.
func (p *parser) plainOperand() (value, bool) {
	for range 8 {
		if p.language == trace.Lua && p.peek().IsOp("...") {
			break
		}
		if v, ok := p.literalFunction(); ok {
			return p.postfixes(v, p.pos), true
		}
		if !p.skipPrefix() {
			break
		}
	}
	start := p.pos
	v, ok := p.primary()
	if !ok || p.pos == start {
		return v, false
	}
	return p.postfixes(v, start), true
}

func (p *parser) postfixes(v value, start int) value {
	for p.spend(1) {
		next, more := p.postfix(v)
		if !more {
			break
		}
		v = next
	}
	return p.finishOperand(v, start)
}

// primary evaluates an operand without the members, calls and indexes after it.
func (p *parser) primary() (value, bool) {
	tok := p.peek()
	switch tok.Kind {
	case lexer.Text:
		p.pos++
		return p.literal(tok), true
	case lexer.Command:
		p.pos++
		return p.backticks(tok), true
	case lexer.Number:
		p.pos++
		return &data{text: tok.Text, known: true, number: true}, true
	case lexer.Name:
		p.pos++
		return p.resolve(tok.Text), true
	case lexer.Op:
		if v, ok := p.vars["..."]; ok && tok.Text == "..." {
			p.pos++
			return v, true
		}
		if tok.Text == "[" && p.language == trace.Compiled {
			p.skipType()
			tok = p.peek()
		}
		if tok.Text == "(" || tok.Text == "[" || tok.Text == "{" {
			return p.group(tok.Text), true
		}
	}
	return &data{}, false
}

// literal returns the value of a string, including the expressions in it.
func (in *interpreter) literal(tok *lexer.Token) value {
	if tok.Parts == nil {
		v := &data{text: tok.Text, known: true, taint: tok.Taint}
		if in.partial && strings.Contains(tok.Text, "$") {
			v.known = false
		}
		return v
	}
	out := textValue("")
	for _, p := range tok.Parts {
		if !p.IsCode {
			out = join(out, textValue(p.Text))
			continue
		}
		code := p.Text
		if in.language == trace.Python {
			code, _, _ = strings.Cut(code, "!")
		}
		out = join(out, in.interpolationValue(code))
	}
	out.taint |= tok.Taint
	return out
}

// interpolationValue returns the value of an expression in a string. The text of an unknown value is the source of the
// expression.
func (in *interpreter) interpolationValue(code string) value {
	v := in.evaluate(code)
	if v.list {
		v = joinItems(v, " ")
	}
	if !v.known && v.text == "" && v.name == "" && len(code) < 64 {
		v = v.clone()
		v.text = "$" + strings.TrimLeft(code, "$")
	}
	v = v.clone()
	v.kind = noObject
	return v
}

// backticks analyzes the command between backticks and returns its output.
func (in *interpreter) backticks(tok *lexer.Token) value {
	v := textValue(tok.Text)
	if tok.Parts != nil {
		v = in.literal(tok)
	}
	return in.captureOutput(in.runText(v))
}

// resolve returns what a name stands for: the value of a variable, or a reference to a module or function.
func (in *interpreter) resolve(name string) value {
	if v, ok := in.vars[name]; ok {
		if v.list {
			v = v.clone()
			v.from = name
		}
		return v
	}
	switch name {
	case "True":
		return &data{name: name}
	case words.Among(name, "true false False None null nil undef undefined TRUE FALSE"):
		return &data{}
	case "<STDIN>", "STDIN":
		return in.stdin()
	case words.Among(name, "<> <<>> <ARGV> $ARGV ARGF"):
		return in.inputFiles()
	case "__file__", "__filename", "__FILE__", "$0":
		return &data{text: "$" + name}
	case "__dirname", "__DIR__", "__dir__":
		return &data{text: in.command.Scope.Cwd, known: !in.command.Scope.CwdUnknown}
	}
	if strings.HasPrefix(name, "<") {
		return in.readHandle(strings.Trim(name, "<>$"))
	}
	return &data{name: moduleName(name)}
}

// moduleName returns the name of a module in the form that functions such as javascriptAction expect.
func moduleName(name string) string {
	name = strings.TrimPrefix(name, "node:")
	return strings.ReplaceAll(name, "/", ".")
}

// group evaluates a list, a dictionary, a block or an expression in brackets.
func (p *parser) group(open string) value {
	end := p.closing(p.pos)
	p.pos++
	v := p.bracketItems(end, open)
	if p.pos < len(p.toks) && p.pos == end {
		p.pos++
	}
	if open == "(" && len(v.items) == 1 && len(v.pairs) == 0 && !p.tokenAt(-2).IsOp(",") {
		return v.items[0]
	}
	v.taint = v.itemTaint()
	if open == "[" {
		p.noteList(v)
	}
	return v
}

// bracketItems evaluates the values before the closing bracket at index end. The parameter open is the opening bracket,
// or empty for the arguments of a call. After {, there may be statements.
func (p *parser) bracketItems(end int, open string) value {
	v := &data{list: true}
	if p.depth >= maxCodeDepth {
		p.trace.Overflow("nests code deeper than 100 levels")
		p.pos = end
		return v
	}
	p.depth++
	defer func() { p.depth-- }()
	for p.pos < end && p.spend(1) {
		start := p.pos
		p.bracketItem(v, end, open)
		if p.pos == start {
			p.pos++
		}
	}
	p.pos = min(end, len(p.toks))
	return v
}

// bracketItem evaluates one value, or a key and its value, and adds it to the list.
func (p *parser) bracketItem(list value, end int, open string) {
	tok := p.peek()
	switch {
	case tok.Kind == lexer.Line || tok.IsOp(",") || tok.IsOp(";"):
		p.pos++
		return
	case tok.Kind == lexer.Name && (p.tokenAt(1).IsOp("=") && open == "" || p.tokenAt(1).IsOp(":") ||
		p.tokenAt(1).IsOp("=>") && p.language != trace.Script):
		p.pos += 2
		list.addEntry(tok.Text, p.entryValue())
		return
	case open == "{" && tok.Kind == lexer.Name && p.methodDefinition():
		return
	case open == "{" && tok.Kind == lexer.Name && p.keyword(tok.Text):
		return
	}
	if items := (&data{list: true}); p.comprehension(items, end) {
		if open == "[" {
			*list = *items
			return
		}
		list.items = append(list.items, items)
		return
	}
	before := p.pos
	v := p.expr()
	if p.pos == before {
		return
	}
	if p.peek().IsOp(":") || p.peek().IsOp("=>") {
		p.pos++
		list.addEntry(v.toTrace().Text, p.entryValue())
		return
	}
	if len(list.items) < 4*trace.MaxFields {
		list.items = append(list.items, v)
	}
}

// entryValue evaluates the value of an entry or of a named argument. Here the value false keeps its name, so that an
// option that is off differs from one that is on.
func (p *parser) entryValue() value {
	tok := p.peek()
	v := p.expr()
	if v.isEmpty() && tok.Kind == lexer.Name && strings.EqualFold(tok.Text, off) {
		return &data{name: off}
	}
	return v
}

// off is the name of the value of an option that is off.
const off = "false"

// isOn reports whether one of the options of a call is on. Its value may be unknown.
func (v value) isOn(keys ...string) bool {
	for _, options := range v.optionSets() {
		if setting, ok := options.entry(keys...); ok && setting.name != off {
			return true
		}
	}
	return false
}

// optionSets returns where the options of a call may be: in its named arguments, and in each dictionary that it gets.
func (v value) optionSets() []value { return append([]value{v}, v.items...) }

// addEntry adds a key and its value to v, which is a dictionary or a list of arguments.
func (v value) addEntry(key string, item value) {
	if len(v.pairs) < trace.MaxFields {
		v.pairs = append(v.pairs, pair{key: key, value: item})
	}
}

// comprehension evaluates a Python or Julia comprehension such as [f(x) for x in list]. It returns false if the
// brackets contain something else.
func (p *parser) comprehension(v value, end int) bool {
	at := p.findComprehensionFor(end)
	if at < 0 {
		return false
	}
	start := p.pos
	p.pos = at
	chars := &data{}
	name := ""
	for p.acceptWord("for") {
		names := p.loopTargets()
		if names == nil {
			p.pos = start
			return false
		}
		p.conditions++
		list := p.expr()
		p.conditions--
		name, chars = names[0], list
		p.bindTargets(names, list)
		for p.acceptWord("if") {
			p.conditions++
			p.expr()
			p.conditions--
		}
	}
	if list := chars; list.list && !list.any && list.allNumbers() && len(list.items) <= 4*trace.MaxFields {
		for _, item := range list.items { // the codes of characters
			p.bind(name, item)
			p.pos = start
			v.items = append(v.items, p.expr())
		}
		p.pos = end
		return true
	}
	p.pos = start
	v.items = append(v.items, alternativesOf(p.expr())...)
	p.pos = end
	return true
}

func (v value) allNumbers() bool {
	for _, item := range v.items {
		if !item.number {
			return false
		}
	}
	return len(v.items) > 0
}

// findComprehensionFor returns the index of the word "for" in a comprehension, or -1.
func (p *parser) findComprehensionFor(end int) int {
	if p.language != trace.Python && p.language != trace.Julia {
		return -1
	}
	for i := p.pos; i < end && i < len(p.toks); i++ {
		tok := &p.toks[i]
		switch {
		case tok.IsOp("("), tok.IsOp("["), tok.IsOp("{"):
			i = p.closing(i)
		case tok.IsOp(","), tok.IsOp(";"), tok.Kind == lexer.Line:
			return -1
		case tok.IsWord("for"):
			return i
		}
	}
	return -1
}

// skipType skips the type before a list in braces, such as []string in []string{"a"}.
func (p *parser) skipType() {
	i := p.closing(p.pos) + 1
	if i > p.pos+3 || p.tokenAt(1).Kind == lexer.Text {
		return // the items of a list
	}
	for i < len(p.toks) && (p.toks[i].Kind == lexer.Name || p.toks[i].IsOp(".") || p.toks[i].IsOp("*")) {
		i++
	}
	if i < len(p.toks) && (p.toks[i].IsOp("{") || p.toks[i].IsOp("(") && p.toks[i-1].Kind == lexer.Name) {
		p.pos = i
	}
}

func (p *parser) startsOperand() bool {
	tok := p.peek()
	switch tok.Kind {
	case lexer.Line:
		return false
	case lexer.Op:
		switch tok.Text {
		case "(", "[", "{", "-", "!", "&", "*", "@", "\\", "+", "~", "%", "$", "::", "->", "^", "<<":
			return true
		}
		return false
	}
	return true
}

// skipPrefix skips an operator or word that may come before an operand. It returns false if there is none.
func (p *parser) skipPrefix() bool {
	tok := p.peek()
	switch tok.Kind {
	case lexer.Op:
		switch tok.Text {
		case "-", "!", "&", "*", "\\", "+", "~", "@", "$", "++", "--", "...", "**", "^":
			p.pos++
			return true
		}
	case lexer.Name:
		if p.tokenAt(1).IsOp("=") || p.tokenAt(1).IsOp(".") {
			return false
		}
		if p.language == trace.Python && tok.Text != words.Among(tok.Text, "await not yield return async") {
			return false
		}
		switch tok.Text {
		case words.Among(tok.Text, "await new not return yield async static typeof void delete my our local "+
			"defined do scalar then"):
			p.pos++
			return true
		case "function", "sub", "fn":
			p.skipDefinition()
			return true
		}
	}
	return false
}
