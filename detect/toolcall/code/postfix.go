package code

// postfix.go evaluates the members, arguments and indexes that follow an operand.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/system"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// postfix() evaluates one member, call or index after an operand. It returns false if there is none.
func (p *parser) postfix(v value.Value) (value.Value, bool) {
	tok := p.peek()
	if tok.Kind == lexer.Line && p.tokenAt(1).IsOp(".") && !p.tokenAt(2).IsOp(".") {
		p.pos++
		return v, true
	}
	if tok.Kind == lexer.Text && p.Language == trace.Lua && v.Name != "" && !strings.HasPrefix(v.Name, "$") {
		p.pos++
		return p.call(v, value.List(p.literal(tok))), true
	}
	if tok.Kind == lexer.Text && p.Language == trace.Script && !tok.Space && v.Name != "" && strings.HasSuffix(v.Name, "$") {
		p.pos++
		if v.Name == "$" {
			v = &value.Data{Name: "zx.$"}
		}
		return p.call(v, value.List(p.literal(tok))), true
	}
	if tok.Kind == lexer.Name && p.Language == trace.Compiled && strings.HasSuffix(v.Name, "ofstream") && p.tokenAt(1).IsOp("(") {
		p.pos++ // as in std::ofstream f("x")
		return p.call(&value.Data{Name: "ofstream"}, p.arguments()), true
	}
	if tok.Kind != lexer.Op {
		return v, false
	}
	switch tok.Text {
	case "(":
		if tok.Space && (p.Language == trace.Ruby || p.Language == trace.Awk) && v.Name == "" {
			return v, false
		}
		args := p.arguments()
		if block, ok := p.blockArgument(); ok {
			args.Items = append(args.Items, block)
		}
		return p.call(v, args), true
	case words.Among(tok.Text, ". -> :: ?. : &."):
		return p.memberAfter(v, tok)
	case "?":
		if next := p.tokenAt(1); p.Language == trace.Compiled && next.Kind == lexer.Op &&
			next.Text == words.Among(next.Text, ". ) ; ] }") {
			p.pos++ // in Rust, the operator ? returns an error to the caller
			return v, true
		}
		return v, false
	case "[":
		if v.Name == "vec!" || (p.Language == trace.Compiled || p.Language == trace.Groovy) && p.tokenAt(1).IsOp("]") && p.tokenAt(2).IsOp("{") {
			if p.tokenAt(1).IsOp("]") {
				p.pos += 2
			}
			return p.group(p.peek().Text), true // as in new String[]{"a"}
		}
		if tok.Space && p.Language != trace.Script && p.Language != trace.Python {
			return v, false
		}
		return p.index(v, p.group("[")), true
	case "{":
		if p.Language == trace.Perl && !tok.Space && p.tokenAt(-1).Kind == lexer.Name && strings.HasPrefix(p.tokenAt(-1).Text, "$") {
			return p.index(v, p.perlKey()), true
		}
	}
	return v, false
}

// bareArguments evaluates arguments without parentheses. It returns false if there are none.
func (p *parser) bareArguments() (value.Value, bool) {
	if !p.startsBareArguments() {
		return &value.Data{}, false
	}
	if p.Language == trace.Perl && p.peek().IsOp("{") {
		p.pos = min(p.closing(p.pos)+1, len(p.toks)) // as in exec {"/bin/rm"} "rm", "x"
	}
	p.skipHandle()
	v := value.List()
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
	switch p.Language {
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
			return p.Language == trace.Perl && (name.Text == "exec" || name.Text == "system" || name.Text == "print")
		}
	}
	return false
}

// endsArguments reports whether a word such as "if" or "do" ends a list of arguments without parentheses.
func endsArguments(word string) bool {
	return word == words.Among(word, "if unless while until for foreach and or not do then end else in x eq ne as is "+
		"rescue elsif elif import lt gt xor cmp instanceof from")
}

// skipHandle skips a file handle, such as F in Perl's print F "text", and remembers the handle for the call.
func (p *parser) skipHandle() {
	function := p.tokenAt(-1).Text
	if p.Language != trace.Perl || p.peek().Kind != lexer.Name || function != words.Among(function, "print printf say") {
		return
	}
	if next := p.tokenAt(1); next.Kind == lexer.Text || next.Kind == lexer.Name && !endsArguments(next.Text) {
		p.printHandle = strings.TrimPrefix(p.peek().Text, "$")
		p.pos++
	}
}

func (p *parser) arguments() value.Value {
	end := p.closing(p.pos)
	p.pos++
	v := p.bracketItems(end, "")
	if p.pos < len(p.toks) {
		p.pos++
	}
	return v
}

