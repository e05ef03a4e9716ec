package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// shellHandler knows the shells and what makes a shell run text.
func shellHandler(name string) handler {
	if isShell(name) {
		return shell
	}
	switch name {
	case "eval":
		return eval
	case "source", ".":
		return source
	case "trap":
		return trap
	case "at", "batch":
		return at
	}
	return nil
}

func isShell(name string) bool {
	return name == among(name, "sh bash zsh dash ksh mksh ash fish rbash csh tcsh yash elvish nu xonsh")
}

// shell runs the text of -c, a script file, or its input.
func shell(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "o O rcfile init-file")
	if i, ok := commandFlag(c.args()); ok {
		if i+1 >= len(c.args()) {
			return nothing()
		}
		outer := c.sc
		inner := outer.sub()
		inner.args = append([]value{}, c.args()[min(i+3, len(c.args())):]...)
		c.sc = inner
		defer func() { c.sc = outer }()
		return a.runText(c, c.args()[i+1])
	}
	if o.has("version help") {
		return nothing()
	}
	if len(o.operands) > 0 && !o.has("s") && o.word(0) != "-" && o.word(0) != "/dev/stdin" {
		return a.runFile(c, o.operands[0], o.operands[1:])
	}
	if c.in.taint.has(fromSocket) {
		a.mark(c, "connects a shell to the network", effect.ReverseShell)
	}
	if a.privileged > 0 && c.in.known && c.in.text == "" {
		a.mark(c, "opens a root shell", effect.PrivilegeGain)
	}
	out := a.runStream(c, c.in)
	out.taint |= fromShell
	return out
}

// commandFlag finds -c, also in clusters such as -lc; shell options with values are stepped over.
func commandFlag(args []value) (int, bool) {
	for i := 0; i < len(args); i++ {
		text := args[i].text
		if text == "-o" || text == "-O" || text == "+o" || text == "+O" || text == "--rcfile" || text == "--init-file" {
			i++
			continue
		}
		if !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") || text == "-" || text == "--" {
			return 0, false
		}
		if text == "--command" || !strings.HasPrefix(text, "--") && strings.Contains(text, "c") {
			return i, true
		}
	}
	return 0, false
}

// runText analyses a text that a shell is given to run.
func (a *analyzer) runText(c *command, v value) flow {
	if v.partial {
		a.runUnknown(c, v.taint, "runs "+shorten(v.text)+", of which not all is known")
		if knownPrefix(v.text) || strings.ContainsAny(v.text, " ;") {
			return a.inside(c.span, func() flow { return a.script(v.text, c.sc.sub(), c.in) })
		}
		return flow{taint: v.taint | fromProgram}
	}
	return a.inside(c.span, func() flow { return a.script(v.text, c.sc.sub(), c.in) })
}

// runUnknown notes that code runs which cannot be seen, by where it comes from.
func (a *analyzer) runUnknown(c *command, t taint, reason string) {
	switch {
	case t.has(fromSocket):
		a.opaque(c.span, "runs what comes in over a connection", effect.ReverseShell)
	case t.has(fromNetwork):
		a.opaque(c.span, "runs a download that nobody has looked at", effect.PipeToShell)
	case t.has(decoded):
		a.opaque(c.span, "decodes text and runs it", effect.HiddenExecution)
	case t.has(fromProgram | fromSecret | fromEnviron):
		a.opaque(c.span, reason, effect.OpaqueExecution)
	default:
		a.opaque(c.span, reason)
	}
}

// runStream analyses what an interpreter reads from its input.
func (a *analyzer) runStream(c *command, in flow) flow {
	switch {
	case in.known && strings.TrimSpace(in.text) == "":
		return flow{taint: fromShell}
	case in.known:
		if in.taint.has(decoded) {
			a.opaque(c.span, "decodes text and runs it", effect.HiddenExecution)
		}
		return a.inside(c.span, func() flow { return a.script(in.text, c.sc.sub(), nothing()) })
	case in.from() != "" && !in.taint.has(fromNetwork|decoded|fromSocket|fromProgram):
		if a.inputScript(c, in.from(), func(_ *command, text string) { a.runText(c, value{text: text}) }) {
			break
		}
		a.opaque(c.span, "runs the content of "+in.from()+", which is not looked into")
	default:
		a.runUnknown(c, in.taint|fromProgram, "runs what another program prints")
	}
	return flow{taint: in.taint | fromShell}
}

// runFile notes that a script file is run; if the call itself wrote it, its text is analysed.
func (a *analyzer) runFile(c *command, v value, args []value) flow {
	if v.pipe != nil {
		return a.runStream(c, *v.pipe)
	}
	p := a.place(v, c.sc)
	if f, ok := a.content[p.name]; ok {
		sc := c.sc
		c.sc = sc.sub()
		c.sc.args = append([]value{}, args...)
		a.runContent(c, f)
		c.sc = sc
		return unknown()
	}
	if isSocket(v.text) {
		a.opaque(c.span, "runs what comes in over a connection", effect.ReverseShell)
		return unknown()
	}
	if isTestProgram(p.name) {
		a.mark(c, "", effect.TestRun)
	}
	if a.shellScript(c, &p, v.text, args) {
		return unknown()
	}
	a.opaque(c.span, "runs the script "+p.name+", which is not looked into")
	return unknown()
}

// runContent runs a file of which the call itself made the content.
func (a *analyzer) runContent(c *command, f flow) {
	if f.known {
		a.inside(c.span, func() flow { return a.script(f.text, c.sc.sub(), nothing()) })
		return
	}
	a.runUnknown(c, f.taint, "runs "+f.from()+", which the same command has written")
}
