package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// statement() reads and analyzes one statement and returns the output of this statement.
func (r *reader) statement() objects {
	t := r.p.trace
	t.Commands++
	if t.Commands > trace.MaxCommands {
		t.Overflow("has more than 10,000 commands")
		return unknownObject()
	}
	r.skipSpaces()
	if c := r.peek(0); (c == '$' || c == '[') && r.assignment() {
		return objects{}
	}
	if word := r.keyword(); word != "" {
		return r.runKeyword(word)
	}
	data := r.stage(r.p.in)
	for !t.Full {
		r.skipSpaces()
		if r.peek(0) != '|' || r.peek(1) == '|' {
			break
		}
		r.i++
		r.skipLines()
		data = r.stage(data)
	}
	if r.peek(0) == '&' && r.peek(1) != '&' && !r.atEnd() {
		r.i++
	}
	return data
}

// stage() reads one stage of a pipeline: a command or an expression.
func (r *reader) stage(in objects) objects {
	outer := r.p
	inner := *outer
	inner.in = in
	r.p = &inner
	defer func() { r.p = outer }()
	start := r.i
	c := r.peek(0)
	switch {
	case c == '&' && r.peek(1) != '&' || c == '.' && strings.IndexByte(" \t{$('\"", r.peek(1)) >= 0 && r.peek(1) != 0:
		r.i++
		r.skipSpaces()
		return r.invocation(start, in, c == '.')
	case c != 0 && strings.IndexByte("$([\"'@{!+,", c) >= 0, c == '-', c >= '0' && c <= '9' && !isAlpha(r.peek(1)):
		data := r.expression()
		if data.isCode {
			r.p.trace.Commands++
		}
		return r.output(start, nil, data.objects)
	case r.atEnd() || strings.IndexByte("|;)}\n", c) >= 0:
		return objects{}
	}
	return r.invocation(start, in, false)
}

type call struct {
	p     *interpreter
	name  string // in lower case, with aliases resolved
	head  argument
	args  []argument
	in    objects
	span  effect.Span
	run   int
	inner *trace.Command
}

// invocation() reads and analyzes a command with its arguments. If the parameter "dotSourced" is set, the command
// follows a dot.
func (r *reader) invocation(start int, in objects, dotSourced bool) objects {
	head := r.element(false)
	c := &call{p: r.p, head: head, in: in}
	targets := r.arguments(c)
	c.span = r.span(start)
	if len(c.args) > maxItems {
		r.p.trace.Overflow("has more than 4,096 arguments")
		return unknownObject()
	}
	return r.output(start, targets, c.invoke(dotSourced))
}

// arguments() reads the arguments of a command and returns the targets of its redirections.
func (r *reader) arguments(c *call) []trace.Value {
	var targets []trace.Value
	for !r.p.trace.Full {
		r.skipSpaces()
		if r.atEnd() || strings.IndexByte("\n\r;|)}&", r.s[r.i]) >= 0 {
			return targets
		}
		if target, ok := r.redirection(); ok {
			targets = append(targets, target...)
			continue
		}
		start := r.i
		arg := r.argument(false)
		if r.i == start {
			r.i++
			continue
		}
		if name, ok := splatVariable(r.s[start:r.i]); ok {
			c.args = append(c.args, r.p.splatArguments(name)...)
			continue
		}
		c.args = append(c.args, arg)
		if len(c.args) > maxItems {
			return targets
		}
	}
	return targets
}

// redirection() reads a redirection such as >file or 2>&1, and returns the file to which it writes.
func (r *reader) redirection() ([]trace.Value, bool) {
	n := 0
	if c := r.peek(0); (c >= '0' && c <= '9' || c == '*') && r.peek(1) == '>' {
		n = 1
	}
	switch {
	case r.peek(n) == '<':
		r.i += n + 1
		return nil, true
	case r.peek(n) != '>':
		return nil, false
	}
	r.i += n + 1
	if r.peek(0) == '>' {
		r.i++
		r.appends = true
	}
	if r.peek(0) == '&' {
		r.i += 2
		r.i = min(r.i, len(r.s))
		return nil, true
	}
	r.skipSpaces()
	if r.atEnd() {
		return nil, true
	}
	return r.element(false).values, true
}

// output() adds writes of the files to which the output of a stage is redirected. It returns the output that goes to
// the pipe.
func (r *reader) output(start int, targets []trace.Value, data objects) objects {
	r.skipSpaces()
	for !r.p.trace.Full {
		more, ok := r.redirection()
		if !ok {
			break
		}
		targets = append(targets, more...)
		r.skipSpaces()
	}
	for _, v := range targets {
		if strings.HasPrefix(v.Text, "$null") || v.Text == "" && !v.Partial || strings.EqualFold(v.Text, "nul") {
			continue
		}
		r.p.save(v, r.span(start), data, r.appends)
	}
	r.appends = false
	if len(targets) > 0 {
		return objects{}
	}
	return data
}

// splatVariable returns the name in an argument of the form @name. The elements of this variable are passed as
// arguments.
func splatVariable(text string) (string, bool) {
	if len(text) > 1 && text[0] == '@' && (isAlpha(text[1]) || text[1] == '_') {
		return strings.ToLower(text[1:]), true
	}
	return "", false
}

// splatArguments returns the arguments that @name stands for. The variable usually holds a hash table.
func (p *interpreter) splatArguments(name string) []argument {
	table, ok := p.state.tables[name]
	if !ok {
		return []argument{{objects: p.variable(name)}}
	}
	var args []argument
	r := &reader{p: p, s: table.text, offset: table.offset}
	for !p.trace.Full && len(args) < 128 {
		r.skipSeparators()
		if r.atEnd() {
			break
		}
		start := r.i
		key := r.name("")
		if key == "" {
			key = r.element(false).single("").Text
		}
		r.skipSpaces()
		if r.peek(0) == '=' {
			r.i++
			r.skipSpaces()
			if isSwitch(strings.ToLower(key)) {
				key += ":"
			}
			args = append(args, argument{objects: textObject("-" + key)}, r.expression())
		}
		if r.i == start {
			r.i++
		}
	}
	return args
}
