package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// invoke runs a command: a block, a function, a cmdlet, a script or another program.
func (c *PowerCall) invoke(sourced bool) powerData {
	p := c.P
	if c.head.isCode {
		return c.runBlock(c.head.block)
	}
	head := c.head.single("")
	name := strings.ToLower(head.Text)
	if body, ok := p.state.functions[name]; ok && !p.trace.IsCalling("function "+name) {
		return c.callFunction(name, body)
	}
	if i := strings.LastIndexByte(name, '\\'); i >= 0 && strings.Contains(name[i:], "-") && !strings.Contains(name[i:], ".") {
		name = name[i+1:]
	}
	if value, ok := p.sc.Aliases[powerPrefix+name]; ok {
		name = value
	}
	c.name = powerAlias(name, c)
	if head.Partial || name == "" {
		return c.unknownCommand(head)
	}
	if handle := powerCmdlet(c.name); handle != nil {
		c.emit()
		return handle(c)
	}
	if strings.HasSuffix(name, ".ps1") || sourced {
		c.emit()
		return p.ScriptFile(head, c)
	}
	if strings.Contains(c.name, "-") && cmdletVerb(c.name) {
		c.emit()
		return c.otherCmdlet()
	}
	return c.native(head)
}

func (c *PowerCall) runBlock(block powerBlock) powerData {
	var args powerData
	for _, arg := range c.args {
		args.add(arg.powerData)
	}
	c.P.sc.Own()
	c.P.set("args", args)
	return c.P.child(block, c.in)
}

func (c *PowerCall) callFunction(name string, body powerBlock) powerData {
	t := c.P.trace
	if len(t.Calling) >= trace.MaxDepth {
		t.Overflow("has functions that call one another deeper than 24 levels")
		return unknownData()
	}
	t.Calling = append(t.Calling, "function "+name)
	defer func() { t.Calling = t.Calling[:len(t.Calling)-1] }()
	c.bind(body.text)
	return c.runBlock(body)
}

// bind gives a function's parameters the values of the call's arguments, by name or by position.
func (c *PowerCall) bind(body string) {
	r := &powerReader{p: c.P, s: body}
	for r.lines(); r.at(0) == '['; r.lines() {
		r.bracketed()
	}
	body = body[r.i:]
	if len(body) < 6 || !strings.EqualFold(body[:5], "param") {
		return
	}
	r = &powerReader{p: c.P, s: body, i: 5}
	r.spaces()
	if r.at(0) != '(' {
		return
	}
	o := c.params()
	list := r.bracketed().text
	for position, part := range strings.Split(list, ",") {
		_, name, ok := strings.Cut(part, "$")
		if !ok || position > 64 {
			continue
		}
		inner := &powerReader{p: c.P, s: name}
		name = inner.variableName()
		if arg := o.take(position, name); len(arg.list) > 0 {
			c.P.set(name, arg.powerData)
		}
	}
}

// emit adds the effect of the command's running.
func (c *PowerCall) emit() {
	argv := c.argv()
	for i := range argv {
		argv[i].Text = shortArgument(argv[i].Text)
	}
	c.inner = &trace.Command{Name: c.name, Argv: argv, Span: c.Span, Scope: c.P.sc, In: c.in.Flow()}
	c.P.trace.EmitRun(c.inner)
	c.run = c.inner.Run
	if c.run < len(c.P.trace.Effects) && isInertCmdlet(c.name) {
		c.P.trace.Effects[c.run].Inert = true
	}
}

// argv are the arguments as another program gets them.
func (c *PowerCall) argv() []trace.Value {
	argv := append([]trace.Value{}, c.head.single(""))
	for _, arg := range c.args {
		argv = append(argv, arg.list...)
	}
	return argv
}

// shortArgument keeps a block's text from being copied at every level of nesting.
func shortArgument(s string) string {
	if len(s) > 1 && s[0] == '{' && len(s) > trace.SpanText {
		return trace.Shorten(s)
	}
	return s
}

func (c *PowerCall) mark(reason string, events ...effect.Event) {
	c.P.trace.Mark(c.inner, reason, events...)
}

// unknownCommand is a command word that is not known.
func (c *PowerCall) unknownCommand(head trace.Value) powerData {
	if head.Text == "" {
		return powerData{}
	}
	if c.P.state.socket && head.Taint != 0 {
		head.Taint |= trace.FromSocket
	}
	argv := c.argv()
	argv[0] = head
	return fromFlow(c.P.trace.Dispatch(argv, c.Span, c.P.sc, trace.Streams{In: c.in.Flow()}))
}

// native hands another program to the handlers that all shells share.
func (c *PowerCall) native(head trace.Value) powerData {
	argv := c.argv()
	argv[0].Text = strings.ReplaceAll(head.Text, `\`, "/")
	if !strings.Contains(argv[0].Text, "/") {
		argv[0].Text = strings.TrimSuffix(argv[0].Text, ".exe")
	}
	return fromFlow(c.P.trace.Dispatch(argv, c.Span, c.P.sc, trace.Streams{In: c.in.Flow()}))
}

// ScriptFile runs a script: what the call itself wrote is analysed.
func (p *powerShell) ScriptFile(v trace.Value, c *PowerCall) powerData {
	place := p.trace.Place(p.path(v), p.sc)
	if f, ok := p.trace.Content[place.Name]; ok {
		return p.Evaluate(trace.Value{Text: f.Text, Quality: trace.Quality{Partial: !f.Known, Taint: f.Taint}}, c.Span)
	}
	p.trace.Opaque(c.Span, "runs the script "+place.Name+", which is not looked into")
	return unknownData()
}

// Evaluate runs a text as PowerShell.
func (p *powerShell) Evaluate(v trace.Value, span effect.Span) powerData {
	if !v.Partial {
		if v.Taint.Has(trace.Decoded) {
			p.trace.Opaque(span, "decodes text and runs it", effect.HiddenExecution)
		}
		return p.text(v.Text, span)
	}
	p.runUnknown(v.Taint|trace.FromProgram, span, "evaluates "+trace.Shorten(v.Text)+", of which not all is known")
	if trace.KnownPrefix(v.Text) && strings.ContainsAny(v.Text, " ;") {
		return p.text(v.Text, span)
	}
	return unknownWith(v.Taint | trace.FromProgram)
}

// runUnknown notes that code runs which cannot be seen.
func (p *powerShell) runUnknown(t trace.Taint, span effect.Span, reason string) {
	if p.state.socket {
		t |= trace.FromSocket
	}
	p.trace.RunUnknown(&trace.Command{Span: span}, t, reason)
}
