package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

func (c *powerCall) setLocation() powerData {
	o := c.params()
	sc := c.p.sc
	dir := o.take(0, "path literalpath").single(" ")
	if dir.partial || dir.glob || dir.text == "-" || dir.text == "+" {
		sc.cwdUnknown = true
		return powerData{}
	}
	if dir.text == "" || drive(dir) != "" {
		return powerData{}
	}
	if p := c.p.a.place(c.p.path(dir), sc); p.zone != unresolved {
		sc.cwd, sc.cwdUnknown = p.abs, false
	}
	return powerData{}
}

func (c *powerCall) popLocation() powerData {
	c.p.sc.cwdUnknown = true
	return powerData{}
}

// invokeExpression runs a text, given or coming in.
func (c *powerCall) invokeExpression() powerData {
	o := c.params()
	arg := o.take(0, "command")
	data := arg.powerData
	if len(data.list) == 0 {
		data = c.in
	}
	v := data.single("\n")
	if v.partial && !v.taint.has(fromNetwork|decoded|fromSocket) && c.p.a.setsUpShell(c.inner) {
		c.p.a.opaque(c.span, "evaluates the set-up that a program prints for the shell")
		return unknownData()
	}
	return c.p.evaluate(v, c.span)
}

// eachObject runs its blocks for each of the things that come in.
func (c *powerCall) eachObject() powerData {
	var out powerData
	for _, item := range c.in.each() {
		for _, arg := range c.args {
			if arg.isCode && !c.p.a.full {
				out.add(c.p.child(arg.block, item))
			}
		}
	}
	if c.name == "where-object" {
		return c.in
	}
	return out
}

// runBlocks is a command that runs the blocks it is given, here or on another machine.
func (c *powerCall) runBlocks() powerData {
	o := c.params()
	if _, ok := o.value("computername session vmname hostname containerid"); ok && c.name == "invoke-command" {
		c.mark("runs commands on another machine", effect.RemoteExecution)
	}
	var out powerData
	for _, arg := range c.args {
		if arg.isCode {
			out.add(c.p.child(arg.block, c.in))
		}
	}
	if file, ok := o.value("filepath"); ok {
		return c.p.scriptFile(file.single(" "), c)
	}
	return out
}

func (c *powerCall) session() powerData {
	o := c.params()
	if _, named := o.value("computername hostname"); named || len(o.operands) > 0 {
		c.mark("opens a session on another machine", effect.RemoteExecution)
	}
	return unknownWith(0)
}

func (c *powerCall) startProcess() powerData {
	o := c.params()
	if verb, ok := o.value("verb"); ok && strings.EqualFold(verb.single("").text, "runas") {
		c.mark("runs a program as administrator", effect.Privilege)
	}
	var args []powerArg
	if arg, ok := o.value("argumentlist args"); ok {
		args = append(args, arg)
	} else {
		args = o.operands[min(1, len(o.operands)):]
	}
	c.p.start(o.take(0, "filepath path").single(" "), args, c.span)
	return powerData{}
}

// start runs a program with a list of arguments, or with one text that holds them all.
func (p *powerShell) start(program value, args []powerArg, span effect.Span) {
	if program.text == "" || p.a.depth >= MaxDepth {
		return
	}
	argv := []value{program}
	for _, arg := range args {
		for _, v := range arg.list {
			if len(arg.list) == 1 && strings.Contains(v.text, " ") {
				argv = append(argv, windowsWords(v)...)
				continue
			}
			argv = append(argv, v)
		}
	}
	if strings.HasPrefix(strings.ToLower(program.text), "http") {
		return
	}
	argv[0].text = strings.ReplaceAll(program.text, `\`, "/")
	p.a.depth++
	defer func() { p.a.depth-- }()
	p.a.dispatch(argv, span, p.sc, streams{in: nothing()})
}

// passOn prints its arguments, or what comes in.
func (c *powerCall) passOn() powerData {
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
	case among(c.name, "write-information write-verbose write-warning write-error write-debug"):
		return powerData{}
	}
	return c.in
}

func (c *powerCall) setVariable() powerData {
	o := c.params()
	name := strings.ToLower(o.take(0, "name").single("").text)
	data := o.take(1, "value").powerData
	if len(data.list) == 0 {
		data = c.in
	}
	if name != "" {
		c.p.set(name, data)
	}
	return powerData{}
}

func (c *powerCall) setAlias() powerData {
	o := c.params()
	name := strings.ToLower(o.take(0, "name").single("").text)
	target := strings.ToLower(o.take(1, "value").single("").text)
	if name != "" && target != "" {
		c.p.sc.own()
		c.p.sc.aliases[powerPrefix+name] = aliasOf(target)
	}
	return powerData{}
}

func (c *powerCall) newObject() powerData {
	o := c.params()
	typeName := o.take(0, "typename").single("").text
	args := o.operands[min(1, len(o.operands)):]
	if arg, ok := o.value("argumentlist"); ok {
		args = append(args, arg)
	}
	return c.p.object(typeName, args)
}
