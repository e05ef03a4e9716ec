// Package code follows programs in other languages than the shell: Python, JavaScript, Perl, Ruby, PHP, awk and smaller
// ones. It reads tokens, evaluates what is known, and finds the calls that run, read, write or send something.
package code

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// ownServerIn finds such requests in programs of languages whose ways to ask a server are not followed: one that names the
// interface of the guard's server and a method that changes something.
func ownServerIn(a *trace.Trace, c *trace.Command, t trace.Language, source string) {
	if t == trace.Python || t == trace.Script || !strings.Contains(source, "/api/guardrails") {
		return
	}
	lower := strings.ToLower(source)
	for _, method := range [...]string{"delete", "put", "post", "patch"} {
		if self.HasWord(lower, method) {
			a.Mark(c, "changes data of the guard's server", effect.GuardTamper)
			return
		}
	}
}

// Handler knows the interpreters of programming languages and the editors that can be told to run something.
func Handler(name string) trace.Handler {
	switch name {
	case words.Among(name, "python python2 python3 pypy pypy3 ipython ipython3 jython"):
		return pythonProgram
	case "deno":
		return denoProgram
	case "bun":
		return bunProgram
	case "awk", "gawk", "mawk", "nawk":
		return awkProgram
	case "r":
		return interpreted(trace.Statistics, "e", "f file")
	case "expect":
		return expectProgram
	case "jshell", "erl":
		return interpreted(trace.Groovy, "-eval eval", "s startup class-path")
	case words.Among(name, "vim vi nvim ex gvim view vimdiff"):
		return vimProgram
	case "ed", "red":
		return edProgram
	case "emacs", "emacsclient":
		return interpreted(trace.Other, "-eval eval execute", "l load f funcall -load -funcall")
	}
	if strings.HasPrefix(name, "python3.") || strings.HasPrefix(name, "python2.") {
		return pythonProgram
	}
	return scriptingHandler(name)
}

// scriptingHandler knows the interpreters that follow the common way: code behind -e, else a script, else the input.
func scriptingHandler(name string) trace.Handler {
	switch name {
	case "node", "nodejs", "tsx", "ts-node":
		return interpreted(trace.Script, "e eval p print pe", "r require import loader C conditions input-type")
	case "perl":
		return interpreted(trace.Perl, "e E", "x")
	case "ruby":
		return interpreted(trace.Ruby, "e", "r I C E")
	case "irb":
		return interpreted(trace.Ruby, "", "r I")
	case "php":
		return interpreted(trace.PHP, "r run B R process-code E process-begin process-end", "S t d c f file")
	case "lua", "luajit", "texlua":
		return interpreted(trace.Lua, "e", "l")
	case "rscript":
		return interpreted(trace.Statistics, "e", "")
	case "julia":
		return interpreted(trace.Julia, "e E eval print", "L load p procs t threads J sysimage project")
	case "osascript":
		return osaProgram
	case "groovy":
		return interpreted(trace.Groovy, "e", "cp classpath c")
	case "elixir", "iex":
		return interpreted(trace.Elixir, "e eval rpc-eval", "r S pa pz name sname cookie")
	case "tclsh", "wish":
		return tclProgram
	}
	return nil
}

// interpreted is the handler of an interpreter of the common kind.
func interpreted(t trace.Language, codes, values string) trace.Handler {
	return func(a *trace.Trace, c *trace.Command) trace.Flow {
		p := readProgram(c.Args(), codes, values)
		return interpret(a, c, t, p)
	}
}

// interpret runs the code of a command line, or else its script, or else the input.
func interpret(a *trace.Trace, c *trace.Command, t trace.Language, p commandLine) trace.Flow {
	if p.has("", "--version", "--help", "-h", "-version", "-help") || len(p.flags) == 1 && (p.flags[0] == "-v" || p.flags[0] == "-V") && len(p.operands) == 0 {
		return trace.Unknown()
	}
	if p.has("", "--test") {
		a.Mark(c, "", effect.TestRun)
	}
	if p.has("c", "--check", "--syntax-check", "-l") && len(p.code) == 0 && (t == trace.Script || t == trace.Perl || t == trace.Ruby || t == trace.PHP) && !p.has("", "-lane") {
		return trace.Unknown()
	}
	if len(p.code) == 0 {
		return interpretFile(a, c, t, p.operands)
	}
	loopsOver(a, c, t, p)
	code := joinCode(p.code)
	judgeCode(a, c, code)
	return Run(a, c, t, code)
}

// judgeCode notes that code was put together out of what is not known, or not to be trusted.
func judgeCode(t *trace.Trace, c *trace.Command, code trace.Value) {
	whole := code.Partial && strings.HasPrefix(code.Text, "$") && !strings.ContainsAny(code.Text, " \n;")
	if whole || code.Taint.Has(trace.FromNetwork|trace.FromSocket|trace.Decoded) {
		t.RunUnknown(c, code.Taint, "runs code that is not known")
	}
}

