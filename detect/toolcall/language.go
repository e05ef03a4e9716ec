package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// languageHandler knows the interpreters of programming languages and the editors that can be told to run something.
func languageHandler(name string) handler {
	switch name {
	case among(name, "python python2 python3 pypy pypy3 ipython ipython3 jython"):
		return pythonProgram
	case "deno":
		return denoProgram
	case "bun":
		return bunProgram
	case "awk", "gawk", "mawk", "nawk":
		return awkProgram
	case "r":
		return interpreted(statistics, "e", "f file")
	case "expect":
		return expectProgram
	case "jshell", "erl":
		return interpreted(groovy, "-eval eval", "s startup class-path")
	case among(name, "vim vi nvim ex gvim view vimdiff"):
		return vimProgram
	case "ed", "red":
		return edProgram
	case "emacs", "emacsclient":
		return interpreted(other, "-eval eval execute", "l load f funcall -load -funcall")
	}
	if strings.HasPrefix(name, "python3.") || strings.HasPrefix(name, "python2.") {
		return pythonProgram
	}
	return scriptingHandler(name)
}

// scriptingHandler knows the interpreters that follow the common way: code behind -e, else a script, else the input.
func scriptingHandler(name string) handler {
	switch name {
	case "node", "nodejs", "tsx", "ts-node":
		return interpreted(script, "e eval p print pe", "r require import loader C conditions input-type")
	case "perl":
		return interpreted(perl, "e E", "x")
	case "ruby":
		return interpreted(ruby, "e", "r I C E")
	case "irb":
		return interpreted(ruby, "", "r I")
	case "php":
		return interpreted(php, "r run B R process-code E process-begin process-end", "S t d c f file")
	case "lua", "luajit", "texlua":
		return interpreted(lua, "e", "l")
	case "rscript":
		return interpreted(statistics, "e", "")
	case "julia":
		return interpreted(julia, "e E eval print", "L load p procs t threads J sysimage project")
	case "osascript":
		return osaProgram
	case "groovy":
		return interpreted(groovy, "e", "cp classpath c")
	case "elixir", "iex":
		return interpreted(elixir, "e eval rpc-eval", "r S pa pz name sname cookie")
	case "tclsh", "wish":
		return tclProgram
	}
	return nil
}

// interpreted is the handler of an interpreter of the common kind.
func interpreted(t tongue, codes, values string) handler {
	return func(a *analyzer, c *command) flow {
		p := readProgram(c.args(), codes, values)
		return a.interpret(c, t, p)
	}
}

// interpret runs the code of a command line, or else its script, or else the input.
func (a *analyzer) interpret(c *command, t tongue, p program) flow {
	if p.has("", "--version", "--help", "-h", "-version", "-help") || len(p.flags) == 1 && (p.flags[0] == "-v" || p.flags[0] == "-V") && len(p.operands) == 0 {
		return unknown()
	}
	if p.has("", "--test") {
		a.mark(c, "", effect.TestRun)
	}
	if p.has("c", "--check", "--syntax-check", "-l") && len(p.code) == 0 && (t == script || t == perl || t == ruby || t == php) && !p.has("", "-lane") {
		return unknown()
	}
	if len(p.code) == 0 {
		return a.interpretFile(c, t, p.operands)
	}
	a.loopsOver(c, t, p)
	code := joinCode(p.code)
	a.judgeCode(c, code)
	return a.runSource(c, t, code)
}

// judgeCode notes that code was put together out of what is not known, or not to be trusted.
func (a *analyzer) judgeCode(c *command, code value) {
	whole := code.partial && strings.HasPrefix(code.text, "$") && !strings.ContainsAny(code.text, " \n;")
	if whole || code.taint.has(fromNetwork|fromSocket|decoded) {
		a.runUnknown(c, code.taint, "runs code that is not known")
	}
}

// joinCode is the text of several -e.
func joinCode(code []value) value {
	out := code[0]
	for _, v := range code[1:] {
		v.text = "\n" + v.text
		out = concat(out, v)
	}
	return out
}

