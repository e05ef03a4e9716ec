package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// invoke runs a command: a block, a function, a cmdlet, a script or another program.
func (c *powerCall) invoke(sourced bool) powerData {
	p := c.p
	if c.head.isCode {
		return c.runBlock(c.head.block)
	}
	head := c.head.single("")
	name := strings.ToLower(head.text)
	if body, ok := p.state.functions[name]; ok && !p.a.isCalling("function "+name) {
		return c.callFunction(name, body)
	}
	if i := strings.LastIndexByte(name, '\\'); i >= 0 && strings.Contains(name[i:], "-") && !strings.Contains(name[i:], ".") {
		name = name[i+1:]
	}
	if value, ok := p.sc.aliases[powerPrefix+name]; ok {
		name = value
	}
	c.name = powerAlias(name, c)
	if head.partial || name == "" {
		return c.unknownCommand(head)
	}
	if handle := powerCmdlet(c.name); handle != nil {
		c.emit()
		return handle(c)
	}
	if strings.HasSuffix(name, ".ps1") || sourced {
		c.emit()
		return p.scriptFile(head, c)
	}
	if strings.Contains(c.name, "-") && cmdletVerb(c.name) {
		c.emit()
		return c.otherCmdlet()
	}
	return c.native(head)
}

func (c *powerCall) runBlock(block powerBlock) powerData {
	var args powerData
	for _, arg := range c.args {
		args.add(arg.powerData)
	}
	c.p.sc.own()
	c.p.set("args", args)
	return c.p.child(block, c.in)
}

func (c *powerCall) callFunction(name string, body powerBlock) powerData {
	a := c.p.a
	if len(a.calling) >= MaxDepth {
		a.overflow("has functions that call one another deeper than 24 levels")
		return unknownData()
	}
	a.calling = append(a.calling, "function "+name)
	defer func() { a.calling = a.calling[:len(a.calling)-1] }()
	c.bind(body.text)
	return c.runBlock(body)
}

// bind gives a function's parameters the values of the call's arguments, by name or by position.
func (c *powerCall) bind(body string) {
	r := &powerReader{p: c.p, s: body}
	for r.lines(); r.at(0) == '['; r.lines() {
		r.bracketed()
	}
	body = body[r.i:]
	if len(body) < 6 || !strings.EqualFold(body[:5], "param") {
		return
	}
	r = &powerReader{p: c.p, s: body, i: 5}
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
		inner := &powerReader{p: c.p, s: name}
		name = inner.variableName()
		if arg := o.take(position, name); len(arg.list) > 0 {
			c.p.set(name, arg.powerData)
		}
	}
}

// emit adds the effect of the command's running.
func (c *powerCall) emit() {
	argv := c.argv()
	for i := range argv {
		argv[i].text = shortArgument(argv[i].text)
	}
	c.inner = &command{name: c.name, argv: argv, span: c.span, sc: c.p.sc, in: c.in.flow()}
	c.p.a.emitRun(c.inner)
	c.run = c.inner.run
	if c.run < len(c.p.a.effects) && isInertCmdlet(c.name) {
		c.p.a.effects[c.run].Inert = true
	}
}

// argv are the arguments as another program gets them.
func (c *powerCall) argv() []value {
	argv := append([]value{}, c.head.single(""))
	for _, arg := range c.args {
		argv = append(argv, arg.list...)
	}
	return argv
}

// shortArgument keeps a block's text from being copied at every level of nesting.
func shortArgument(s string) string {
	if len(s) > 1 && s[0] == '{' && len(s) > spanText {
		return shorten(s)
	}
	return s
}

func (c *powerCall) mark(reason string, events ...effect.Event) {
	c.p.a.mark(c.inner, reason, events...)
}

// unknownCommand is a command word that is not known.
func (c *powerCall) unknownCommand(head value) powerData {
	if head.text == "" {
		return powerData{}
	}
	if c.p.state.socket && head.taint != 0 {
		head.taint |= fromSocket
	}
	argv := c.argv()
	argv[0] = head
	return fromFlow(c.p.a.dispatch(argv, c.span, c.p.sc, streams{in: c.in.flow()}))
}

// native hands another program to the handlers that all shells share.
func (c *powerCall) native(head value) powerData {
	argv := c.argv()
	argv[0].text = strings.ReplaceAll(head.text, `\`, "/")
	if !strings.Contains(argv[0].text, "/") {
		argv[0].text = strings.TrimSuffix(argv[0].text, ".exe")
	}
	return fromFlow(c.p.a.dispatch(argv, c.span, c.p.sc, streams{in: c.in.flow()}))
}

// scriptFile runs a script: what the call itself wrote is analysed.
func (p *powerShell) scriptFile(v value, c *powerCall) powerData {
	place := p.a.place(p.path(v), p.sc)
	if f, ok := p.a.content[place.name]; ok {
		return p.evaluate(value{text: f.text, quality: quality{partial: !f.known, taint: f.taint}}, c.span)
	}
	p.a.opaque(c.span, "runs the script "+place.name+", which is not looked into")
	return unknownData()
}

// evaluate runs a text as PowerShell.
func (p *powerShell) evaluate(v value, span effect.Span) powerData {
	if !v.partial {
		if v.taint.has(decoded) {
			p.a.opaque(span, "decodes text and runs it", effect.HiddenExecution)
		}
		return p.text(v.text, span)
	}
	p.runUnknown(v.taint|fromProgram, span, "evaluates "+shorten(v.text)+", of which not all is known")
	if knownPrefix(v.text) && strings.ContainsAny(v.text, " ;") {
		return p.text(v.text, span)
	}
	return unknownWith(v.taint | fromProgram)
}

// runUnknown notes that code runs which cannot be seen.
func (p *powerShell) runUnknown(t taint, span effect.Span, reason string) {
	if p.state.socket {
		t |= fromSocket
	}
	p.a.runUnknown(&command{span: span}, t, reason)
}