// joinCode is the text of several -e.
func joinCode(code []trace.Value) trace.Value {
	out := code[0]
	for _, v := range code[1:] {
		v.Text = "\n" + v.Text
		out = trace.Concat(out, v)
	}
	return out
}

// loopsOver follows -n, -p and -i of Perl and Ruby: the operands are read, and with -i changed in place.
func loopsOver(a *trace.Trace, c *trace.Command, t trace.Language, p commandLine) {
	if t != trace.Perl && t != trace.Ruby {
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
			a.Write(v, c.Scope, c.Span)
			continue
		}
		f := a.ReadFlow(v, c.Scope, c.Span)
		c.In.Taint |= f.Taint
		c.In.Known = false
	}
}

// interpretFile runs a script file, or what comes in.
func interpretFile(a *trace.Trace, c *trace.Command, t trace.Language, operands []trace.Value) trace.Flow {
	if len(operands) == 0 || operands[0].Text == "-" || operands[0].Text == "/dev/stdin" {
		return interpretInput(a, c, t, c.In)
	}
	v := operands[0]
	if v.Pipe != nil {
		return interpretInput(a, c, t, *v.Pipe)
	}
	if isURL(v.Text) {
		a.Opaque(c.Span, "runs a program straight from "+trace.HostOf(v.Text), effect.PipeToShell)
		return trace.Unknown()
	}
	p := a.Place(v, c.Scope)
	f, ok := a.Content[p.Name]
	switch {
	case ok && f.Known:
		return Run(a, c, t, trace.Value{Text: f.Text, Quality: trace.Quality{Taint: f.Taint}})
	case ok:
		a.RunUnknown(c, f.Taint, "runs "+p.Name+", which the same command has written")
	default:
		if program.IsTestProgram(p.Name) || isTestScript(operands) {
			a.Mark(c, "", effect.TestRun)
		}
		database.FrameworkScript(a, c, operands)
		if codeScript(a, c, t, &p) {
			break
		}
		a.Opaque(c.Span, "runs the script "+p.Name+", which is not looked into")
	}
	return trace.Flow{Taint: c.In.Taint | trace.FromProgram}
}

// isTestScript reports whether a script is a project's own way to run its tests: manage.py test.
func isTestScript(operands []trace.Value) bool {
	if len(operands) < 2 || operands[1].Text != "test" {
		return false
	}
	return strings.HasSuffix(operands[0].Text, "manage.py") || strings.HasSuffix(operands[0].Text, "setup.py") || operands[0].Text == "artisan" || operands[0].Text == "ace"
}

// interpretInput runs what comes in as a program.
func interpretInput(a *trace.Trace, c *trace.Command, t trace.Language, in trace.Flow) trace.Flow {
	switch {
	case in.Known && strings.TrimSpace(in.Text) == "":
		return trace.Unknown()
	case in.Known:
		if in.Taint.Has(trace.Decoded) {
			a.Opaque(c.Span, "decodes text and runs it", effect.HiddenExecution)
		} else if in.Taint.Has(trace.FromNetwork | trace.FromSocket) {
			a.RunUnknown(c, in.Taint, "")
		}
		c.In = trace.Nothing()
		return Run(a, c, t, trace.Value{Text: in.Text, Quality: trace.Quality{Taint: in.Taint}})
	case in.From() != "" && !in.Taint.Has(trace.FromNetwork|trace.Decoded|trace.FromSocket|trace.FromProgram):
		if a.InputScript(c, in.From(), func(inner *trace.Command, text string) { Run(a, inner, t, trace.Value{Text: text}) }) {
			break
		}
		a.Opaque(c.Span, "runs the content of "+in.From()+", which is not looked into")
	case in.Text != "" && !in.Taint.Has(trace.FromNetwork|trace.Decoded|trace.FromSocket|trace.FromProgram):
		// A here-document that the shell puts something unknown into.
		c.In = trace.Nothing()
		return Run(a, c, t, trace.Value{Text: in.Text, Quality: trace.Quality{Partial: true, Taint: in.Taint}})
	default:
		a.RunUnknown(c, in.Taint|trace.FromProgram, "runs what another program prints")
	}
	return trace.Flow{Taint: in.Taint | trace.FromProgram}
}

// codeScript follows a script on disk that an interpreter runs.
func codeScript(a *trace.Trace, c *trace.Command, t trace.Language, p *trace.Place) bool {
	return a.FromDisk(c, p, func(inner *trace.Command, text string) {
		Run(a, inner, t, trace.Value{Text: text})
	})
}