// loopsOver follows -n, -p and -i of Perl and Ruby: the operands are read, and with -i changed in place.
func (a *analyzer) loopsOver(c *command, t tongue, p program) {
	if t != perl && t != ruby {
		return
	}
	inPlace, reads := false, false
	for _, f := range p.flags {
		if len(f) < 2 || f[1] == '-' || f[1] == 'M' || f[1] == 'm' || f[1] == 'I' {
			continue
		}
		letters, _, _ := strings.Cut(f[1:], "e")
		inPlace = inPlace || strings.Contains(letters, "i")
		reads = reads || strings.ContainsAny(letters, "npi")
	}
	if !reads {
		return
	}
	for _, v := range p.operands {
		if inPlace {
			a.write(v, c.sc, c.span)
			continue
		}
		f := a.readFlow(v, c.sc, c.span)
		c.in.taint |= f.taint
		c.in.known = false
	}
}

// interpretFile runs a script file, or what comes in.
func (a *analyzer) interpretFile(c *command, t tongue, operands []value) flow {
	if len(operands) == 0 || operands[0].text == "-" || operands[0].text == "/dev/stdin" {
		return a.interpretInput(c, t, c.in)
	}
	v := operands[0]
	if v.pipe != nil {
		return a.interpretInput(c, t, *v.pipe)
	}
	if isURL(v.text) {
		a.opaque(c.span, "runs a program straight from "+hostOf(v.text), effect.PipeToShell)
		return unknown()
	}
	p := a.place(v, c.sc)
	f, ok := a.content[p.name]
	switch {
	case ok && f.known:
		return a.runSource(c, t, value{text: f.text, quality: quality{taint: f.taint}})
	case ok:
		a.runUnknown(c, f.taint, "runs "+p.name+", which the same command has written")
	default:
		if isTestProgram(p.name) || isTestScript(operands) {
			a.mark(c, "", effect.TestRun)
		}
		a.frameworkScript(c, operands)
		if a.codeScript(c, t, &p) {
			break
		}
		a.opaque(c.span, "runs the script "+p.name+", which is not looked into")
	}
	return flow{taint: c.in.taint | fromProgram}
}

// isTestScript reports whether a script is a project's own way to run its tests: manage.py test.
func isTestScript(operands []value) bool {
	if len(operands) < 2 || operands[1].text != "test" {
		return false
	}
	return strings.HasSuffix(operands[0].text, "manage.py") || strings.HasSuffix(operands[0].text, "setup.py") || operands[0].text == "artisan" || operands[0].text == "ace"
}

// interpretInput runs what comes in as a program.
func (a *analyzer) interpretInput(c *command, t tongue, in flow) flow {
	switch {
	case in.known && strings.TrimSpace(in.text) == "":
		return unknown()
	case in.known:
		if in.taint.has(decoded) {
			a.opaque(c.span, "decodes text and runs it", effect.HiddenExecution)
		} else if in.taint.has(fromNetwork | fromSocket) {
			a.runUnknown(c, in.taint, "")
		}
		c.in = nothing()
		return a.runSource(c, t, value{text: in.text, quality: quality{taint: in.taint}})
	case in.from() != "" && !in.taint.has(fromNetwork|decoded|fromSocket|fromProgram):
		if a.inputScript(c, in.from(), func(inner *command, text string) { a.runSource(inner, t, value{text: text}) }) {
			break
		}
		a.opaque(c.span, "runs the content of "+in.from()+", which is not looked into")
	case in.text != "" && !in.taint.has(fromNetwork|decoded|fromSocket|fromProgram):
		// A here-document that the shell puts something unknown into.
		c.in = nothing()
		return a.runSource(c, t, value{text: in.text, quality: quality{partial: true, taint: in.taint}})
	default:
		a.runUnknown(c, in.taint|fromProgram, "runs what another program prints")
	}
	return flow{taint: in.taint | fromProgram}
}
