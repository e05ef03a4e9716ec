package code

// operand.go evaluates operands: names, literals, brackets and comprehensions.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// operand() evaluates an operand together with the members, calls and indexes after the operand. It returns false if
// there is no operand.
func (p *parser) operand() (value.Value, bool) {
	start := p.pos
	for p.peek().IsOp("!") || p.Language == trace.Script && p.peek().IsWord("typeof") {
		p.pos++
	}
	negated := p.pos > start
	v, ok := p.plainOperand()
	if negated {
		v = truth(v.ItemTaint())
	}
	return v, ok
}

// plainOperand evaluates an operand that has no "!" before it.
func (p *parser) plainOperand() (value.Value, bool) {
	for range 8 {
		if p.Language == trace.Lua && p.peek().IsOp("...") {
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

func (p *parser) postfixes(v value.Value, start int) value.Value {
	for {
		for p.spend(1) {
			next, more := p.postfix(v)
			if !more {
				break
			}
			v = next
		}
		before := p.pos
		v = p.finishOperand(v, start)
		if p.pos == before || !p.peek().IsOp(".") {
			return v
		}
		start = p.pos // a method of what a call with a block returns, as in list.reject { … }.each { … }
	}
}

// primary() evaluates an operand without the members, calls and indexes after the operand.
func (p *parser) primary() (value.Value, bool) {
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
		return &value.Data{Text: tok.Text, Known: true, Number: true}, true
	case lexer.Name:
		p.pos++
		return p.resolve(tok.Text), true
	case lexer.Op:
		if v, ok := p.vars["..."]; ok && tok.Text == "..." {
			p.pos++
			return v, true
		}
		if tok.Text == "[" && p.Language == trace.Compiled {
			p.skipType()
			tok = p.peek()
		}
		if tok.Text == "(" || tok.Text == "[" || tok.Text == "{" {
			return p.group(tok.Text), true
		}
	}
	return &value.Data{}, false
}

// literal() returns the value of a string. It also evaluates the expressions in the string.
func (in *interpreter) literal(tok *lexer.Token) value.Value {
	if tok.Parts == nil {
		v := &value.Data{Text: tok.Text, Known: true, Taint: tok.Taint}
		if in.partial && strings.Contains(tok.Text, "$") {
			v.Known = false
		}
		return v
	}
	out := value.Text("")
	for _, p := range tok.Parts {
		if !p.IsCode {
			out = value.Join(out, value.Text(p.Text))
			continue
		}
		code := p.Text
		if in.Language == trace.Python {
			code, _, _ = strings.Cut(code, "!")
		}
		out = value.Join(out, in.interpolationValue(code))
	}
	out.Taint |= tok.Taint
	return out
}

// interpolationValue returns the value of an expression in a string. If the value is unknown, its text is the source of
// the expression.
func (in *interpreter) interpolationValue(code string) value.Value {
	v := in.evaluate(code)
	if v.List {
		v = value.JoinItems(v, " ")
	}
	if !v.Known && v.Text == "" && v.Name == "" && len(code) < 64 {
		v = v.Clone()
		v.Text = "$" + strings.TrimLeft(code, "$")
	}
	v = v.Clone()
	v.Kind = value.NoObject
	return v
}

// The method backticks analyzes a command between backticks and returns the output of the command.
func (in *interpreter) backticks(tok *lexer.Token) value.Value {
	v := value.Text(tok.Text)
	if tok.Parts != nil {
		v = in.literal(tok)
	}
	return in.CaptureOutput(in.RunText(v))
}

// resolve() returns the value of a variable. If there is no such variable, the name stands for a module or a function.
func (in *interpreter) resolve(name string) value.Value {
	if v, ok := in.vars[name]; ok {
		if v.List {
			v = v.Clone()
			v.From = name
		}
		return v
	}
	switch name {
	case "True", "true":
		return &value.Data{Name: name}
	case words.Among(name, "false False None null nil undef undefined TRUE FALSE"):
		return &value.Data{}
	case "<STDIN>", "STDIN":
		return in.Stdin()
	case words.Among(name, "<> <<>> <ARGV> $ARGV ARGF"):
		return in.inputFiles()
	case "__file__", "__filename", "__FILE__", "$0":
		return &value.Data{Text: "$" + name}
	case "__dirname", "__DIR__", "__dir__":
		return &value.Data{Text: in.Command.Scope.Cwd, Known: !in.Command.Scope.CwdUnknown}
	}
	if strings.HasPrefix(name, "<") {
		return in.readHandle(strings.Trim(name, "<>$"))
	}
	return &value.Data{Name: moduleName(name)}
}

// moduleName returns the name of a module in the tables of the package "library". For "node:fs/promises", it returns
// "fs.promises".
func moduleName(name string) string {
	name = strings.TrimPrefix(name, "node:")
	return strings.ReplaceAll(name, "/", ".")
}

// group() evaluates a list, a dictionary, a block or an expression in brackets.
func (p *parser) group(open string) value.Value {
	end := p.closing(p.pos)
	p.pos++
	v := p.bracketItems(end, open)
	if p.pos < len(p.toks) && p.pos == end {
		p.pos++
	}
	if open == "(" && len(v.Items) == 1 && len(v.Pairs) == 0 && !p.tokenAt(-2).IsOp(",") {
		return v.Items[0]
	}
	v.Taint = v.ItemTaint()
	if open == "[" {
		p.noteList(v)
	}
	return v
}

// bracketItems evaluates the values in brackets. The parameter "end" is the index of the closing bracket. The
// parameter "open" is the opening bracket, or "" for the arguments of a call. After {, there may be statements
// instead of values.
func (p *parser) bracketItems(end int, open string) value.Value {
	v := value.List()
	if p.depth >= maxCodeDepth {
		p.Trace.Overflow("nests code deeper than 100 levels")
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

// bracketItem evaluates one value, or a key and its value, and adds the result to the list.
func (p *parser) bracketItem(list value.Value, end int, open string) {
	tok := p.peek()
	switch {
	case tok.Kind == lexer.Line || tok.IsOp(",") || tok.IsOp(";"):
		p.pos++
		return
	case tok.Kind == lexer.Name && (p.tokenAt(1).IsOp("=") && open == "" || p.tokenAt(1).IsOp(":") ||
		p.tokenAt(1).IsOp("=>") && p.Language != trace.Script):
		p.pos += 2
		list.AddEntry(tok.Text, p.entryValue())
		return
	case open == "{" && tok.Kind == lexer.Name && p.methodDefinition():
		return
	case open == "{" && tok.Kind == lexer.Name && p.keyword(tok.Text):
		return
	}
	if items := value.List(); p.comprehension(items, end) {
		if open == "[" {
			*list = *items
			return
		}
		list.Items = append(list.Items, items)
		return
	}
	before := p.pos
	v := p.expr()
	if p.pos == before {
		return
	}
	if p.peek().IsOp(":") || p.peek().IsOp("=>") {
		p.pos++
		list.AddEntry(v.ToTrace().Text, p.entryValue())
		return
	}
	if len(list.Items) < 4*trace.MaxFields {
		list.Items = append(list.Items, v)
	}
}

// entryValue evaluates the value of an entry or of a named argument. If this value is false, the Name of the result is
// Off. Without Off, false would look like an unknown value.
func (p *parser) entryValue() value.Value {
	tok := p.peek()
	v := p.expr()
	if v.IsEmpty() && tok.Kind == lexer.Name && strings.EqualFold(tok.Text, value.Off) {
		return &value.Data{Name: value.Off}
	}
	return v
}

// comprehension() evaluates a Python or Julia comprehension such as [f(x) for x in list]. It returns false if the
// brackets contain something else.
func (p *parser) comprehension(v value.Value, end int) bool {
	at := p.findComprehensionFor(end)
	if at < 0 {
		return false
	}
	start := p.pos
	p.pos = at
	chars := &value.Data{}
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
	if list := chars; list.List && !list.Any && list.AllNumbers() && len(list.Items) <= 4*trace.MaxFields {
		for _, item := range list.Items { // each item is the number of a character
			p.bind(name, item)
			p.pos = start
			v.Items = append(v.Items, p.expr())
		}
		p.pos = end
		return true
	}
	p.pos = start
	v.Items = append(v.Items, value.AlternativesOf(p.expr())...)
	p.pos = end
	return true
}

// findComprehensionFor returns the index of the word "for" in a comprehension, or -1.
func (p *parser) findComprehensionFor(end int) int {
	if p.Language != trace.Python && p.Language != trace.Julia {
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
		return // the bracket begins the items of a list
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
		if p.Language == trace.Python && tok.Text != words.Among(tok.Text, "await not yield return async") {
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
