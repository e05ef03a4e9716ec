package interpreter

// runtimes.go analyzes the command lines of Python, Node, Deno and Bun.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/packages"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// pythonProgram handles Python. It runs code (-c), a module (-m), a script, or its input.
func pythonProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := parsePython(c.Args())
	if p.option == "m" {
		return pythonModule(t, c, p.code[0], p.operands)
	}
	return interpret(t, c, trace.Python, p)
}

// pythonModule handles python -m. If there is also a program with the name of the module, such as pip, the handler of
// that program is called.
func pythonModule(t *trace.Trace, c *trace.Command, module trace.Value, rest []trace.Value) trace.Flow {
	switch name := module.Text; name {
	case words.Among(name, "pytest unittest nose nose2 doctest tox nox"):
		t.MarkTest(c)
		importOperands(t, c, rest, false)
		from := len(t.Effects)
		importOperands(t, c, rest, true)
		for i := from; i < len(t.Effects); i++ {
			if e := &t.Effects[i]; deletesFixture(e) {
				e.Drop(effect.DestructiveOp)
			}
		}
		if name == "doctest" {
			runExamples(t, c, rest)
		}
		return trace.Unknown()
	case "pydoc", "runpy":
		importOperands(t, c, rest, false)
		importOperands(t, c, rest, true)
	case words.Among(name, "pip pip3 pipx uv poetry twine conda pdm hatch ansible awscli httpie alembic flask django "+
		"sqlite3 IPython dotenv"):
		module.Text = strings.TrimSuffix(name, "cli")
		return t.RunInner(c, append([]trace.Value{module}, rest...))
	case "coverage":
		if len(rest) > 0 && rest[0].Text == "run" {
			t.MarkTest(c)
		}
	case "base64":
		taint := trace.Decoded
		for _, v := range rest {
			taint |= t.SecretOperand(c, v)
		}
		return trace.Flow{Taint: c.In.Taint | taint}
	case "timeit":
		o := flags.Parse(rest, "n r s u number repeat setup unit")
		source := trace.JoinAll(o.Values("s setup")) + "\n" + trace.JoinAll(o.Operands)
		return code.Run(t, c, trace.Python, trace.Value{Text: source})
	case "pickle":
		for _, v := range rest {
			code.RunObjects(t, c, v)
		}
		return trace.Unknown()
	case "code", "asyncio":
		return interpretInput(t, c, trace.Python, c.In, nil)
	case "pty":
		t.MarkAll(c, "opens a shell")
	case "http.server", "SimpleHTTPServer":
		noteServedFolder(t, c, rest)
	}
	runModule(t, c, module.Text)
	inner := *c
	inner.Name, inner.Argv = module.Text, append([]trace.Value{module}, rest...)
	return program.Plain(t, &inner)
}

// importOperands analyzes what happens when Python imports the modules or files that the operands name. The parameter
// "tests" says whether it imports only tests, or only other modules.
func importOperands(t *trace.Trace, c *trace.Command, operands []trace.Value, tests bool) {
	var names []string
	for _, v := range operands {
		file, _, _ := strings.Cut(v.Text, "::") // as in x.py::test_a
		name := strings.TrimSuffix(strings.TrimPrefix(file, "./"), ".py")
		if !strings.HasPrefix(name, "-") && !v.Partial && !trace.IsURL(name) && tests == isPythonTest(name) {
			names = append(names, name)
		}
	}
	code.ImportModules(t, c, names)
}

// isPythonTest reports whether a module has a name by which pytest finds tests.
func isPythonTest(module string) bool {
	stem := words.AfterLast(words.AfterLast(module, "/"), ".")
	return stem == "conftest" || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test")
}

// deletesFixture reports whether a test deletes an unknown path that may come from a fixture such as tmp_path. The name
// of a variable from the environment begins with a capital letter, so a path in such a variable does not count.
func deletesFixture(e *effect.Effect) bool {
	_, name, _ := strings.Cut(e.Path, "$")
	return e.Unknown && e.Kind == effect.Delete && (name == "" || name[0]-'A' > 'Z'-'A')
}

// pytestProgram handles pytest, which imports the plugins that the option -p names, and the files that the operands
// name. The function runLoaded analyzes the tests that the call has written.
func pytestProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "c k m n o p r W")
	importOperands(t, c, o.Values("p"), false)
	importOperands(t, c, o.Operands, false)
	return program.Plain(t, c)
}

