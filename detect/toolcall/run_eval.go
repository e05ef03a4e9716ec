package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

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
			a.opaque(c.span, "decodes text and runs it", effect.HiddenExecution)
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
		if e.Kind != effect.Run || i == c.run {
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
	a.mark(c, "schedules commands for later", effect.StartupChange)
	if c.in.known {
		a.runStream(c, c.in)
	}
	return nothing()
}
