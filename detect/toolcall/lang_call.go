package toolcall

import "strings"

// postfix follows a member, a call or an index after an operand; more is false when there is none.
func (w *coder) postfix(d datum) (datum, bool) {
	t := w.peek()
	if t.kind == tokLine && w.at(1).is(".") && !w.at(2).is(".") {
		w.pos++
		return d, true
	}
	if t.kind == tokText && w.tongue == lua && d.name != "" && !strings.HasPrefix(d.name, "$") {
		w.pos++
		return w.call(d, datum{list: true, items: []datum{w.literal(t)}}), true
	}
	if t.kind != tokOp {
		return d, false
	}
	switch t.text {
	case "(":
		if t.space && (w.tongue == ruby || w.tongue == awk) && d.name == "" {
			return d, false
		}
		return w.call(d, w.arguments()), true
	case among(t.text, ". -> :: ?. : &."):
		return w.memberAfter(d, t)
	case "[":
		if t.space && w.tongue != script && w.tongue != python {
			return d, false
		}
		return w.index(d, w.group("[")), true
	case "{":
		if w.tongue == perl && !t.space && w.at(-1).kind == tokName && strings.HasPrefix(w.at(-1).text, "$") {
			return w.index(d, w.perlKey()), true
		}
	}
	return d, false
}

// arguments are a call's arguments in parentheses, always as a list.
func (w *coder) arguments() datum {
	end := w.match[w.pos]
	w.pos++
	d := w.elements(end, "")
	if w.pos < len(w.toks) {
		w.pos++
	}
	return d
}

// perlKey is the key of $ENV{HOME}, where a bare word is a text.
func (w *coder) perlKey() datum {
	end := w.match[w.pos]
	if end == w.pos+2 && w.at(1).kind == tokName && !strings.HasPrefix(w.at(1).text, "$") {
		d := text(w.at(1).text)
		w.pos = min(end+1, len(w.toks))
		return datum{list: true, items: []datum{d}}
	}
	return w.arguments()
}

// memberAfter follows .name when the operator is one of members here.
func (w *coder) memberAfter(d datum, op token) (datum, bool) {
	next := w.at(1)
	switch {
	case op.text == "." && (w.tongue == perl || w.tongue == php):
		return d, false
	case op.text == ":" && (w.tongue != lua || next.kind != tokName):
		return d, false
	case op.text == "?." && next.is("("):
		w.pos++
		return d, true
	case (op.text == "->" || op.text == "?.") && (next.is("[") || next.is("{")):
		w.pos++
		return w.index(d, w.arguments()), true
	case op.text == "." && d.known && w.tongue == julia:
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
func (w *coder) member(d datum, name string) datum {
	if d.method != "" {
		d = w.method(*d.self, d.method, datum{list: true})
	}
	if d.name == "" || d.class != plain || d.known {
		self := d
		return datum{self: &self, method: name, taint: d.taint}
	}
	if len(d.name) > maxNameLength {
		return datum{taint: d.taint}
	}
	full := d.name + "." + name
	if v, ok := w.vars[full]; ok {
		return v
	}
	if isEnvironment(d.name) && strings.ToUpper(name) == name {
		return w.environment(name)
	}
	return datum{name: full, taint: d.taint}
}

// index is an element: of a list, a dictionary, the environment, or a module by its name.
func (w *coder) index(d, by datum) datum {
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
	return datum{taint: d.tainted() | key.taint}
}

func isEnvironment(name string) bool {
	return name == among(name, "os.environ process.env ENV $ENV $_ENV $_SERVER Deno.env Bun.env %ENV System.env ENVIRON environ "+
		"os.environb")
}

// environment is a variable of the environment, as far as the shell's are known.
func (w *coder) environment(name string) datum {
	if name == "HOME" || name == "USERPROFILE" {
		return text(w.a.env.Home)
	}
	if name == "PWD" {
		return datum{text: w.c.sc.cwd, known: !w.c.sc.cwdUnknown}
	}
	if v, ok := w.c.sc.vars[name]; ok && len(v.values) == 1 {
		return datum{text: v.values[0].text, known: !v.values[0].partial, taint: v.values[0].taint}
	}
	d := datum{text: "$" + name}
	if isGuardVariable(name) || runsCode(name) {
		d.name = "os.environ." + name // so that an assignment to it is seen
	}
	return d
}

// settle finishes an operand: a method without parentheses is called where a language does so, and so is a function
// of which the arguments stand without them.
func (w *coder) settle(d datum, start int) datum {
	if d.method != "" {
		if args, ok := w.bareArguments(); ok {
			return w.method(*d.self, d.method, args)
		}
		return w.method(*d.self, d.method, datum{list: true})
	}
	if d.name == "" || d.class != plain || d.known || d.list {
		return d
	}
	if isEnvironment(d.name) {
		return datum{name: d.name, taint: d.taint | fromEnviron}
	}
	if args, ok := w.bareArguments(); ok {
		return w.call(d, args)
	}
	if (w.tongue == ruby || w.tongue == perl || w.tongue == script || w.tongue == python) && w.pos == start+1 || strings.Contains(d.name, ".") {
		return w.property(d)
	}
	return d
}

// property is a name that stands without a call but means something: a stream, a module's constant, Ruby's fork.
func (w *coder) property(d datum) datum {
	switch d.name {
	case among(d.name, "sys.stdin process.stdin Deno.stdin $stdin STDIN.read $stdin.read gets ARGF.read io.stdin "+
		"sys.stdin.buffer $<.read"):
		return w.stdin()
	case "fork", "Process.fork":
		w.seen.forks = w.seen.forks || w.tongue == ruby || w.tongue == perl
	case "wait", "Process.wait":
		w.seen.waits = true
	case "Dir.pwd":
		return datum{text: w.c.sc.cwd, known: !w.c.sc.cwdUnknown}
	case "Dir.home":
		return text(w.a.env.Home)
	case "Dir.tmpdir":
		return text("/tmp")
	case "$_":
		return datum{text: "$_", taint: w.implicit()}
	}
	return d
}

// implicit is where Perl's and Ruby's $_ comes from.
func (w *coder) implicit() taint {
	if w.seen.connected {
		return fromSocket
	}
	return w.c.in.taint
}
