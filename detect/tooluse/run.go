package tooluse

import "strings"

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
		a.mark(c, "connects a shell to the network", ReverseShell)
	}
	if a.privileged > 0 && c.in.known && c.in.text == "" {
		a.mark(c, "opens a root shell", PrivilegeGain)
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
		a.opaque(c.span, "runs what comes in over a connection", ReverseShell)
	case t.has(fromNetwork):
		a.opaque(c.span, "runs a download that nobody has looked at", PipeToShell)
	case t.has(decoded):
		a.opaque(c.span, "decodes text and runs it", HiddenExecution)
	case t.has(fromProgram | fromSecret | fromEnviron):
		a.opaque(c.span, reason, OpaqueExecution)
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
			a.opaque(c.span, "decodes text and runs it", HiddenExecution)
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
		a.opaque(c.span, "runs what comes in over a connection", ReverseShell)
		return unknown()
	}
	if isTestProgram(p.name) {
		a.mark(c, "", TestRun)
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

// eval runs its arguments, joined, in the shell itself.
func eval(a *analyzer, c *command) flow {
	args := c.args()
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return nothing()
	}
	v := value{text: joinArgs(args)}
	for _, arg := range args {
		v.partial = v.partial || arg.partial
		v.taint |= arg.taint
	}
	if !v.partial {
		if v.taint.has(decoded) {
			a.opaque(c.span, "decodes text and runs it", HiddenExecution)
		}
		return a.inside(c.span, func() flow { return a.script(v.text, c.sc, c.in) })
	}
	if v.taint.has(fromNetwork|decoded|fromSocket) || !a.setsUpShell(c) {
		a.runUnknown(c, v.taint|fromProgram, "evaluates "+shorten(v.text)+", of which not all is known")
	} else {
		a.opaque(c.span, "evaluates the set-up that a program prints for the shell")
	}
	return unknown()
}

// setsUpShell reports whether an eval is one of the usual ways to load a tool into the shell: eval "$(ssh-agent -s)".
// The effects of the substitution stand right before the eval's own.
func (a *analyzer) setsUpShell(c *command) bool {
	for i := len(a.effects) - 1; i >= 0 && i >= c.run-3; i-- {
		e := &a.effects[i]
		if e.Kind != Run || i == c.run {
			continue
		}
		program, rest, _ := strings.Cut(e.Command, " ")
		switch programName(program) {
		case "ssh-agent", "direnv", "pyenv", "rbenv", "nodenv", "goenv", "jenv", "brew", "starship", "zoxide", "mise", "asdf", "fnm", "conda", "mamba", "micromamba", "opam", "dircolors", "minikube", "docker-machine",
			"keychain", "thefuck", "luarocks", "register-python-argcomplete", "gpg-agent", "resize", "atuin", "mcfly", "rtx", "volta", "hub", "gh", "kubectl", "helm", "poetry", "uv":
			return !strings.Contains(rest, "run ")
		}
		return false
	}
	return false
}

// source runs a file in the shell itself.
func source(a *analyzer, c *command) flow {
	if len(c.argv) < 2 {
		return nothing()
	}
	v := c.argv[1]
	if content, ok := a.sourced(c, v); ok {
		return a.inside(c.span, func() flow { return a.script(content.text, c.sc, nothing()) })
	}
	if v.pipe == nil && v.text != "/dev/stdin" && a.sourcedScript(c, v) {
		return unknown()
	}
	// Entering a virtual environment changes what is found, and no variable of the script.
	if !strings.HasSuffix(v.text, "bin/activate") {
		defer c.sc.forgetAll()
	}
	if v.pipe != nil {
		if a.setsUpShell(c) && !v.taint.has(fromNetwork|decoded|fromSocket) {
			a.opaque(c.span, "loads the set-up that a program prints for the shell")
			return unknown()
		}
		return a.runStream(c, *v.pipe)
	}
	if v.text == "/dev/stdin" {
		return a.runStream(c, c.in)
	}
	return a.runFile(c, v, c.argv[2:])
}

// sourced is the text of a sourced file when it is known and nothing hides it.
func (a *analyzer) sourced(c *command, v value) (flow, bool) {
	content, ok := a.content[a.place(v, c.sc).name]
	switch {
	case v.pipe != nil:
		content, ok = *v.pipe, true
	case v.text == "/dev/stdin":
		content, ok = c.in, true
	}
	return content, ok && content.known && !content.taint.has(decoded)
}

// trap runs its first argument later.
func trap(a *analyzer, c *command) flow {
	args := c.args()
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) > 1 && !strings.HasPrefix(args[0].text, "-") && args[0].text != "" {
		a.runText(c, args[0])
	}
	return nothing()
}

// at schedules what it reads.
func at(a *analyzer, c *command) flow {
	a.mark(c, "schedules commands for later", StartupChange)
	if c.in.known {
		a.runStream(c, c.in)
	}
	return nothing()
}