// perlKey evaluates a key in braces, such as HOME in $ENV{HOME}. In these braces, a word without quotes is a text.
func (p *parser) perlKey() value.Value {
	end := p.closing(p.pos)
	if end == p.pos+2 && p.tokenAt(1).Kind == lexer.Name && !strings.HasPrefix(p.tokenAt(1).Text, "$") {
		v := value.Text(p.tokenAt(1).Text)
		p.pos = min(end+1, len(p.toks))
		return value.List(v)
	}
	return p.arguments()
}

// memberAfter evaluates a member such as ".name" after a value. It returns false if the parameter "op" is not an
// operator that accesses members in this language.
func (p *parser) memberAfter(v value.Value, op *lexer.Token) (value.Value, bool) {
	next := p.tokenAt(1)
	switch {
	case op.Text == "." && (p.Language == trace.Perl || p.Language == trace.PHP):
		return v, false
	case op.Text == ":" && (p.Language != trace.Lua || next.Kind != lexer.Name):
		return v, false
	case op.Text == "->" && next.IsOp("("), op.Text == "." && next.IsOp("(") && (v.Function != nil || p.Language == trace.Ruby):
		p.pos++
		return v, true
	case op.Text == "?." && next.IsOp("("):
		p.pos++
		return v, true
	case (op.Text == "->" || op.Text == "?.") && (next.IsOp("[") || next.IsOp("{")):
		p.pos++
		return p.index(v, p.arguments()), true
	case op.Text == "." && v.Known && p.Language == trace.Julia:
		return v, false
	case next.Kind != lexer.Name && next.Kind != lexer.Text:
		return v, false
	}
	if next.Kind == lexer.Text && next.Parts != nil {
		return v, false
	}
	p.pos += 2
	v = p.member(v, next.Text)
	if p.Language == trace.Ruby && next.Text == "new" && !p.peek().IsOp("(") {
		if made := p.serviceObject(v.Name, value.List()); made != nil {
			return made, true // as in Aws::IAM::Client.new.get_user
		}
	}
	return v, true
}

// member() returns a function or constant of a module, or a method of a value.
func (in *interpreter) member(object value.Value, name string) value.Value {
	if object.Method != "" {
		object = in.method(object.Self, object.Method, value.List())
	}
	if v, ok := object.EntryOf(name); ok && name != "get" {
		return v
	}
	if object.Name == "" || object.Kind != value.NoObject || object.Known {
		return &value.Data{Self: object, Method: name, Taint: object.Taint}
	}
	if len(object.Name) > maxNameLength {
		return &value.Data{Taint: object.Taint}
	}
	full := object.Name + "." + name
	if full == "process.env.parsed" {
		return object // as in require("dotenv").config().parsed
	}
	if v, ok := in.vars[full]; ok {
		return v
	}
	switch {
	case !system.IsEnvironment(object.Name):
	case strings.ToUpper(name) == name:
		return in.Environment(name)
	case in.Language == trace.Script && name == words.Among(name, "filter map flatMap forEach sort reduce some find slice"),
		in.Language == trace.Ruby && name == words.Among(name, "each each_pair map flat_map filter_map collect select filter "+
			"find_all reject to_h to_a to_s inspect sort sort_by group_by values sum reduce inject each_with_object"):
		return &value.Data{Self: &value.Data{Taint: trace.FromEnviron}, Method: name, Taint: trace.FromEnviron}
	}
	return &value.Data{Name: full, Taint: object.Taint}
}

// index() returns an element of a list, a dictionary, the environment or a module.
func (p *parser) index(object, by value.Value) value.Value {
	if n, ok := by.SliceFrom(); ok && object.List && !object.Any {
		return &value.Data{List: true, Items: object.Items[min(n, len(object.Items)):], Taint: object.Taint}
	}
	key := by
	if by.List {
		key = value.Argument(by, 0)
	}
	switch {
	case object.Any || key.Any:
		one := func(i int) value.Value { return p.index(object.Choice(i), key.Choice(i)) }
		return p.evaluateEach(max(object.Choices(3), key.Choices(3)), one)
	case object.Function != nil:
		return p.callFunction(object.Function, by)
	case object.Name == "Dir" && p.Language == trace.Ruby:
		return p.perform(library.Action{Kind: library.FindPaths}, by)

	case object.Method != "":
		return p.index(p.finishOperand(object, p.pos), by)
	case system.IsEnvironment(object.Name) && key.Known:
		return p.Environment(key.Text)
	case object.Name != "" && key.Known && !key.Number:
		return p.member(object, key.Text)
	case object.Known && !object.List && len(by.Items) == 1 && key.Text == "1" &&
		p.tokenAt(-2).Text == "1" && p.tokenAt(-3).IsOp("-"): // as in text[::-1]
		return value.Reverse(object)
	}
	if v, ok := object.EntryOf(key.Text); ok && key.Known {
		return v
	}
	if key.Number && p.tokenAt(-2).Kind == lexer.Name && len(object.Items) > 0 {
		p.choosing = true
		return value.ItemsOf(object) // the index is the variable of a loop
	}
	if n, ok := key.Integer(); ok && object.List && n >= 0 && n < len(object.Items) {
		if n > 0 && p.tokenAt(-3).IsOp("-") && p.tokenAt(-4).IsOp("[") {
			n = len(object.Items) - n
		}
		return object.Items[n]
	}
	if object.Kind == value.FileObject || object.Kind == value.ProcessObject || object.Walked {
		return object
	}
	if len(object.Items)+len(object.Pairs) > 0 && (!key.Known || len(object.Items) == 0) {
		p.choosing = true
		return value.ItemsOf(object)
	}
	if p.Language == trace.Lua && object.List && key.Number && len(object.Items) > 0 {
		p.choosing = true
		return value.ItemsOf(object) // in this language, the first item of a list has the index one
	}
	return &value.Data{Taint: object.ItemTaint() | key.Taint}
}

