package powershell

import (
	"path"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// The method invoke analyzes a command, which may be a block, a function, a cmdlet, a script or another program. The
// parameter "dotSourced" is set if the command follows a dot, as in ". file". The command is then a script file.
func (c *call) invoke(dotSourced bool) objects {
	p := c.p
	if c.head.isCode {
		return c.runBlock(c.head.block)
	}
	head := c.head.single("")
	name := strings.ToLower(head.Text)
	if body, ok := p.state.functions[name]; ok && !p.trace.IsCalling("function "+name) {
		return c.callFunction(name, body)
	}
	name = withoutModule(name)
	if value, ok := p.sc.Aliases.Find(namePrefix + name); ok {
		name = value
	}
	c.name = fullName(name, c)
	if head.Partial || name == "" {
		return c.unknownCommand(head)
	}
	if handle := cmdletHandler(c.name); handle != nil {
		c.emit()
		return handle(c)
	}
	if strings.HasSuffix(name, ".ps1") || dotSourced {
		c.emit()
		return p.runFile(head, c.args, c.span)
	}
	if strings.Contains(c.name, "-") && cmdletVerb(c.name) {
		c.emit()
		return c.otherCmdlet()
	}
	return c.runProgram(head)
}

// withoutModule removes the module from a name such as Microsoft.PowerShell.Management\Get-Item.
func withoutModule(name string) string {
	i := strings.LastIndexByte(name, '\\')
	if i >= 0 && strings.Contains(name[i:], "-") && !strings.Contains(name[i:], ".") {
		return name[i+1:]
	}
	return name
}

func (c *call) runBlock(block fragment) objects {
	var args objects
	for _, arg := range c.args {
		args.add(arg.objects)
	}
	c.p.set("args", args)
	return c.p.child(block, c.in)
}

func (c *call) callFunction(name string, body fragment) objects {
	t := c.p.trace
	if len(t.Calling) >= trace.MaxDepth {
		t.Overflow("has functions that call each other deeper than 24 levels")
		return unknownObject()
	}
	t.Calling = append(t.Calling, "function "+name)
	defer func() { t.Calling = t.Calling[:len(t.Calling)-1] }()
	c.bind(body.text)
	return c.runBlock(body)
}

// bind() sets the parameters of a function or a script. A parameter gets the argument that the call passes by name or
// by position. If there is no such argument, the parameter gets its default value.
func (c *call) bind(body string) {
	r := &reader{p: c.p, s: body}
	for r.skipLines(); r.peek(0) == '['; r.skipLines() {
		r.bracketed()
	}
	body = body[r.i:]
	if len(body) < 6 || !strings.EqualFold(body[:5], "param") {
		return
	}
	r = &reader{p: c.p, s: body, i: 5}
	r.skipSpaces()
	if r.peek(0) != '(' {
		return
	}
	o := c.params()
	r = &reader{p: c.p, s: r.bracketed().text, noComma: true}
	c.p.trace.Spend(len(r.s))
	for position := 0; position <= 64 && !r.atEnd() && !c.p.trace.Full; {
		switch r.skipLines(); r.peek(0) {
		case '[':
			r.bracketed() // the type or an attribute of a parameter
		case '$':
			r.i++
			name := r.variableName()
			c.bindOne(r, name, o.valueAt(position, name).objects)
			position++
		default:
			r.i++
		}
	}
}

// bindOne sets one parameter to an argument. If the call has no such argument, bindOne uses the default value, which
// follows the name of the parameter.
func (c *call) bindOne(r *reader, name string, arg objects) {
	if r.skipLines(); r.peek(0) == '=' {
		r.i++
		if value := r.expression(); len(arg.values) == 0 {
			arg = value.objects
		}
	}
	if len(arg.values) > 0 {
		c.p.set(name, arg)
	}
}

func (c *call) emit() {
	argv := c.argv()
	for i := range argv {
		argv[i].Text = shortArgument(argv[i].Text)
	}
	c.inner = &trace.Command{Name: c.name, Argv: argv, Span: c.span, Scope: c.p.sc, In: c.in.flow()}
	c.p.trace.EmitRun(c.inner)
	c.run = c.inner.Run
	if c.run < len(c.p.trace.Effects) && isInertCmdlet(c.name) {
		c.p.trace.Effects[c.run].Inert = true
	}
}

// The method argv returns the arguments in the form in which another program would receive them.
func (c *call) argv() []trace.Value {
	argv := append([]trace.Value{}, c.head.single(""))
	for _, arg := range c.args {
		argv = append(argv, arg.values...)
	}
	return argv
}

// shortArgument shortens the text of a block. Otherwise, the text of a nested block would be copied at every level.
func shortArgument(s string) string {
	if len(s) > 1 && s[0] == '{' && len(s) > trace.SpanText {
		return trace.Shorten(s)
	}
	return s
}

func (c *call) mark(reason string, event effect.Event) { c.p.trace.Mark(c.inner, reason, event) }

// unknownCommand analyzes a command whose name is at least partly unknown.
func (c *call) unknownCommand(head trace.Value) objects {
	if head.Text == "" {
		return objects{}
	}
	if c.p.state.socket && head.Taint != 0 {
		head.Taint |= trace.FromSocket
	}
	argv := c.argv()
	argv[0] = head
	return fromFlow(c.p.trace.Dispatch(argv, c.span, c.p.sc, trace.Streams{In: c.in.flow()}))
}

// runProgram analyzes a call of another program with the handlers that all shells share.
func (c *call) runProgram(head trace.Value) objects {
	argv := c.argv()
	argv[0].Text = strings.ReplaceAll(head.Text, `\`, "/")
	if !strings.Contains(argv[0].Text, "/") {
		argv[0].Text = strings.TrimSuffix(argv[0].Text, ".exe")
	}
	return fromFlow(c.p.trace.Dispatch(argv, c.span, c.p.sc, trace.Streams{In: c.in.flow()}))
}

// runFile analyzes a script file that the same call wrote or that is on disk. If the script cannot be read, it adds an
// opaque effect.
func (p *interpreter) runFile(v trace.Value, args []argument, span effect.Span) objects {
	place := p.trace.Place(p.path(v), p.sc)
	if f, ok := p.trace.Content[place.Name]; ok {
		return p.evaluate(trace.Value{Text: f.Text, Quality: trace.Quality{Partial: !f.Known, Taint: f.Taint}}, span)
	}
	c := &trace.Command{Name: "pwsh", Argv: []trace.Value{v}, Span: span, Scope: p.sc, Run: len(p.trace.Effects)}
	for i := range args {
		for j := range args[i].values {
			if p.trace.Scripts.Current() == 0 {
				args[i].values[j].Taint |= trace.FromArgument // the people who reviewed the script have not seen this value
			}
		}
	}
	if !p.trace.FromDisk(c, &place, func(_ *trace.Command, text string) {
		p.set("psscriptroot", objects{values: []trace.Value{{Text: path.Dir(place.Abs)}}})
		(&call{p: p, args: args}).bind(text)
		p.text(text, span)
	}) {
		p.trace.NotAnalyzed(c, &place, trace.Other)
	}
	return unknownObject()
}

// evaluate() analyzes a text that PowerShell runs as code.
func (p *interpreter) evaluate(v trace.Value, span effect.Span) objects {
	if !v.Partial {
		if v.Taint.Has(trace.Decoded) {
			p.trace.Opaque(span, "runs decoded text", effect.HiddenExecution)
		}
		return p.text(v.Text, span)
	}
	p.runUnknown(v.Taint|trace.FromProgram, span, "evaluates "+trace.Shorten(v.Text)+", part of which is unknown")
	if trace.KnownPrefix(v.Text) && strings.ContainsAny(v.Text, " ;") {
		return p.text(v.Text, span)
	}
	return unknownFrom(v.Taint | trace.FromProgram)
}

// runUnknown adds the effect of running unknown code.
func (p *interpreter) runUnknown(t trace.Taint, span effect.Span, reason string) {
	if p.state.socket {
		t |= trace.FromSocket
	}
	p.trace.RunUnknown(&trace.Command{Span: span}, t, reason)
}
