package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func (c *PowerCall) setLocation() powerData {
	o := c.params()
	sc := c.P.sc
	dir := o.take(0, "path literalpath").single(" ")
	if dir.Partial || dir.Glob || dir.Text == "-" || dir.Text == "+" {
		sc.CwdUnknown = true
		return powerData{}
	}
	if dir.Text == "" || drive(dir) != "" {
		return powerData{}
	}
	if p := c.P.trace.Place(c.P.path(dir), sc); p.Zone != trace.Unresolved {
		sc.Cwd, sc.CwdUnknown = p.Abs, false
	}
	return powerData{}
}

func (c *PowerCall) popLocation() powerData {
	c.P.sc.CwdUnknown = true
	return powerData{}
}

// invokeExpression runs a text, given or coming in.
func (c *PowerCall) invokeExpression() powerData {
	o := c.params()
	arg := o.take(0, "command")
	data := arg.powerData
	if len(data.list) == 0 {
		data = c.in
	}
	v := data.single("\n")
	if v.Partial && !v.Taint.Has(trace.FromNetwork|trace.Decoded|trace.FromSocket) && shell.SetsUpShell(c.P.trace, c.inner) {
		c.P.trace.Opaque(c.Span, "evaluates the set-up that a program prints for the shell")
		return unknownData()
	}
	return c.P.Evaluate(v, c.Span)
}

// eachObject runs its blocks for each of the things that come in.
func (c *PowerCall) eachObject() powerData {
	var out powerData
	for _, item := range c.in.each() {
		for _, arg := range c.args {
			if arg.isCode && !c.P.trace.Full {
				out.add(c.P.child(arg.block, item))
			}
		}
	}
	if c.name == "where-object" {
		return c.in
	}
	return out
}

// runBlocks is a command that runs the blocks it is given, here or on another machine.
func (c *PowerCall) runBlocks() powerData {
	o := c.params()
	if _, ok := o.value("computername session vmname hostname containerid"); ok && c.name == "invoke-command" {
		c.mark("runs commands on another machine", effect.RemoteExecution)
	}
	var out powerData
	for _, arg := range c.args {
		if arg.isCode {
			out.add(c.P.child(arg.block, c.in))
		}
	}
	if file, ok := o.value("filepath"); ok {
		return c.P.ScriptFile(file.single(" "), c)
	}
	return out
}

func (c *PowerCall) session() powerData {
	o := c.params()
	if _, named := o.value("computername hostname"); named || len(o.operands) > 0 {
		c.mark("opens a session on another machine", effect.RemoteExecution)
	}
	return unknownWith(0)
}

func (c *PowerCall) startProcess() powerData {
	o := c.params()
	if verb, ok := o.value("verb"); ok && strings.EqualFold(verb.single("").Text, "runas") {
		c.mark("runs a program as administrator", effect.Privilege)
	}
	var args []powerArg
	if arg, ok := o.value("argumentlist args"); ok {
		args = append(args, arg)
	} else {
		args = o.operands[min(1, len(o.operands)):]
	}
	c.P.start(o.take(0, "filepath path").single(" "), args, c.Span)
	return powerData{}
}

// start runs a program with a list of arguments, or with one text that holds them all.
func (p *powerShell) start(program trace.Value, args []powerArg, span effect.Span) {
	if program.Text == "" || p.trace.Depth >= trace.MaxDepth {
		return
	}
	argv := []trace.Value{program}
	for _, arg := range args {
		for _, v := range arg.list {
			if len(arg.list) == 1 && strings.Contains(v.Text, " ") {
				argv = append(argv, flags.WindowsWords(v)...)
				continue
			}
			argv = append(argv, v)
		}
	}
	if strings.HasPrefix(strings.ToLower(program.Text), "http") {
		return
	}
	argv[0].Text = strings.ReplaceAll(program.Text, `\`, "/")
	p.trace.Depth++
	defer func() { p.trace.Depth-- }()
	p.trace.Dispatch(argv, span, p.sc, trace.Streams{In: trace.Nothing()})
}

// passOn prints its arguments, or what comes in.
func (c *PowerCall) passOn() powerData {
	o := c.params()
	var out powerData
	for _, arg := range o.operands {
		out.add(arg.powerData)
	}
	if arg, ok := o.value("inputobject object message"); ok {
		out.add(arg.powerData)
	}
	switch c.name {
	case "write-output", "write-host":
		if len(out.list) > 0 {
			return out
		}
	case words.Among(c.name, "write-information write-verbose write-warning write-error write-debug"):
		return powerData{}
	}
	return c.in
}

func (c *PowerCall) setVariable() powerData {
	o := c.params()
	name := strings.ToLower(o.take(0, "name").single("").Text)
	data := o.take(1, "value").powerData
	if len(data.list) == 0 {
		data = c.in
	}
	if name != "" {
		c.P.set(name, data)
	}
	return powerData{}
}

func (c *PowerCall) setAlias() powerData {
	o := c.params()
	name := strings.ToLower(o.take(0, "name").single("").Text)
	target := strings.ToLower(o.take(1, "value").single("").Text)
	if name != "" && target != "" {
		c.P.sc.Own()
		c.P.sc.Aliases[powerPrefix+name] = aliasOf(target)
	}
	return powerData{}
}

func (c *PowerCall) newObject() powerData {
	o := c.params()
	typeName := o.take(0, "typename").single("").Text
	args := o.operands[min(1, len(o.operands)):]
	if arg, ok := o.value("argumentlist"); ok {
		args = append(args, arg)
	}
	return c.P.object(typeName, args)
}
