package code

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// bareArguments are a call's arguments without parentheses.
func (w *parser) bareArguments() (known, bool) {
	if !w.startsBare() {
		return known{}, false
	}
	if w.language == trace.Perl && w.peek().is("{") {
		w.pos = min(w.match[w.pos]+1, len(w.toks)) // exec {"/bin/rm"} "rm", "x"
	}
	w.skipHandle()
	d := known{list: true}
	for w.spend(1) {
		before := w.pos
		w.element(&d, len(w.toks), "")
		if w.pos == before || !w.accept(",") {
			break
		}
	}
	return d, true
}

func (w *parser) startsBare() bool {
	t, name := w.peek(), w.at(-1)
	switch w.language {
	case trace.Perl, trace.Ruby, trace.PHP, trace.Elixir, trace.Groovy, trace.Other:
	case trace.Python:
		if name.text != "print" && name.text != "exec" || t.kind == tokOp {
			return false
		}
	default:
		return false
	}
	switch t.kind {
	case tokText, tokCommand:
		return true
	case tokNumber:
		return t.space
	case tokName:
		return !steers(t.text)
	case tokOp:
		switch t.text {
		case "\\", "@", "[", "%":
			return t.space && w.at(1).kind != tokLine && !w.at(1).space
		case "{":
			return w.language == trace.Perl && (name.text == "exec" || name.text == "system" || name.text == "print")
		}
	}
	return false
}

// steers are the words that end the arguments before them.
func steers(word string) bool {
	return word == words.Among(word, "if unless while until for foreach and or not do then end else in x eq ne as is rescue elsif elif "+
		"import lt gt xor cmp instanceof from")
}

// skipHandle goes past the file handle of Perl's print F "text" and remembers it for the call.
func (w *parser) skipHandle() {
	if w.language != trace.Perl || w.peek().kind != tokName {
		return
	}
	if next := w.at(1); next.kind == tokText || next.kind == tokName && !steers(next.text) {
		w.handle = strings.TrimPrefix(w.peek().text, "$")
		w.pos++
	}
}

// postfix follows a member, a call or an index after an operand; more is false when there is none.
func (w *parser) postfix(d known) (known, bool) {
	t := w.peek()
	if t.kind == tokLine && w.at(1).is(".") && !w.at(2).is(".") {
		w.pos++
		return d, true
	}
	if t.kind == tokText && w.language == trace.Lua && d.name != "" && !strings.HasPrefix(d.name, "$") {
		w.pos++
		return w.call(d, known{list: true, items: []known{w.literal(t)}}), true
	}
	if t.kind != tokOp {
		return d, false
	}
	switch t.text {
	case "(":
		if t.space && (w.language == trace.Ruby || w.language == trace.Awk) && d.name == "" {
			return d, false
		}
		return w.call(d, w.arguments()), true
	case words.Among(t.text, ". -> :: ?. : &."):
		return w.memberAfter(d, t)
	case "[":
		if t.space && w.language != trace.Script && w.language != trace.Python {
			return d, false
		}
		return w.index(d, w.group("[")), true
	case "{":
		if w.language == trace.Perl && !t.space && w.at(-1).kind == tokName && strings.HasPrefix(w.at(-1).text, "$") {
			return w.index(d, w.perlKey()), true
		}
	}
	return d, false
}

// arguments are a call's arguments in parentheses, always as a list.
func (w *parser) arguments() known {
	end := w.match[w.pos]
	w.pos++
	d := w.elements(end, "")
	if w.pos < len(w.toks) {
		w.pos++
	}
	return d
}

// perlKey is the key of $ENV{HOME}, where a bare word is a text.
func (w *parser) perlKey() known {
	end := w.match[w.pos]
	if end == w.pos+2 && w.at(1).kind == tokName && !strings.HasPrefix(w.at(1).text, "$") {
		d := text(w.at(1).text)
		w.pos = min(end+1, len(w.toks))
		return known{list: true, items: []known{d}}
	}
	return w.arguments()
}

// memberAfter follows .name when the operator is one of members here.
func (w *parser) memberAfter(d known, op token) (known, bool) {
	next := w.at(1)
	switch {
	case op.text == "." && (w.language == trace.Perl || w.language == trace.PHP):
		return d, false
	case op.text == ":" && (w.language != trace.Lua || next.kind != tokName):
		return d, false
	case op.text == "?." && next.is("("):
		w.pos++
		return d, true
	case (op.text == "->" || op.text == "?.") && (next.is("[") || next.is("{")):
		w.pos++
		return w.index(d, w.arguments()), true
	case op.text == "." && d.known && w.language == trace.Julia:
		return d, false
	case next.kind != tokName && next.kind != tokText:
		return d, false
	}
	if next.kind == tokText && next.parts != nil {
		return d, false
	}
	w.pos += 2
	return w.member(d, next.text), true
}

