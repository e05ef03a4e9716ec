package code

// postfix.go evaluates the members, arguments and indexes that follow an operand.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// postfix evaluates one member, call or index after an operand. It returns false if there is none.
func (p *parser) postfix(v value) (value, bool) {
	tok := p.peek()
	if tok.Kind == lexer.Line && p.tokenAt(1).IsOp(".") && !p.tokenAt(2).IsOp(".") {
		p.pos++
		return v, true
	}
	if tok.Kind == lexer.Text && p.language == trace.Lua && v.name != "" && !strings.HasPrefix(v.name, "$") {
		p.pos++
		return p.call(v, &data{list: true, items: []value{p.literal(tok)}}), true
	}
	if tok.Kind == lexer.Text && p.language == trace.Script && !tok.Space && v.name != "" && strings.HasSuffix(v.name, "$") {
		p.pos++
		if v.name == "$" {
			v = &data{name: "zx.$"}
		}
		return p.call(v, &data{list: true, items: []value{p.literal(tok)}}), true
	}
	if tok.Kind == lexer.Name && p.language == trace.Compiled && strings.HasSuffix(v.name, "ofstream") && p.tokenAt(1).IsOp("(") {
		p.pos++ // std::ofstream f("x")
		return p.call(&data{name: "ofstream"}, p.arguments()), true
	}
	if tok.Kind != lexer.Op {
		return v, false
	}
	switch tok.Text {
	case "(":
		if tok.Space && (p.language == trace.Ruby || p.language == trace.Awk) && v.name == "" {
			return v, false
		}
		args := p.arguments()
		if block, ok := p.blockArgument(); ok {
			args.items = append(args.items, block)
		}
		return p.call(v, args), true
	case words.Among(tok.Text, ". -> :: ?. : &."):
		return p.memberAfter(v, tok)
	case "?":
		if next := p.tokenAt(1); p.language == trace.Compiled && next.Kind == lexer.Op &&
			next.Text == words.Among(next.Text, ". ) ; ] }") {
			p.pos++ // in Rust, the operator ? returns an error to the caller
			return v, true
		}
		return v, false
	case "[":
		if v.name == "vec!" || p.language == trace.Compiled && p.tokenAt(1).IsOp("]") && p.tokenAt(2).IsOp("{") {
			if p.tokenAt(1).IsOp("]") {
				p.pos += 2
			}
			return p.group(p.peek().Text), true // new String[]{"a"}
		}
		if tok.Space && p.language != trace.Script && p.language != trace.Python {
			return v, false
		}
		return p.index(v, p.group("[")), true
	case "{":
		if p.language == trace.Perl && !tok.Space && p.tokenAt(-1).Kind == lexer.Name && strings.HasPrefix(p.tokenAt(-1).Text, "$") {
			return p.index(v, p.perlKey()), true
		}
	}
	return v, false
}

// bareArguments evaluates arguments without parentheses. It returns false if there are none.
func (p *parser) bareArguments() (value, bool) {
	if !p.startsBareArguments() {
		return &data{}, false
	}
	if p.language == trace.Perl && p.peek().IsOp("{") {
		p.pos = min(p.closing(p.pos)+1, len(p.toks)) // exec {"/bin/rm"} "rm", "x"
	}
	p.skipHandle()
	v := &data{list: true}
	for p.spend(1) {
		before := p.pos
		p.bracketItem(v, len(p.toks), "")
		if p.pos == before || !p.accept(",") {
			break
		}
	}
	return v, true
}

func (p *parser) startsBareArguments() bool {
	tok, name := p.peek(), p.tokenAt(-1)
	switch p.language {
	case trace.Perl, trace.Ruby, trace.PHP, trace.Elixir, trace.Groovy, trace.Other:
	case trace.Python:
		if name.Text != "print" && name.Text != "exec" || tok.Kind == lexer.Op {
			return false
		}
	default:
		return false
	}
	switch tok.Kind {
	case lexer.Text, lexer.Command:
		return true
	case lexer.Number:
		return tok.Space
	case lexer.Name:
		return !endsArguments(tok.Text)
	case lexer.Op:
		switch tok.Text {
		case "\\", "@", "[", "%":
			return tok.Space && p.tokenAt(1).Kind != lexer.Line && !p.tokenAt(1).Space
		case "{":
			return p.language == trace.Perl && (name.Text == "exec" || name.Text == "system" || name.Text == "print")
		}
	}
	return false
}

// endsArguments reports whether a word such as "if" or "do" ends a list of arguments without parentheses.
func endsArguments(word string) bool {
	return word == words.Among(word, "if unless while until for foreach and or not do then end else in x eq ne as is "+
		"rescue elsif elif import lt gt xor cmp instanceof from")
}

