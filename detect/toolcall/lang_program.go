package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// pythonProgram is Python: -c code, -m module, a script, or the input.
func pythonProgram(a *analyzer, c *command) flow {
	args := c.args()
	for i := range args {
		t := args[i].text
		if !strings.HasPrefix(t, "-") || len(t) < 2 || t[1] == '-' {
			break
		}
		if t[1] == 'W' || t[1] == 'X' {
			continue
		}
		if at := strings.IndexByte(t, 'm'); at > 0 && !strings.Contains(t[:at], "c") {
			module, rest := args[min(i+1, len(args)-1)], args[min(i+2, len(args)):]
			if at+1 < len(t) {
				module.text, rest = t[at+1:], args[i+1:]
			}
			return a.pythonModule(c, module, rest)
		}
	}
	return a.interpret(c, python, readProgram(args, "c", "W X"))
}

// pythonModule is python -m: tools that are commands of their own are handed to their handlers.
func (a *analyzer) pythonModule(c *command, module value, rest []value) flow {
	switch name := module.text; name {
	case among(name, "pytest unittest nose nose2 doctest tox nox"):
		a.mark(c, "", effect.TestRun)
		return unknown()
	case among(name, "pip pip3 pipx uv poetry twine conda pdm hatch ansible awscli httpie alembic flask django sqlite3"):
		module.text = strings.TrimSuffix(name, "cli")
		return a.again(c, append([]value{module}, rest...))
	case "coverage":
		if len(rest) > 0 && rest[0].text == "run" {
			a.mark(c, "", effect.TestRun)
		}
	case "base64":
		return flow{taint: c.in.taint | decoded}
	case "pty":
		a.mark(c, "opens a shell")
	case "http.server", "SimpleHTTPServer":
		a.servesFolder(c, rest)
	}
	t := c.in.taint
	for _, v := range rest {
		t |= v.taint | a.secretOperand(c, v)
	}
	return flow{taint: t | fromProgram}
}

// denoProgram is deno: eval, run, test; what handles packages is the package handler's.
func denoProgram(a *analyzer, c *command) flow {
	p := readProgram(c.args(), "", "c config L log-level")
	if len(p.operands) == 0 {
		return a.interpretInput(c, script, c.in)
	}
	verb, rest := p.operands[0].text, p.operands[1:]
	switch verb {
	case "eval":
		inner := readProgram(rest, "", "ext")
		if len(inner.operands) > 0 {
			return a.runSource(c, script, inner.operands[0])
		}
		return unknown()
	case "run", "serve":
		inner := readProgram(rest, "", "c config import-map L log-level cert seed")
		if len(inner.operands) > 0 {
			return a.interpretFile(c, script, inner.operands)
		}
		return a.interpretInput(c, script, c.in)
	case "test":
		a.mark(c, "", effect.TestRun)
		return unknown()
	}
	return a.packaged(c, verb, p.operands)
}

// bunProgram is bun: -e, run and test; the rest is the package handler's.
func bunProgram(a *analyzer, c *command) flow {
	p := readProgram(c.args(), "e eval p print", "r preload cwd config env-file")
	if len(p.code) > 0 || len(p.operands) == 0 {
		return a.interpret(c, script, p)
	}
	if p.operands[0].text == "test" {
		a.mark(c, "", effect.TestRun)
		return unknown()
	}
	if p.operands[0].text == "run" && len(p.operands) > 1 && strings.Contains(p.operands[1].text, ".") {
		return a.interpretFile(c, script, p.operands[1:])
	}
	return a.packaged(c, p.operands[0].text, p.operands)
}

// packaged hands a runtime's other commands to the package handler; what looks like a script is run.
func (a *analyzer) packaged(c *command, verb string, operands []value) flow {
	if isURL(verb) || strings.ContainsAny(verb, "./") {
		return a.interpretFile(c, script, operands)
	}
	if h := packageHandler(c.name); h != nil {
		return h(a, c)
	}
	return a.plainProgram(c)
}

