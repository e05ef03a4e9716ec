package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// builtinHandler knows the shell's own commands that change its state or print what is known.
func builtinHandler(name string) handler {
	switch name {
	case "cd", "pushd", "popd", "chdir":
		return changeDir
	case "echo":
		return echo
	case "printf":
		return settingNames(printf)
	case "alias":
		return aliasBuiltin
	case "unset":
		return unsetBuiltin
	case among(name, "export declare typeset local readonly"):
		return exportBuiltin
	case "set", "shift":
		return positional
	case "hash":
		return hashBuiltin
	case "read", "readarray", "mapfile":
		return settingNames(readBuiltin)
	case "pwd":
		return func(_ *analyzer, c *command) flow { return flow{text: c.sc.cwd, known: !c.sc.cwdUnknown} }
	case "which", "type", "whence", "where":
		return func(_ *analyzer, c *command) flow { return whichOutput(c.args()) }
	case "mktemp":
		return func(*analyzer, *command) flow { return flow{text: "/tmp/tmp.mktemp", known: true} }
	case among(name, "true false : test [ return exit break continue wait shopt umask let jobs bg fg dirs times sleep "+
		"unalias ulimit"):
		return func(*analyzer, *command) flow { return nothing() }
	case "getopts":
		return getoptsBuiltin
	case "dirname", "basename", "realpath", "readlink":
		return pathText
	case "yes":
		return func(*analyzer, *command) flow { return flow{taint: endless} }
	}
	return nil
}

// whichOutput is the path of a program by its name.
func whichOutput(args []value) flow {
	for _, v := range args {
		if !strings.HasPrefix(v.text, "-") {
			return flow{text: "/usr/local/bin/" + v.text, known: !v.partial}
		}
	}
	return nothing()
}

// changeDir follows cd where it is known where it goes.
func changeDir(a *analyzer, c *command) flow {
	sc := c.sc
	dir := value{text: a.env.Home}
	for _, v := range c.args() {
		if v.text == "-" || !strings.HasPrefix(v.text, "-") {
			dir = v
			break
		}
	}
	if dir.partial || dir.text == "-" || c.name == "popd" || dir.glob {
		sc.cwdUnknown = !a.atRoot(c, dir)
		return nothing()
	}
	p := a.place(dir, sc)
	if p.zone != unresolved {
		sc.cwd, sc.cwdUnknown = p.abs, false
	}
	return nothing()
}

// atRoot recognises cd "$(git rev-parse --show-toplevel)", which goes to the project.
func (a *analyzer) atRoot(c *command, dir value) bool {
	if dir.text != "$(…)" || c.run == 0 {
		return false
	}
	if before := a.effects[c.run-1]; before.Kind == effect.Run && strings.HasSuffix(before.Command, "rev-parse --show-toplevel") {
		c.sc.cwd = a.env.Root
		return true
	}
	return false
}

func aliasBuiltin(_ *analyzer, c *command) flow {
	for _, v := range c.args() {
		if name, text, ok := strings.Cut(v.text, "="); ok {
			c.sc.own()
			c.sc.aliases[name] = text
		}
	}
	return nothing()
}

// pathText is what dirname and its kind print of a known path.
func pathText(_ *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	if len(o.operands) == 0 || o.operands[0].partial {
		return unknown()
	}
	text := strings.TrimSuffix(o.word(0), "/")
	i := strings.LastIndexByte(text, '/')
	switch {
	case c.name == "basename" && i >= 0:
		text = text[i+1:]
	case c.name == "dirname" && i > 0:
		text = text[:i]
	case c.name == "dirname" && i == 0:
		text = "/"
	case c.name == "dirname":
		text = "."
	}
	return flow{text: text, known: true}
}