// member is a name inside a module, or a method of a value.
func (w *interpreter) member(d known, name string) known {
	if d.method != "" {
		d = w.method(*d.self, d.method, known{list: true})
	}
	if d.name == "" || d.class != plain || d.known {
		self := d
		return known{self: &self, method: name, taint: d.taint}
	}
	if len(d.name) > maxNameLength {
		return known{taint: d.taint}
	}
	full := d.name + "." + name
	if v, ok := w.vars[full]; ok {
		return v
	}
	if isEnvironment(d.name) && strings.ToUpper(name) == name {
		return w.environment(name)
	}
	return known{name: full, taint: d.taint}
}

// index is an element: of a list, a dictionary, the environment, or a module by its name.
func (w *parser) index(d, by known) known {
	key := by
	if by.list {
		key = argument(by, 0)
	}
	switch {
	case d.method != "":
		return w.index(w.settle(d, w.pos), by)
	case isEnvironment(d.name) && key.known:
		return w.environment(key.text)
	case d.name != "" && key.known && !key.number:
		return w.member(d, key.text)
	case d.known && !d.list && len(by.items) == 1 && key.text == "1" && w.at(-2).text == "1" && w.at(-3).is("-"):
		return reversed(d)
	}
	if v, ok := d.named(key.text); ok && key.known {
		return v
	}
	if n, ok := key.integer(); ok && d.list && n >= 0 && n < len(d.items) {
		return d.items[n]
	}
	if d.class == fileOf || d.class == process {
		return d
	}
	return known{taint: d.tainted() | key.taint}
}

func isEnvironment(name string) bool {
	return name == words.Among(name, "os.environ process.env ENV $ENV $_ENV $_SERVER Deno.env Bun.env %ENV System.env ENVIRON environ "+
		"os.environb")
}

// environment is a variable of the environment, as far as the shell's are known.
func (w *interpreter) environment(name string) known {
	if name == "HOME" || name == "USERPROFILE" {
		return text(w.trace.Env.Home)
	}
	if name == "PWD" {
		return known{text: w.c.Scope.Cwd, known: !w.c.Scope.CwdUnknown}
	}
	if v, ok := w.c.Scope.Vars[name]; ok && len(v.Values) == 1 {
		return known{text: v.Values[0].Text, known: !v.Values[0].Partial, taint: v.Values[0].Taint}
	}
	d := known{text: "$" + name}
	if trace.IsGuardVariable(name) || trace.RunsCode(name) {
		d.name = "os.environ." + name // so that an assignment to it is seen
	}
	return d
}

// settle finishes an operand: a method without parentheses is called where a language does so, and so is a function
// of which the arguments stand without them.
func (w *parser) settle(d known, start int) known {
	if d.method != "" {
		if args, ok := w.bareArguments(); ok {
			return w.method(*d.self, d.method, args)
		}
		return w.method(*d.self, d.method, known{list: true})
	}
	if d.name == "" || d.class != plain || d.known || d.list {
		return d
	}
	if isEnvironment(d.name) {
		return known{name: d.name, taint: d.taint | trace.FromEnviron}
	}
	if args, ok := w.bareArguments(); ok {
		return w.call(d, args)
	}
	if (w.language == trace.Ruby || w.language == trace.Perl || w.language == trace.Script || w.language == trace.Python) && w.pos == start+1 || strings.Contains(d.name, ".") {
		return w.property(d)
	}
	return d
}

// property is a name that stands without a call but means something: a stream, a module's constant, Ruby's fork.
func (w *interpreter) property(d known) known {
	switch d.name {
	case words.Among(d.name, "sys.stdin process.stdin Deno.stdin $stdin STDIN.read $stdin.read gets ARGF.read io.stdin "+
		"sys.stdin.buffer $<.read"):
		return w.stdin()
	case "fork", "Process.fork":
		w.seen.forks = w.seen.forks || w.language == trace.Ruby || w.language == trace.Perl
	case "wait", "Process.wait":
		w.seen.waits = true
	case "Dir.pwd":
		return known{text: w.c.Scope.Cwd, known: !w.c.Scope.CwdUnknown}
	case "Dir.home":
		return text(w.trace.Env.Home)
	case "Dir.tmpdir":
		return text("/tmp")
	case "$_":
		return known{text: "$_", taint: w.implicit()}
	}
	return d
}

// implicit is where Perl's and Ruby's $_ comes from.
func (w *interpreter) implicit() trace.Taint {
	if w.seen.connected {
		return trace.FromSocket
	}
	return w.c.In.Taint
}
