package code

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/packages"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// commandLine is an interpreter's command line: code, or a script with its arguments, or neither.
type commandLine struct {
	code     []trace.Value
	operands []trace.Value
	flags    []string // what was given before the script
}

// has reports whether a flag stands before the script, alone or in a cluster of short ones.
func (p *commandLine) has(letters string, names ...string) bool {
	for _, f := range p.flags {
		for _, n := range names {
			if f == n {
				return true
			}
		}
		if len(f) > 1 && f[0] == '-' && f[1] != '-' && strings.ContainsAny(f[1:min(len(f), 6)], letters) {
			return true
		}
	}
	return false
}

// readProgram reads an interpreter's arguments. Codes are the flags with code, values the other flags with a value;
// what stands behind the script is the script's own.
func readProgram(args []trace.Value, codes, values string) commandLine {
	var p commandLine
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "--" || t == "-" || !strings.HasPrefix(t, "-") || args[i].Partial && strings.HasPrefix(t, "-$") {
			if t == "--" {
				i++
			}
			p.operands = args[i:]
			break
		}
		p.flags = append(p.flags, t)
		i += p.flag(args, i, codes, values)
	}
	return p
}

// flag reads one flag and returns how many more arguments it took.
func (p *commandLine) flag(args []trace.Value, i int, codes, values string) int {
	t := args[i].Text
	if name, attached, ok := strings.Cut(strings.TrimLeft(t, "-"), "="); ok && flags.TakesValue(codes, name) {
		v := args[i]
		v.Text = attached
		p.code = append(p.code, v)
		return 0
	}
	name := strings.TrimLeft(t, "-")
	if strings.HasPrefix(t, "--") || len(name) > 1 && (flags.TakesValue(codes, "-"+name) || flags.TakesValue(codes, name)) {
		if flags.TakesValue(codes, name) || flags.TakesValue(codes, "-"+name) {
			return p.take(args, i+1)
		}
		return words.Btoi(flags.TakesValue(values, name))
	}
	for j := 1; j < len(t); j++ {
		letter := t[j : j+1]
		switch {
		case flags.TakesValue(codes, letter) && j+1 < len(t):
			v := args[i]
			v.Text = t[j+1:]
			p.code = append(p.code, v)
			return 0
		case flags.TakesValue(codes, letter):
			return p.take(args, i+1)
		case flags.TakesValue(values, letter):
			return words.Btoi(j+1 == len(t))
		case strings.ContainsAny(letter, "0123456789.iMmF"):
			// The rest of the cluster is the flag's value: -i.bak, -0777, -MFile::Path, -F:. A plain -i goes on.
			if letter == "M" || letter == "m" || letter == "F" || j+1 < len(t) && letter == "i" && t[j+1] == '.' {
				return 0
			}
		}
	}
	return 0
}

func (p *commandLine) take(args []trace.Value, i int) int {
	if i < len(args) {
		p.code = append(p.code, args[i])
	}
	return 1
}

// pythonProgram is Python: -c code, -m module, a script, or the input.
func pythonProgram(a *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	for i := range args {
		t := args[i].Text
		if !strings.HasPrefix(t, "-") || len(t) < 2 || t[1] == '-' {
			break
		}
		if t[1] == 'W' || t[1] == 'X' {
			continue
		}
		if at := strings.IndexByte(t, 'm'); at > 0 && !strings.Contains(t[:at], "c") {
			module, rest := args[min(i+1, len(args)-1)], args[min(i+2, len(args)):]
			if at+1 < len(t) {
				module.Text, rest = t[at+1:], args[i+1:]
			}
			return pythonModule(a, c, module, rest)
		}
	}
	return interpret(a, c, trace.Python, readProgram(args, "c", "W X"))
}

// pythonModule is python -m: tools that are commands of their own are handed to their handlers.
func pythonModule(a *trace.Trace, c *trace.Command, module trace.Value, rest []trace.Value) trace.Flow {
	switch name := module.Text; name {
	case words.Among(name, "pytest unittest nose nose2 doctest tox nox"):
		a.Mark(c, "", effect.TestRun)
		return trace.Unknown()
	case words.Among(name, "pip pip3 pipx uv poetry twine conda pdm hatch ansible awscli httpie alembic flask django sqlite3"):
		module.Text = strings.TrimSuffix(name, "cli")
		return a.Again(c, append([]trace.Value{module}, rest...))
	case "coverage":
		if len(rest) > 0 && rest[0].Text == "run" {
			a.Mark(c, "", effect.TestRun)
		}
	case "base64":
		return trace.Flow{Taint: c.In.Taint | trace.Decoded}
	case "pty":
		a.Mark(c, "opens a shell")
	case "http.server", "SimpleHTTPServer":
		servesFolder(a, c, rest)
	}
	t := c.In.Taint
	for _, v := range rest {
		t |= v.Taint | a.SecretOperand(c, v)
	}
	return trace.Flow{Taint: t | trace.FromProgram}
}

