package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// handler knows one program: it adds the effects of a call beyond its running and returns what it prints.
type handler func(a *analyzer, c *command) flow

// wired are the rooms of the analysis.
var wired = rooms{find: handlerOf, dispatch: dispatch, shell: follow}

func newTrace(env *Env, tool string) *analyzer { return newAnalyzer(&wired, env, tool) }

// handlerOf finds the handler of a program, or nil. Each group is a switch, so that a hook's start pays nothing for
// tables.
func handlerOf(name string) handler {
	for _, group := range [...]func(string) handler{
		builtinHandler, guardHandler, startupHandler, wrapperHandler, shellHandler, fileHandler, systemHandler, filterHandler, gitHandler,
		languageHandler, networkHandler, diskHandler, packageHandler, infraHandler, databaseHandler, windowsHandler,
	} {
		if h := group(name); h != nil {
			return h
		}
	}
	return nil
}

// plainProgram is a program that nothing special is known of: it may read what it is given, and prints something.
func (a *analyzer) plainProgram(c *command) flow {
	if f, ok := a.content[a.place(c.argv[0], c.sc).name]; ok && strings.Contains(c.argv[0].text, "/") {
		a.runContent(c, f)
		return unknown()
	}
	if isTestProgram(c.name) {
		a.mark(c, "", effect.TestRun)
	}
	if c.name == "set" || c.name == "setenv" || c.name == "dbus-update-activation-environment" {
		a.setsVariables(c, c.args())
	}
	a.guardArguments(c)
	a.soundsOwn(c)
	a.outputs(c)
	t := c.in.taint
	for _, v := range c.args() {
		t |= v.taint | a.secretOperand(c, v)
	}
	return flow{taint: t | fromProgram}
}

// secretOperand notes an argument that names a file with secrets as read: an unknown program would have no other use
// for it.
func (a *analyzer) secretOperand(c *command, v value) taint {
	text := v.text
	if i := strings.IndexByte(text, '='); i >= 0 && strings.HasPrefix(text, "-") {
		text = text[i+1:]
	}
	text = strings.TrimPrefix(text, "@")
	if strings.HasPrefix(text, "-") || strings.ContainsAny(text, " \n") || !isSecret(text) {
		return 0
	}
	v.text = text
	a.read(v, c.sc, c.span)
	return fromSecret
}

// unknownProgram is a command word that is not known, such as "$cmd". With the arguments of rm it is taken for rm.
func (a *analyzer) unknownProgram(c *command) flow {
	reason := "runs " + c.argv[0].text + ", and it is not known what that is"
	switch {
	case c.argv[0].taint.has(fromNetwork):
		a.opaque(c.span, "runs what it downloads", effect.PipeToShell)
	case c.argv[0].taint.has(decoded):
		a.opaque(c.span, "runs what it decodes", effect.HiddenExecution)
	case c.argv[0].taint.has(fromProgram | fromFile):
		a.opaque(c.span, reason, effect.OpaqueExecution)
	default:
		a.opaque(c.span, reason)
	}
	a.soundsOwn(c)
	if c.argv[0].text == "$0" {
		a.mark(c, "starts itself again", effect.ResourceExhaust)
	}
	o := parseOptions(c.args(), "")
	if o.has("r R recursive") && o.has("f force") {
		for _, v := range o.operands {
			a.remove(v, c.sc, c.span, removal{tree: true, how: "would, as rm, delete"})
		}
	}
	// sudo "$cmd" and "$cmd" rm -rf x alike: what follows may be the command.
	if len(o.operands) > 0 && handlerOf(o.operands[0].text) != nil && c.argv[1].text == o.operands[0].text {
		a.again(c, c.argv[1:])
	}
	return unknown()
}

// again dispatches what follows a wrapper as a command of its own.
func (a *analyzer) again(c *command, argv []value) flow {
	if len(argv) == 0 {
		return c.in
	}
	if a.depth >= MaxDepth {
		a.overflow("has wrappers inside wrappers deeper than 24 levels")
		return unknown()
	}
	a.depth++
	defer func() { a.depth-- }()
	return a.dispatch(argv, c.span, c.sc, streams{in: c.in, socket: c.socket})
}