// osaProgram is osascript: what it has the shell do, and its JavaScript.
func osaProgram(a *analyzer, c *command) flow {
	p := readProgram(c.args(), "e", "l s")
	if len(p.code) == 0 && (len(p.operands) > 0 || !c.in.known) {
		return a.interpretFile(c, other, p.operands)
	}
	code := value{text: c.in.text}
	if len(p.code) > 0 {
		code = joinCode(p.code)
	}
	if strings.Contains(code.text, "with administrator privileges") {
		a.mark(c, "runs a command as root", effect.Privilege)
	}
	a.textsAfter(c, lex(code.text, other), "script", "doShellScript")
	return unknown()
}

// textsAfter runs the texts that stand behind a word, as commands.
func (a *analyzer) textsAfter(c *command, toks []token, words ...string) {
	for i := range toks {
		for _, word := range words {
			if !toks[i].word(word) {
				continue
			}
			j := i + 1
			for j < len(toks) && toks[j].is("(") {
				j++
			}
			if j < len(toks) && toks[j].kind == tokText {
				a.runText(c, value{text: toks[j].text})
			}
		}
	}
}

// expectProgram is expect: what it spawns and what it has the system do.
func expectProgram(a *analyzer, c *command) flow {
	p := readProgram(c.args(), "c", "f b")
	if len(p.code) == 0 {
		return tclProgram(a, c)
	}
	a.tcl(c, joinCode(p.code).text)
	return unknown()
}

// tclProgram is tclsh with a script or its input.
func tclProgram(a *analyzer, c *command) flow {
	p := readProgram(c.args(), "", "encoding")
	if len(p.operands) == 0 && c.in.known {
		a.tcl(c, c.in.text)
		return unknown()
	}
	if len(p.operands) > 0 {
		if f, ok := a.content[a.place(p.operands[0], c.sc).name]; ok && f.known {
			a.tcl(c, f.text)
			return unknown()
		}
	}
	return a.interpretFile(c, other, p.operands)
}

// tcl runs the commands that a Tcl script hands to the system.
func (a *analyzer) tcl(c *command, src string) {
	if len(src) > MaxCommandSize {
		a.opaque(c.span, "runs a program larger than 128 KiB, which is not looked into", effect.TooLarge)
		return
	}
	split := func(r rune) bool { return r == '\n' || r == ';' || r == '[' || r == ']' }
	for _, line := range strings.FieldsFunc(src, split) {
		word, rest, _ := strings.Cut(strings.Trim(line, " \t{}"), " ")
		rest = strings.TrimRight(rest, " }")
		switch word {
		case "exec", "spawn", "system":
			rest = strings.TrimPrefix(strings.TrimSpace(rest), "-noecho ")
			a.runText(c, value{text: strings.NewReplacer("{", "'", "}", "'").Replace(rest)})
		case "file":
			if names, ok := strings.CutPrefix(strings.TrimSpace(rest), "delete"); ok {
				for _, name := range strings.Fields(names) {
					if !strings.HasPrefix(name, "-") {
						a.remove(value{text: strings.Trim(name, `"{}`), quality: quality{partial: strings.Contains(name, "$")}}, c.sc, c.span, removal{tree: true, how: "deletes"})
					}
				}
			}
		}
	}
}

// servesFolder notes that a folder outside the project is opened to the network.
func (a *analyzer) servesFolder(c *command, rest []value) {
	o := parseOptions(rest, "b bind d directory p protocol")
	folder := value{text: "."}
	if vs := o.values("d directory"); len(vs) > 0 {
		folder = vs[0]
	}
	if bind := firstText(o.values("b bind")); bind == "127.0.0.1" || bind == "localhost" || bind == "::1" {
		return
	}
	if p := a.place(folder, c.sc); p.zone == system || p.secret {
		a.mark(c, "opens "+p.name+" to the network", effect.SecretSend)
	}
}
