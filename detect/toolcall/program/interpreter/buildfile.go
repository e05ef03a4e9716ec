package interpreter

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// buildFile returns the file from which a build tool runs code, and the interpreter for the language of the file. It
// returns no name for any other program, and no interpreter if the language is not analyzed.
func buildFile(c *trace.Command) (name, interpreter string) {
	switch c.Name {
	case "rake":
		return "Rakefile", "ruby"
	case "inv", "invoke":
		return "tasks.py", "python3"
	case "nox":
		return "noxfile.py", "python3"
	case "fab":
		return "fabfile.py", "python3"
	case "scons":
		return "SConstruct", "python3"
	case "gradle", "gradlew":
		return "build.gradle", ""
	case "sbt":
		return "build.sbt", ""
	case "gulp":
		return "gulpfile.js", "node"
	case "grunt":
		return "Gruntfile.js", "node"
	case "pip", "pip3", "uv":
		if hasOperand(c, "install") && (hasOperand(c, ".") || hasOperand(c, "./")) {
			return "setup.py", "python3"
		}
	}
	return "", ""
}

// contextOfTasks is Python code for the object that a task gets from the program "invoke" or "fab".
const contextOfTasks = `
import os
class guardContext:
    def run(self, command):
        os.system(command)
`

// runBuildFile analyzes the file of a build tool if the call has written the file. In Python, the tasks are functions,
// which run only if the call names them.
func runBuildFile(t *trace.Trace, c *trace.Command) {
	name, interpreter := buildFile(c)
	if interpreter == "" {
		for _, file := range t.Written() {
			if name != "" && strings.HasPrefix(trace.BaseName(file), name) { // also build.gradle.kts
				code.Run(t, c, trace.Other, trace.Value{Text: t.Content[file].Text})
			}
		}
		return
	}
	for i, v := range c.Args() {
		if words.OneOf(v.Text, "-f --rakefile --gulpfile --gruntfile") && i+2 < len(c.Argv) {
			name = c.Argv[i+2].Text
		}
	}
	f, ok := t.Content[t.Place(trace.Value{Text: name}, c.Scope).Name]
	if name == "-" || name == "/dev/stdin" {
		f, ok = c.In, c.In.Known
	}
	if !ok {
		return
	}
	if t.RunForeign(c, f); !f.Known {
		return
	}
	if interpreter == "python3" {
		f.Text += contextOfTasks
		for _, v := range c.Args() {
			if task := strings.ReplaceAll(v.Text, "-", "_"); strings.Contains(f.Text, "def "+task+"(") {
				f.Text += "\n" + task + "(guardContext())\n"
			}
		}
	}
	if t.Depth < trace.MaxDepth {
		t.Depth++
		defer func() { t.Depth-- }()
		t.Dispatch([]trace.Value{{Text: interpreter}}, c.Span, c.Scope, trace.Streams{In: f})
	}
}

// runLoaded analyzes files that the call has written and that a program then runs by itself, such as test files. The
// command that starts the program does not name these files. runLoaded ignores deletions of fixtures and unknown code. In
// tests, it also ignores commands such as "git reset --hard", because tests work on temporary data.
func runLoaded(t *trace.Trace, c *trace.Command) {
	if !mayLoad(t, c) {
		return
	}
	for _, name := range t.Written() {
		lang, isTest := languageOfLoaded(c, name)
		if lang == trace.Other {
			continue
		}
		f := t.Content[name]
		if t.RunForeign(c, f); !f.Known {
			continue
		}
		inner := *c
		inner.Run = len(t.Effects)
		t.Emit(effect.Effect{Kind: effect.Run, Command: trace.JoinArgs(c.Argv), Data: true, Span: c.Span, Inert: true})
		code.Run(t, &inner, lang, trace.Value{Text: f.Text, Quality: trace.Quality{Taint: f.Taint}})
		for i := inner.Run; i < len(t.Effects); i++ {
			e := &t.Effects[i]
			e.DropFunc(func(event effect.Event) bool {
				inTest := isTest && e.Kind == effect.Run && event != effect.Publish && event != effect.DevopsInvoked
				return inTest || event == effect.OpaqueExecution || deletesFixture(e) && event == effect.DestructiveOp
			})
		}
	}
}

// mayLoad reports whether a program may run a file that the call has written. It is a quick check, because runLoaded is
// called for every command.
func mayLoad(t *trace.Trace, c *trace.Command) bool {
	return len(t.Content) > 0 && (t.WroteSettings || words.OneOf(c.Name, "go cargo pytest jest vitest mocha ava"))
}

// languageOfLoaded returns the language of a file with code that a program runs by itself: its configuration, a test or
// the build script of a package. It returns Other for any other file. It also reports whether the file is a test.
func languageOfLoaded(c *trace.Command, name string) (lang trace.Language, isTest bool) {
	order, file := trace.ArgAt(c.Argv, 1), trace.BaseName(name)
	stem := file[:max(strings.LastIndexByte(file, '.'), 0)]
	isScript := words.OneOf(file[len(stem):], ".js .cjs .mjs .jsx .ts .cts .mts .tsx")
	switch {
	case c.Name == "go" && order == "test" && strings.HasSuffix(file, "_test.go"),
		c.Name == "cargo" && order == "test" && strings.HasSuffix(name, ".rs") && strings.Contains("/"+name, "/tests/"):
		return trace.Compiled, true
	case c.Name == "cargo" && file == "build.rs" && words.OneOf(order, "build test run check clippy bench doc install b t r c"):
		return trace.Compiled, false
	case c.Name == "pytest" && strings.HasSuffix(file, ".py") && isPythonTest(stem):
		return trace.Python, true
	case words.OneOf(c.Name, "jest vitest mocha ava") && isScript &&
		(strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec")):
		return trace.Script, true
	case isScript && (stem == c.Name+".config" || stem == "."+c.Name+"rc" || c.Name == "vitest" && stem == "vite.config"):
		return trace.Script, false
	}
	return trace.Other, false
}