// finishOperand calls a method or function that has no parentheses, if the language allows such calls.
func (p *parser) finishOperand(v value.Value, start int) value.Value {
	if v.Kind == value.DeletionObject {
		p.Trace.Mark(p.Command, "calls delete"+trace.DeletesRecords, effect.DestructiveOp)
		return &value.Data{}
	}
	if v.Method != "" {
		if p.Language == trace.Groovy && p.peek().IsOp("=") && v.Self.Kind == value.PathObject {
			p.SavePath(v.Self, &value.Data{}) // as in new File("x").text = "y"
			return &value.Data{}
		}
		args, _ := p.bareArguments()
		if block, found := p.blockArgument(); found {
			args.Items = append(args.Items, block)
		}
		args.List = true
		return p.method(v.Self, v.Method, args)
	}
	if v.Name == "" || v.Kind != value.NoObject || v.Known || v.List {
		return v
	}
	if system.IsEnvironment(v.Name) {
		return &value.Data{Name: v.Name, Taint: v.Taint | trace.FromEnviron}
	}
	args, ok := p.bareArguments()
	if block, found := p.blockArgument(); found {
		args.List, args.Items, ok = true, append(args.Items, block), true
	}
	if p.Language == trace.Perl && !ok && (v.Name == "unlink" || v.Name == "rmdir" || v.Name == "eval" && !p.peek().IsOp("{")) {
		args, ok = value.List(p.resolve("$_")), true
	}
	if ok {
		return p.call(v, args)
	}
	if strings.Contains(v.Name, ".") {
		return p.property(v)
	}
	switch p.Language {
	case trace.Ruby, trace.Perl, trace.Script, trace.Python:
		if p.pos == start+1 {
			return p.property(v)
		}
	}
	return v
}

// property() evaluates a name without a call, such as a stream, a constant of a module, or fork in Ruby.
func (in *interpreter) property(v value.Value) value.Value {
	if i := strings.LastIndexByte(v.Name, '.'); i > 0 && in.Language == trace.Ruby {
		in.libraryMethod(&value.Data{Name: v.Name[:i]}, v.Name[i+1:], &value.Data{})
	}
	switch v.Name {
	case words.Among(v.Name, "sys.stdin process.stdin Deno.stdin $stdin STDIN.read $stdin.read "+
		"io.stdin sys.stdin.buffer"):
		return in.Stdin()
	case words.Among(v.Name, "gets readlines ARGF.read $<.read"):
		return in.inputFiles()
	case "fork", "Process.fork":
		in.Seen.Forks = in.Seen.Forks || in.Language == trace.Ruby || in.Language == trace.Perl
	case "Sequel.sqlite": // a database in memory
		in.connected.tests++
		return &value.Data{Text: "$database"}
	case "wait", "Process.wait":
		in.Seen.Waits = true
	case "Dotenv.load", "Dotenv.parse":
		return in.settings(&value.Data{})
	case "ENV.to_h", "ENV.to_a", "ENV.inspect":
		return &value.Data{Taint: trace.FromEnviron}
	case "Dir.pwd":
		return &value.Data{Text: in.Command.Scope.Cwd, Known: !in.Command.Scope.CwdUnknown}
	case "shift", "pop":
		if first, ok := in.shiftArgument(); ok {
			return first
		}
	case "Dir.home":
		return value.Text(in.Trace.Env.Home)
	case "Dir.tmpdir":
		return value.Text("/tmp")
	case "$_":
		return &value.Data{Text: "$_", Taint: in.ImplicitTaint()}
	}
	return v
}