// denoProgram is deno: eval, run, test; what handles packages is the package handler's.
func denoProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := readProgram(c.Args(), "", "c config L log-level")
	if len(p.operands) == 0 {
		return interpretInput(t, c, trace.Script, c.In)
	}
	verb, rest := p.operands[0].Text, p.operands[1:]
	switch verb {
	case "eval":
		inner := readProgram(rest, "", "ext")
		if len(inner.operands) > 0 {
			return Run(t, c, trace.Script, inner.operands[0])
		}
		return trace.Unknown()
	case "run", "serve":
		inner := readProgram(rest, "", "c config import-map L log-level cert seed")
		if len(inner.operands) > 0 {
			return interpretFile(t, c, trace.Script, inner.operands)
		}
		return interpretInput(t, c, trace.Script, c.In)
	case "test":
		t.Mark(c, "", effect.TestRun)
		return trace.Unknown()
	}
	return packaged(t, c, verb, p.operands)
}

// bunProgram is bun: -e, run and test; the rest is the package handler's.
func bunProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := readProgram(c.Args(), "e eval p print", "r preload cwd config env-file")
	if len(p.code) > 0 || len(p.operands) == 0 {
		return interpret(t, c, trace.Script, p)
	}
	if p.operands[0].Text == "test" {
		t.Mark(c, "", effect.TestRun)
		return trace.Unknown()
	}
	if p.operands[0].Text == "run" && len(p.operands) > 1 && strings.Contains(p.operands[1].Text, ".") {
		return interpretFile(t, c, trace.Script, p.operands[1:])
	}
	return packaged(t, c, p.operands[0].Text, p.operands)
}

// packaged hands a runtime's other commands to the package handler; what looks like a script is run.
func packaged(t *trace.Trace, c *trace.Command, verb string, operands []trace.Value) trace.Flow {
	if isURL(verb) || strings.ContainsAny(verb, "./") {
		return interpretFile(t, c, trace.Script, operands)
	}
	if h := packages.Handler(c.Name); h != nil {
		return h(t, c)
	}
	return program.Plain(t, c)
}

// osaProgram is osascript: what it has the shell do, and its JavaScript.
func osaProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := readProgram(c.Args(), "e", "l s")
	if len(p.code) == 0 && (len(p.operands) > 0 || !c.In.Known) {
		return interpretFile(t, c, trace.Other, p.operands)
	}
	code := trace.Value{Text: c.In.Text}
	if len(p.code) > 0 {
		code = joinCode(p.code)
	}
	if strings.Contains(code.Text, "with administrator privileges") {
		t.Mark(c, "runs a command as root", effect.Privilege)
	}
	textsAfter(t, c, lex(code.Text, trace.Other), "script", "doShellScript")
	return trace.Unknown()
}

// textsAfter runs the texts that stand behind a word, as commands.
func textsAfter(t *trace.Trace, c *trace.Command, toks []token, words ...string) {
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
				t.RunText(c, trace.Value{Text: toks[j].text})
			}
		}
	}
}

// expectProgram is expect: what it spawns and what it has the system do.
func expectProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := readProgram(c.Args(), "c", "f b")
	if len(p.code) == 0 {
		return tclProgram(t, c)
	}
	Tcl(t, c, joinCode(p.code).Text)
	return trace.Unknown()
}

// tclProgram is tclsh with a script or its input.
func tclProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := readProgram(c.Args(), "", "encoding")
	if len(p.operands) == 0 && c.In.Known {
		Tcl(t, c, c.In.Text)
		return trace.Unknown()
	}
	if len(p.operands) > 0 {
		if f, ok := t.Content[t.Place(p.operands[0], c.Scope).Name]; ok && f.Known {
			Tcl(t, c, f.Text)
			return trace.Unknown()
		}
	}
	return interpretFile(t, c, trace.Other, p.operands)
}

// Tcl runs the commands that a Tcl script hands to the system.
func Tcl(t *trace.Trace, c *trace.Command, src string) {
	if len(src) > trace.MaxCommandSize {
		t.Opaque(c.Span, "runs a program larger than 128 KiB, which is not looked into", effect.TooLarge)
		return
	}
	split := func(r rune) bool { return r == '\n' || r == ';' || r == '[' || r == ']' }
	for _, line := range strings.FieldsFunc(src, split) {
		word, rest, _ := strings.Cut(strings.Trim(line, " \t{}"), " ")
		rest = strings.TrimRight(rest, " }")
		switch word {
		case "exec", "spawn", "system":
			rest = strings.TrimPrefix(strings.TrimSpace(rest), "-noecho ")
			t.RunText(c, trace.Value{Text: strings.NewReplacer("{", "'", "}", "'").Replace(rest)})
		case "file":
			if names, ok := strings.CutPrefix(strings.TrimSpace(rest), "delete"); ok {
				for _, name := range strings.Fields(names) {
					if !strings.HasPrefix(name, "-") {
						t.Remove(trace.Value{Text: strings.Trim(name, `"{}`), Quality: trace.Quality{Partial: strings.Contains(name, "$")}}, c.Scope, c.Span, trace.Removal{Tree: true, How: "deletes"})
					}
				}
			}
		}
	}
}

// servesFolder notes that a folder outside the project is opened to the network.
func servesFolder(t *trace.Trace, c *trace.Command, rest []trace.Value) {
	o := flags.Parse(rest, "b bind d directory p protocol")
	folder := trace.Value{Text: "."}
	if vs := o.Values("d directory"); len(vs) > 0 {
		folder = vs[0]
	}
	if bind := trace.FirstText(o.Values("b bind")); bind == "127.0.0.1" || bind == "localhost" || bind == "::1" {
		return
	}
	if p := t.Place(folder, c.Scope); p.Zone == trace.System || p.Secret {
		t.Mark(c, "opens "+p.Name+" to the network", effect.SecretSend)
	}
}