// runExamples analyzes the examples in the files that doctest runs. The lines of an example begin with >>> or with
// three dots.
func runExamples(t *trace.Trace, c *trace.Command, files []trace.Value) {
	for _, v := range files {
		if strings.HasPrefix(v.Text, "-") || v.Partial {
			continue
		}
		place := t.Place(v, c.Scope)
		t.TextAt(c, &place, func(inner *trace.Command, text string) {
			var source strings.Builder
			for line := range strings.Lines(text) {
				line = strings.TrimLeft(line, " \t")
				if strings.HasPrefix(line, ">>> ") || strings.HasPrefix(line, "... ") {
					source.WriteString(line[4:])
				}
			}
			code.Run(t, inner, trace.Python, trace.Value{Text: source.String()})
		})
	}
}

// runModule analyzes a module of the project. The module a.b is in the file a/b.py or a/b/__main__.py.
func runModule(t *trace.Trace, c *trace.Command, name string) {
	path := strings.ReplaceAll(name, ".", "/")
	if !code.RunFile(t, c, trace.Python, trace.Value{Text: path + ".py"}) {
		code.RunFile(t, c, trace.Python, trace.Value{Text: path + "/__main__.py"})
	}
}

// noteServedFolder marks Python's web server if it lets the network read a secret, or a folder of the operating system.
func noteServedFolder(t *trace.Trace, c *trace.Command, rest []trace.Value) {
	o := flags.Parse(rest, flags.Abbreviates+"b bind d directory p protocol")
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

// denoProgram handles the commands "eval", "run", "serve" and "test" of deno. It leaves the commands about packages to
// the handler of package managers.
func denoProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := parseCommandLine(c.Args(), "", "c config L log-level")
	if len(p.operands) == 0 {
		return interpretInput(t, c, trace.Script, c.In, nil)
	}
	verb, rest := p.operands[0].Text, p.operands[1:]
	switch verb {
	case "eval":
		inner := parseCommandLine(rest, "", "ext")
		if len(inner.operands) > 0 {
			return code.Run(t, c, trace.Script, inner.operands[0])
		}
		return trace.Unknown()
	case "run", "serve":
		inner := parseCommandLine(rest, "", "c config import-map L log-level cert seed")
		if len(inner.operands) == 0 {
			return interpretInput(t, c, trace.Script, c.In, nil)
		}
		if tool, ok := strings.CutPrefix(inner.operands[0].Text, "npm:"); ok {
			argv := []trace.Value{{Text: "npx"}, {Text: tool}}
			return t.RunInner(c, append(argv, inner.operands[1:]...))
		}
		return interpretFile(t, c, trace.Script, inner.operands)
	case "test":
		t.MarkTest(c)
		return trace.Unknown()
	}
	return runPackageCommand(t, c, verb, p.operands)
}

// nodeProgram handles Node. With --run, it runs a script of package.json, as npm run does.
func nodeProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := parseCommandLine(c.Args(), "e eval p print pe", "r require import loader C conditions input-type env-file")
	for _, f := range p.flags {
		name, attached := strings.CutPrefix(f, "--run=")
		if f == "--run" && len(p.operands) > 0 {
			name, attached = p.operands[0].Text, true
		}
		if attached {
			return t.RunInner(c, []trace.Value{{Text: "npm"}, {Text: "run"}, {Text: name}})
		}
	}
	if strings.Contains(trace.FirstText(p.operands), "@anthropic-ai/claude-code/") {
		p.operands[0] = trace.Value{Text: "claude"}
		return t.RunInner(c, p.operands)
	}
	return interpret(t, c, trace.Script, p)
}

// bunProgram handles the option -e and the commands "run" and "test" of bun. It leaves bun's other commands to the
// handler of package managers.
func bunProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := parseCommandLine(c.Args(), "e eval p print", "r preload cwd config env-file")
	if len(p.code) > 0 || len(p.operands) == 0 {
		return interpret(t, c, trace.Script, p)
	}
	loadModules(t, c, trace.Script, p.loaded)
	if p.operands[0].Text == "test" {
		t.MarkTest(c)
		return trace.Unknown()
	}
	if p.operands[0].Text == "run" && len(p.operands) > 1 &&
		(p.operands[1].Text == "-" || strings.Contains(p.operands[1].Text, ".")) {
		return interpretFile(t, c, trace.Script, p.operands[1:])
	}
	return runPackageCommand(t, c, p.operands[0].Text, p.operands)
}

// runPackageCommand analyzes the operand of deno or bun as a script if it looks like a file or a URL. Otherwise, it
// leaves the command to the handler of package managers.
func runPackageCommand(t *trace.Trace, c *trace.Command, verb string, operands []trace.Value) trace.Flow {
	if trace.IsURL(verb) || strings.ContainsAny(verb, "./") {
		return interpretFile(t, c, trace.Script, operands)
	}
	if h := packages.Handler(c.Name); h != nil {
		return h(t, c)
	}
	return program.Plain(t, c)
}