// skipHandle skips the file handle F in Perl's print F "text", and remembers it for the call.
func (p *parser) skipHandle() {
	function := p.tokenAt(-1).Text
	if p.language != trace.Perl || p.peek().Kind != lexer.Name || function != words.Among(function, "print printf say") {
		return
	}
	if next := p.tokenAt(1); next.Kind == lexer.Text || next.Kind == lexer.Name && !endsArguments(next.Text) {
		p.printHandle = strings.TrimPrefix(p.peek().Text, "$")
		p.pos++
	}
}

func (p *parser) arguments() value {
	end := p.closing(p.pos)
	p.pos++
	v := p.bracketItems(end, "")
	if p.pos < len(p.toks) {
		p.pos++
	}
	return v
}

// perlKey evaluates the key in $ENV{HOME}. A word without quotes is a text there.
func (p *parser) perlKey() value {
	end := p.closing(p.pos)
	if end == p.pos+2 && p.tokenAt(1).Kind == lexer.Name && !strings.HasPrefix(p.tokenAt(1).Text, "$") {
		v := textValue(p.tokenAt(1).Text)
		p.pos = min(end+1, len(p.toks))
		return &data{list: true, items: []value{v}}
	}
	return p.arguments()
}

// memberAfter evaluates .name after a value. It returns false if the operator op does not access members in this
// language.
func (p *parser) memberAfter(v value, op *lexer.Token) (value, bool) {
	next := p.tokenAt(1)
	switch {
	case op.Text == "." && (p.language == trace.Perl || p.language == trace.PHP):
		return v, false
	case op.Text == ":" && (p.language != trace.Lua || next.Kind != lexer.Name):
		return v, false
	case op.Text == "->" && next.IsOp("("), op.Text == "." && next.IsOp("(") && (v.fn != nil || p.language == trace.Ruby):
		p.pos++
		return v, true
	case op.Text == "?." && next.IsOp("("):
		p.pos++
		return v, true
	case (op.Text == "->" || op.Text == "?.") && (next.IsOp("[") || next.IsOp("{")):
		p.pos++
		return p.index(v, p.arguments()), true
	case op.Text == "." && v.known && p.language == trace.Julia:
		return v, false
	case next.Kind != lexer.Name && next.Kind != lexer.Text:
		return v, false
	}
	if next.Kind == lexer.Text && next.Parts != nil {
		return v, false
	}
	p.pos += 2
	return p.member(v, next.Text), true
}

// member returns a function or constant of a module, or a method of a value.
func (in *interpreter) member(object value, name string) value {
	if object.method != "" {
		object = in.method(object.self, object.method, &data{list: true})
	}
	if v, ok := object.entry(name); ok && name != "get" {
		return v
	}
	if object.name == "" || object.kind != noObject || object.known {
		return &data{self: object, method: name, taint: object.taint}
	}
	if len(object.name) > maxNameLength {
		return &data{taint: object.taint}
	}
	full := object.name + "." + name
	if full == "process.env.parsed" {
		return object // require("dotenv").config().parsed
	}
	if v, ok := in.vars[full]; ok {
		return v
	}
	if isEnvironment(object.name) && strings.ToUpper(name) == name {
		return in.environment(name)
	}
	return &data{name: full, taint: object.taint}
}

// index returns an element of a list, a dictionary, the environment or a module.
func (p *parser) index(object, by value) value {
	if n, ok := by.sliceFrom(); ok && object.list && !object.any {
		return &data{list: true, items: object.items[min(n, len(object.items)):], taint: object.taint}
	}
	key := by
	if by.list {
		key = argument(by, 0)
	}
	switch {
	case object.any || key.any:
		one := func(i int) value { return p.index(object.choice(i), key.choice(i)) }
		return p.evaluateEach(max(object.choices(3), key.choices(3)), one)
	case object.fn != nil:
		return p.callFunction(object.fn, by)
	case object.name == "Dir" && p.language == trace.Ruby:
		return p.perform(library.Action{Kind: library.FindPaths}, by)

	case object.method != "":
		return p.index(p.finishOperand(object, p.pos), by)
	case isEnvironment(object.name) && key.known:
		return p.environment(key.text)
	case object.name != "" && key.known && !key.number:
		return p.member(object, key.text)
	case object.known && !object.list && len(by.items) == 1 && key.text == "1" &&
		p.tokenAt(-2).Text == "1" && p.tokenAt(-3).IsOp("-"): // text[::-1]
		return reverse(object)
	}
	if v, ok := object.entry(key.text); ok && key.known {
		return v
	}
	if key.number && p.tokenAt(-2).Kind == lexer.Name && len(object.items) > 0 {
		p.choosing = true
		return itemsOf(object) // the variable of a loop
	}
	if n, ok := key.integer(); ok && object.list && n >= 0 && n < len(object.items) {
		if n > 0 && p.tokenAt(-3).IsOp("-") && p.tokenAt(-4).IsOp("[") {
			n = len(object.items) - n
		}
		return object.items[n]
	}
	if object.kind == fileObject || object.kind == processObject || object.walked {
		return object
	}
	if len(object.items)+len(object.pairs) > 0 && (!key.known || len(object.items) == 0) {
		p.choosing = true
		return itemsOf(object)
	}
	if p.language == trace.Lua && object.list && key.number && len(object.items) > 0 {
		p.choosing = true
		return itemsOf(object) // lists begin at one
	}
	return &data{taint: object.itemTaint() | key.taint}
}

