package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func (c *call) setLocation() objects {
	o := c.params()
	sc := c.p.sc
	dir := o.valueAt(0, "path literalpath").single(" ")
	if dir.Partial || dir.Glob || dir.Text == "-" || dir.Text == "+" {
		sc.CwdUnknown = true
		return objects{}
	}
	if dir.Text == "" || drive(dir) != "" {
		return objects{}
	}
	if p := c.p.trace.Place(c.p.path(dir), sc); p.Zone != trace.Unresolved {
		sc.Cwd, sc.CwdUnknown = p.Abs, false
	}
	return objects{}
}

func (c *call) popLocation() objects {
	c.p.sc.CwdUnknown = true
	return objects{}
}

// invokeExpression analyzes a text that PowerShell runs as code. The text comes from the arguments or from the pipe.
func (c *call) invokeExpression() objects {
	o := c.params()
	arg := o.valueAt(0, "command")
	data := arg.objects
	if len(data.values) == 0 {
		data = c.in
	}
	v := data.single("\n")
	suspect := v.Taint.Has(trace.FromNetwork | trace.Decoded | trace.FromSocket)
	if v.Partial && !suspect && shell.SetsUpShell(c.p.trace, c.inner) {
		c.p.trace.Unanalyzed(c.span, shell.EvaluatesSetup)
		return unknownObject()
	}
	return c.p.evaluate(v, c.span)
}

// invokeSQL analyzes Invoke-Sqlcmd, which runs SQL like the program sqlcmd.
func (c *call) invokeSQL() objects {
	argv := c.argv()
	argv[0].Text = "sqlcmd"
	return fromFlow(c.p.trace.RunInner(c.inner, argv))
}

// forEachObject analyzes the blocks once for each object from the pipe.
func (c *call) forEachObject() objects {
	var out objects
	for _, item := range c.in.oneByOne() {
		for _, arg := range c.args {
			if arg.isCode && !c.p.trace.Full {
				out.add(c.p.child(arg.block, item))
			}
		}
	}
	if c.name == "where-object" {
		return c.in
	}
	return out
}

// runBlocks analyzes a cmdlet that runs its script blocks, on this machine or on another machine.
func (c *call) runBlocks() objects {
	o := c.params()
	if _, ok := o.value("computername session vmname hostname containerid"); ok && c.name == "invoke-command" {
		c.mark("runs commands on another machine", effect.RemoteExecution)
	}
	var out objects
	for _, arg := range c.args {
		if arg.isCode {
			out.add(c.p.child(arg.block, c.in))
		}
	}
	if file, ok := o.value("filepath"); ok {
		return c.p.runFile(file.single(" "), nil, c.span)
	}
	return out
}

func (c *call) openSession() objects {
	o := c.params()
	if _, named := o.value("computername hostname"); named || len(o.operands) > 0 {
		c.mark("opens a session on another machine", effect.RemoteExecution)
	}
	return unknownFrom(0)
}

func (c *call) startProcess() objects {
	o := c.params()
	if verb, ok := o.value("verb"); ok && strings.EqualFold(verb.single("").Text, "runas") {
		c.mark("runs a program as administrator", effect.Privilege)
	}
	var args []argument
	if arg, ok := o.value("argumentlist args"); ok {
		args = append(args, arg)
	} else {
		args = o.operands[min(1, len(o.operands)):]
	}
	c.p.startProgram(o.valueAt(0, "filepath path").single(" "), args, c.span)
	return objects{}
}

// startProgram analyzes a call of another program. The arguments are a list, or one string in which blanks separate the
// arguments.
func (p *interpreter) startProgram(program trace.Value, args []argument, span effect.Span) {
	if program.Text == "" || p.trace.Depth >= trace.MaxDepth {
		return
	}
	argv := []trace.Value{program}
	for _, arg := range args {
		for _, v := range arg.values {
			if len(arg.values) == 1 && strings.Contains(v.Text, " ") {
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

// writeOutput returns the arguments of Write-Output or Write-Host. For cmdlets such as Write-Verbose, it returns
// nothing. In all other cases, it returns the input.
func (c *call) writeOutput() objects {
	o := c.params()
	var out objects
	for _, arg := range o.operands {
		out.add(arg.objects)
	}
	if arg, ok := o.value("inputobject object message"); ok {
		out.add(arg.objects)
	}
	switch c.name {
	case "write-output", "write-host":
		if len(out.values) > 0 {
			return out
		}
	case words.Among(c.name, "write-information write-verbose write-warning write-error write-debug"):
		return objects{}
	}
	return c.in
}

func (c *call) setVariable() objects {
	o := c.params()
	name := strings.ToLower(o.valueAt(0, "name").single("").Text)
	data := o.valueAt(1, "value").objects
	if len(data.values) == 0 {
		data = c.in
	}
	if name != "" {
		c.p.set(name, data)
	}
	return objects{}
}

func (c *call) setAlias() objects {
	o := c.params()
	name := strings.ToLower(o.valueAt(0, "name").single("").Text)
	target := strings.ToLower(o.valueAt(1, "value").single("").Text)
	if name != "" && target != "" {
		c.p.sc.Aliases.Set(namePrefix+name, aliasOf(target))
	}
	return objects{}
}

func (c *call) newObject() objects {
	o := c.params()
	typeName := o.valueAt(0, "typename").single("").Text
	args := o.operands[min(1, len(o.operands)):]
	if arg, ok := o.value("argumentlist"); ok {
		args = append(args, arg)
	}
	return c.p.object(typeName, args)
}
