package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// statement reads one statement, does what it says and returns what it prints.
func (r *powerReader) statement() powerData {
	t := r.p.trace
	t.Commands++
	if t.Commands > trace.MaxCommands {
		t.Overflow("has more than 10,000 commands")
		return unknownData()
	}
	r.spaces()
	if c := r.at(0); (c == '$' || c == '[') && r.assignment() {
		return powerData{}
	}
	if word := r.keyword(); word != "" {
		return r.control(word)
	}
	data := r.link(r.p.in)
	for !t.Full {
		r.spaces()
		if r.at(0) != '|' || r.at(1) == '|' {
			break
		}
		r.i++
		r.lines()
		data = r.link(data)
	}
	if r.at(0) == '&' && r.at(1) != '&' && !r.end() {
		r.i++
	}
	return data
}

// link is one link of a pipeline: a command or an expression.
func (r *powerReader) link(in powerData) powerData {
	outer := r.p
	inner := *outer
	inner.in = in
	r.p = &inner
	defer func() { r.p = outer }()
	start := r.i
	c := r.at(0)
	switch {
	case c == '&' && r.at(1) != '&' || c == '.' && strings.IndexByte(" \t{$('\"", r.at(1)) >= 0 && r.at(1) != 0:
		r.i++
		r.spaces()
		return r.invocation(start, in, c == '.')
	case c != 0 && strings.IndexByte("$([\"'@{!+,", c) >= 0, c == '-', c >= '0' && c <= '9' && !isAlpha(r.at(1)):
		data := r.expressionValue()
		if data.isCode {
			r.p.trace.Commands++
		}
		return r.output(start, nil, data.powerData)
	case r.end() || strings.IndexByte("|;)}\n", c) >= 0:
		return powerData{}
	}
	return r.invocation(start, in, false)
}

// PowerCall is a command with its arguments.
type PowerCall struct {
	P     *powerShell
	name  string // lower case, aliases replaced
	head  powerArg
	args  []powerArg
	in    powerData
	Span  effect.Span
	run   int
	inner *trace.Command
}

// invocation reads a command with its arguments and runs it.
func (r *powerReader) invocation(start int, in powerData, sourced bool) powerData {
	head := r.element(false)
	c := &PowerCall{P: r.p, head: head, in: in}
	targets := r.arguments(c)
	c.Span = r.span(start)
	if len(c.args) > maxItems {
		r.p.trace.Overflow("has more than 4,096 arguments")
		return unknownData()
	}
	return r.output(start, targets, c.invoke(sourced))
}

// arguments reads a command's arguments and returns the files that its output is redirected to.
func (r *powerReader) arguments(c *PowerCall) []trace.Value {
	var targets []trace.Value
	for !r.p.trace.Full {
		r.spaces()
		if r.end() || strings.IndexByte("\n\r;|)}&", r.s[r.i]) >= 0 {
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
		if name, ok := splatName(r.s[start:r.i]); ok {
			c.args = append(c.args, r.p.splatted(name)...)
			continue
		}
		c.args = append(c.args, arg)
		if len(c.args) > maxItems {
			return targets
		}
	}
	return targets
}

// redirection reads >file, 2>&1 and the like.
func (r *powerReader) redirection() ([]trace.Value, bool) {
	n := 0
	if c := r.at(0); (c >= '0' && c <= '9' || c == '*') && r.at(1) == '>' {
		n = 1
	}
	switch {
	case r.at(n) == '<':
		r.i += n + 1
		return nil, true
	case r.at(n) != '>':
		return nil, false
	}
	r.i += n + 1
	if r.at(0) == '>' {
		r.i++
	}
	if r.at(0) == '&' {
		r.i += 2
		r.i = min(r.i, len(r.s))
		return nil, true
	}
	r.spaces()
	if r.end() {
		return nil, true
	}
	return r.element(false).list, true
}

// output writes what a link prints to the files that it is redirected to.
func (r *powerReader) output(start int, targets []trace.Value, data powerData) powerData {
	r.spaces()
	for !r.p.trace.Full {
		more, ok := r.redirection()
		if !ok {
			break
		}
		targets = append(targets, more...)
		r.spaces()
	}
	for _, v := range targets {
		if strings.HasPrefix(v.Text, "$null") || v.Text == "" && !v.Partial || strings.EqualFold(v.Text, "nul") {
			continue
		}
		r.p.write(v, r.span(start), data)
	}
	if len(targets) > 0 {
		return powerData{}
	}
	return data
}

func splatName(text string) (string, bool) {
	if len(text) > 1 && text[0] == '@' && (isAlpha(text[1]) || text[1] == '_') {
		return strings.ToLower(text[1:]), true
	}
	return "", false
}

// splatted are the arguments that a hash table stands for.
func (p *powerShell) splatted(name string) []powerArg {
	table, ok := p.state.tables[name]
	if !ok {
		return []powerArg{{powerData: p.variable(name)}}
	}
	var args []powerArg
	r := &powerReader{p: p, s: table.text, base: table.base}
	for !p.trace.Full && len(args) < 128 {
		r.separators()
		if r.end() {
			break
		}
		start := r.i
		key := r.element(false).single("").Text
		r.spaces()
		if r.at(0) == '=' {
			r.i++
			r.spaces()
			args = append(args, powerArg{powerData: textData("-" + key)}, r.expressionValue())
		}
		if r.i == start {
			r.i++
		}
	}
	return args
}