// sliceFrom returns the 1 of a slice such as [1:].
func (v value) sliceFrom() (int, bool) {
	if len(v.pairs) != 1 || len(v.items) > 0 || !v.list {
		return 0, false
	}
	n, ok := textValue(v.pairs[0].key).integer()
	return max(n, 0), ok
}

// isEnvironment reports whether a name stands for all environment variables, as os.environ does.
func isEnvironment(name string) bool {
	return name == words.Among(name, "os.environ process.env ENV $ENV $_ENV $_SERVER Deno.env Bun.env %ENV System.env "+
		"ENVIRON environ os.environb")
}

// finishOperand calls a method or function that has no parentheses, if the language allows such calls.
func (p *parser) finishOperand(v value, start int) value {
	if v.kind == deletionObject {
		p.trace.Mark(p.command, "calls delete"+trace.DeletesRecords, effect.DestructiveOp)
		return &data{}
	}
	if v.method != "" {
		args, _ := p.bareArguments()
		if block, found := p.blockArgument(); found {
			args.items = append(args.items, block)
		}
		args.list = true
		return p.method(v.self, v.method, args)
	}
	if v.name == "" || v.kind != noObject || v.known || v.list {
		return v
	}
	if isEnvironment(v.name) {
		return &data{name: v.name, taint: v.taint | trace.FromEnviron}
	}
	args, ok := p.bareArguments()
	if block, found := p.blockArgument(); found {
		args.list, args.items, ok = true, append(args.items, block), true
	}
	if p.language == trace.Perl && !ok && (v.name == "unlink" || v.name == "rmdir" || v.name == "eval" && !p.peek().IsOp("{")) {
		args, ok = &data{list: true, items: []value{p.resolve("$_")}}, true
	}
	if ok {
		return p.call(v, args)
	}
	if strings.Contains(v.name, ".") {
		return p.property(v)
	}
	switch p.language {
	case trace.Ruby, trace.Perl, trace.Script, trace.Python:
		if p.pos == start+1 {
			return p.property(v)
		}
	}
	return v
}

// property evaluates a name without a call, such as a stream, a constant of a module, or fork in Ruby.
func (in *interpreter) property(v value) value {
	if i := strings.LastIndexByte(v.name, '.'); i > 0 && in.language == trace.Ruby {
		in.libraryMethod(&data{name: v.name[:i]}, v.name[i+1:], &data{})
	}
	switch v.name {
	case words.Among(v.name, "sys.stdin process.stdin Deno.stdin $stdin STDIN.read $stdin.read "+
		"io.stdin sys.stdin.buffer"):
		return in.stdin()
	case words.Among(v.name, "gets readlines ARGF.read $<.read"):
		return in.inputFiles()
	case "fork", "Process.fork":
		in.seen.forks = in.seen.forks || in.language == trace.Ruby || in.language == trace.Perl
	case "wait", "Process.wait":
		in.seen.waits = true
	case "Dotenv.load", "Dotenv.parse":
		return in.settings(&data{})
	case "ENV.to_h", "ENV.to_a", "ENV.inspect":
		return &data{taint: trace.FromEnviron}
	case "Dir.pwd":
		return &data{text: in.command.Scope.Cwd, known: !in.command.Scope.CwdUnknown}
	case "shift", "pop":
		if first, ok := in.shiftArgument(); ok {
			return first
		}
	case "Dir.home":
		return textValue(in.trace.Env.Home)
	case "Dir.tmpdir":
		return textValue("/tmp")
	case "$_":
		return &data{text: "$_", taint: in.implicitTaint()}
	}
	return v
}
