package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// command is one simple command on its way to its handler.
type command struct {
	name string  // the program without its folder
	argv []value // argv[0] is the program as written
	span effect.Span
	sc   *scope
	in   flow
	// run is the index of the command's own effect.
	run int
	// socket is set when a redirection connects the command to the network.
	socket bool
}

// args are the arguments after the program's name.
func (c *command) args() []value { return c.argv[1:] }

// call analyses a simple command.
func (a *analyzer) call(c *syntax.CallExpr, sc *scope, io streams) flow {
	var argv []value
	for _, w := range c.Args {
		argv = append(argv, a.fields(w, sc)...)
		if len(argv) > 4096 {
			a.overflow("has more than 4,096 arguments")
			return unknown()
		}
	}
	if len(argv) == 0 {
		a.assignAll(c.Assigns, sc)
		return nothing()
	}
	defer a.lend(c.Assigns, sc)()
	span := a.spanOf(c.Pos(), c.End())
	return a.invoke(argv, span, sc, io)
}

// invoke runs a command of which the arguments are known: an alias, a function, or a program. What bears the name of a
// known program is judged as that program too: whether the other one still stands when the command runs is not certain.
func (a *analyzer) invoke(argv []value, span effect.Span, sc *scope, io streams) flow {
	name := argv[0].text
	text, isAlias := sc.aliases[name]
	isAlias = isAlias && !a.isCalling(name)
	body, isFunction := sc.funcs[name]
	if !isAlias && !isFunction {
		return a.dispatch(argv, span, sc, io)
	}
	if !a.countCommand() {
		return unknown()
	}
	before := sc.sub()
	var out flow
	if isAlias {
		out = a.expandAlias(name, text, argv, span, sc, io)
	} else {
		out = a.callFunction(name, body, argv, span, sc, io)
	}
	if a.find(programName(name)) != nil {
		a.dispatch(argv, span, before, io)
		sc.join(before)
		out.known = false
	}
	return out
}

// countCommand counts one more command and reports whether it is still to be looked at.
func (a *analyzer) countCommand() bool {
	a.commands++
	if a.commands > MaxCommands {
		a.overflow("has more than 10,000 commands")
	}
	return !a.full
}

// dispatch runs a program, as what stands behind a wrapper does, which knows of no alias and no function.
func dispatch(a *analyzer, argv []value, span effect.Span, sc *scope, io streams) flow {
	if len(argv) == 0 {
		return nothing()
	}
	if !a.countCommand() {
		return unknown()
	}
	c := &command{name: programName(argv[0].text), argv: argv, span: span, sc: sc, in: io.in, socket: io.socket}
	if argv[0].glob {
		c.name = globbedProgram(c.name)
	}
	a.emitRun(c)
	if argv[0].glob && !isOwnName(c.name) {
		a.globbedOwn(c)
	}
	if argv[0].partial {
		return a.unknownProgram(c)
	}
	if io.socket {
		a.onSocket(c)
	}
	a.programFile(c)
	if handle := handlerOf(c.name); handle != nil && !onlyHelp(c) {
		return handle(a, c)
	}
	return a.plainProgram(c)
}

// onlyHelp reports whether a program with subcommands is asked to explain one of them: docker volume prune --help.
func onlyHelp(c *command) bool {
	if len(c.argv) < 2 || c.argv[len(c.argv)-1].text != "--help" {
		return false
	}
	for _, group := range [...]func(string) handler{packageHandler, infraHandler, databaseHandler, gitHandler} {
		if group(c.name) == nil {
			continue
		}
		for _, v := range c.args() {
			if v.text == "run" || v.text == "exec" || v.text == "x" || v.text == "dlx" || v.text == "--" || v.partial || strings.ContainsAny(v.text, " =;") {
				return false
			}
		}
		return true
	}
	return false
}

// programName is a program's name without its folder and a Windows extension; letters' case does not matter, because
// some file systems ignore it.
func programName(s string) string {
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	s = strings.ToLower(s)
	return strings.TrimSuffix(strings.TrimSuffix(s, ".exe"), ".cmd")
}

// globbedProgram is the program that a command word such as /bin/r? may stand for: of several the one to be feared.
func globbedProgram(word string) string {
	g, err := pattern.CompileGlob(word)
	if err != nil {
		return word
	}
	for _, name := range [...]string{
		"rm", "dd", "sh", "bash", "mv", "cp", "ln", "tee", "chmod", "chown", "sudo", "su", "git", "curl", "wget", "nc", "ncat", "python3", "python", "perl", "ruby", "node",
		"find", "xargs", "env", "shred", "mkfs", "truncate", "cat", "kill", "shutdown", "reboot", "crontab", "docker", "kubectl", "base64", "ssh", "scp", "unlink", "eval",
	} {
		if g.Match(name) {
			return name
		}
	}
	return word
}

func (a *analyzer) emitRun(c *command) {
	text := joinArgs(c.argv)
	e := effect.Effect{Kind: effect.Run, Command: a.homeless(text), Span: c.span, Inert: isInert(c.name)}
	if seen, hasData := withoutData(c); hasData {
		text, e.Data, e.Forms = seen, true, []string{seen}
	}
	if c.name != c.argv[0].text {
		e.Forms = append(e.Forms, c.name+strings.TrimPrefix(text, c.argv[0].text))
	}
	c.run = len(a.effects)
	a.emit(e)
}

// homeless writes the stand-in for an unknown home directory as a person would.
func (a *analyzer) homeless(text string) string {
	if a.env.Home != someHome {
		return text
	}
	return strings.ReplaceAll(text, someHome, "~")
}

// mark adds events to the command's own effect.
func (a *analyzer) mark(c *command, reason string, events ...effect.Event) {
	if c.run < len(a.effects) {
		a.effects[c.run].Note(reason, events...)
	}
}

// joinArgs is a command's text with its quotes removed.
func joinArgs(argv []value) string {
	if len(argv) == 1 {
		return argv[0].text
	}
	var b strings.Builder
	for i, v := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if b.Len() > 4096 {
			b.WriteString("…")
			break
		}
		b.WriteString(v.text)
	}
	return b.String()
}

// isInert reports whether a command only speaks to the shell itself.
func isInert(name string) bool {
	return name == among(name, "cd pushd popd true false : echo printf pwd test [ set export unset local declare readonly typeset "+
		"shift wait return exit break continue read let shopt umask alias unalias type hash jobs bg fg dirs "+
		"times getopts sleep")
}
