package interpreter

// compiled.go analyzes programs in compiled languages if the same call compiles and runs them, as in "go run x.go",
// "gcc x.c && ./a.out" and "java X.java".

import (
	"slices"
	"strings"

	"guardrails/detect/toolcall/code"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The constant "compilers" lists the programs that compile a source file. The constant "starters" lists the
// programs that also run the result. A name such as go:run means the subcommand "run" of "go".
const (
	compilers = "gcc cc clang g++ c++ clang++ tinycc rustc javac kotlinc swiftc ghc dmd ldc2 gdc mcs csc make " +
		"gmake cmake ninja go cargo zig nim tinygo odin"
	starters = "java tcc swift dart crystal scala rdmd kotlin jbang cling go:run cargo:run zig:run dotnet:run " +
		"dotnet:script dotnet:fsi vala v:run scala-cli:run odin:run nim:r tinygo:run kotlinc:-script crystal:run dart:run cargo:r " +
		"dub:run swift:run"
)

// CompiledSources analyzes the source files that a command compiles and runs. If the command only compiles the files,
// the files are analyzed as soon as the call runs any program by the path of the program.
func CompiledSources(t *trace.Trace, c *trace.Command) {
	if c.Name == "java" {
		javaOptions(t, c)
	}
	if t.Content != nil {
		runDownload(t, c)
		runLoaded(t, c)
	}
	runBuildFile(t, c)
	if t.Unread != "" {
		runUnread(t, c)
	}
	switch {
	case isStarter(c):
		sources := sourceOperands(c)
		for _, v := range sources {
			runSource(t, c, v)
		}
		if len(sources) == 0 {
			runWritten(t, c, sourcesOf(c.Name))
			runNamed(t, c)
		}
	case c.Name == words.Among(c.Name, compilers):
		t.Compiles = true
		noteSources(t, c)
		if c.In.Known && c.In.Text != "" && hasOperand(c, "-") {
			t.Remember("a.c", c.In)
		}
	case t.Compiles && strings.Contains(c.Argv[0].Text, "/"):
		t.Compiles = false
		runWritten(t, c, "")
		runNamed(t, c)
	}
	if (len(t.Content) > 0 || c.In.Known) && (c.Name == words.Among(c.Name, compilers) || t.Find(c.Name) == nil) {
		noteUnread(t, c)
	}
}

// The constant "noSources" lists the endings of files that are not compiled: data, documents, scripts, and the inputs of
// generators.
const noSources = "txt in out md rst json json5 yaml yml toml csv tsv ini cfg conf log xml html htm css scss sass less svg env sql lock " +
	"diff patch po proto graphql tf hcl tpl tmpl j2 ipynb sh bash zsh fish py pyi rb php pl lua js jsx ts tsx mjs cjs mts cts vue svelte"

// noteUnread notes the source files that the call has written and now gives to a program that may be a compiler. It is
// for known compilers and for programs without a handler. If the language of a file is known, the file is analyzed as
// soon as the call runs any program by the path of the program. Only rustc and a
// compiler that gets the option -x can compile a file with any ending.
func noteUnread(t *trace.Trace, c *trace.Command) {
	every := c.Name == "rustc" || slices.ContainsFunc(c.Args(), func(v trace.Value) bool { return strings.HasPrefix(v.Text, "-x") })
	if every && c.In.Known && c.In.Text != "" {
		t.Unread = "the input"
	}
	for _, name := range t.Written() {
		ending := words.AfterLast(trace.BaseName(name), ".")
		if !t.Spend(len(c.Argv)/4) || !hasSource(c, trace.BaseName(name), ending) {
			continue
		}
		if _, known := languageOf(name); known {
			t.Compiles = true
		} else if every || len(ending) < len(trace.BaseName(name)) && !words.OneOf(ending, noSources) {
			t.Unread = name
		}
	}
}

// hasSource reports whether a command names a file, perhaps by a pattern such as *.f90.
func hasSource(c *trace.Command, base, ending string) bool {
	return slices.ContainsFunc(c.Args(), func(v trace.Value) bool {
		return strings.HasSuffix(v.Text, base) || v.Glob && strings.HasSuffix(v.Text, ending)
	})
}

// runUnread is for a program that a compiler may have made from the file in Trace.Unread. The program did not exist
// before the call, or has the name that a compiler gives it, or another command of the call names it as an output.
// Compiled code for a runtime such as erl can have any name. The file is analyzed as far as possible, and a person must
// approve the call, because the analysis does not know the language of the file.
func runUnread(t *trace.Trace, c *trace.Command) {
	if c.Name != words.Among(c.Name, "erl java mono wine ocamlrun") {
		p := t.Place(c.Argv[0], c.Scope)
		named := strings.HasPrefix(trace.BaseName(t.Unread), c.Name+".") || c.Name == "a.out" || t.Writes(p.Name, c.Run)
		if _, found := c.Scope.Vars.Find("PATH"); strings.IndexByte(c.Argv[0].Text, '/') < 0 && (!found || !named) ||
			!named && (p.Partial || t.Env.Missing != nil && !t.Env.Missing(p.Abs)) {
			return
		}
	}
	f := t.Content[t.Unread]
	t.RunForeign(c, f)
	code.Run(t, c, trace.Other, trace.Value{Text: f.Text})
	t.RunUnknown(c, trace.FromProgram, "runs a program that is perhaps made from "+t.Unread+", which the same command has written")
}

// noteSources remembers the source files that a compiler reads. "make x" compiles x.c unless a Makefile says otherwise.
func noteSources(t *trace.Trace, c *trace.Command) {
	for _, v := range c.Args() {
		if strings.HasSuffix(c.Name, "make") {
			v.Text += ".c"
		}
		if _, ok := languageOf(v.Text); !ok || v.Text[0] == '-' || len(t.Sources) == trace.MaxScripts {
			continue
		}
		if p := t.Place(v, c.Scope); !p.Partial && !p.Glob {
			t.Sources = append(t.Sources, p.Name)
		}
	}
}

// runNamed analyzes the source files on disk that the call has compiled.
func runNamed(t *trace.Trace, c *trace.Command) {
	for _, name := range t.Sources {
		t.InputScript(c, name, func(inner *trace.Command, text string) { runCompiled(t, inner, name, text) })
	}
}

// runDownload analyzes calls of java, papermill and jupyter, except "jupyter nbconvert". These programs run a .jar file
// or a notebook. If the call itself has downloaded that file, its content is foreign code.
func runDownload(t *trace.Trace, c *trace.Command) {
	ending := ".ipynb"
	if c.Name == "java" {
		ending = ".jar"
	} else if c.Name != "papermill" && (c.Name != "jupyter" || trace.ArgAt(c.Argv, 1) == "nbconvert") {
		return
	}
	for i := range c.Argv {
		v := c.Argv[i]
		if agent, isAgent := strings.CutPrefix(v.Text, "-javaagent:"); isAgent {
			v.Text, _, _ = strings.Cut(agent, "=")
		} else {
			v.Text = strings.TrimPrefix(v.Text, "-agentpath:")
		}
		if strings.HasSuffix(v.Text, ending) || strings.HasPrefix(c.Argv[i].Text, "-agentpath:") {
			t.RunForeign(c, t.Content[t.Place(v, c.Scope).Name])
		}
	}
}

// javaOptions analyzes the commands that java runs after an error.
func javaOptions(t *trace.Trace, c *trace.Command) {
	for _, v := range c.Args() {
		option, command, _ := strings.Cut(v.Text, "=")
		if v.Text = command; words.OneOf(option, "-XX:OnError -XX:OnOutOfMemoryError") {
			t.RunText(c, v)
		}
	}
}

// isStarter reports whether a command compiles and runs a program. It returns true for java, although java may also run
// a program that is already compiled.
func isStarter(c *trace.Command) bool {
	if len(c.Argv) < 2 {
		return false
	}
	order := c.Name + ":" + c.Argv[1].Text
	return c.Name == words.Among(c.Name, starters) || order == words.Among(order, starters)
}

func hasOperand(c *trace.Command, text string) bool {
	return slices.ContainsFunc(c.Args(), func(v trace.Value) bool { return v.Text == text })
}

func sourceOperands(c *trace.Command) []trace.Value {
	var out []trace.Value
	for _, v := range c.Args() {
		if _, ok := languageOf(v.Text); ok && !strings.HasPrefix(v.Text, "-") && len(out) < trace.MaxScripts {
			out = append(out, v)
		}
	}
	return out
}

// runSource analyzes a source file that the call has written, or that is on disk.
func runSource(t *trace.Trace, c *trace.Command, v trace.Value) {
	place := t.Place(v, c.Scope)
	if f, ok := t.Content[place.Name]; ok {
		t.RunForeign(c, f)
		if f.Known {
			runCompiled(t, c, place.Name, f.Text)
		}
		return
	}
	t.FromDisk(c, &place, func(inner *trace.Command, text string) { runCompiled(t, inner, place.Name, text) })
}

// runWritten analyzes the source files that the call has written. If the parameter "endings" is not empty, it analyzes
// only the files whose names have one of these endings.
func runWritten(t *trace.Trace, c *trace.Command, endings string) {
	for _, name := range t.Written() {
		f := t.Content[name]
		_, ok := languageOf(name)
		ending := "." + words.AfterLast(name, ".") + " "
		if !ok || endings != "" && !strings.Contains(endings, ending) {
			continue
		}
		if t.RunForeign(c, f); f.Known {
			runCompiled(t, c, name, f.Text)
		}
	}
}

// sourcesOf returns the endings of the source files that a command such as "go run ." uses without naming them.
func sourcesOf(program string) string {
	switch program {
	case "go", "tinygo":
		return ".go "
	case "cargo":
		return ".rs "
	case "java", "kotlin":
		return ".java .kt "
	case "dotnet":
		return ".cs "
	case "swift":
		return ".swift "
	}
	return ".zig .dart .nim .cr .d .scala .v "
}

// languageOf returns the language of a source file, judging by the ending of the file's name.
func languageOf(name string) (trace.Language, bool) {
	ending := name[strings.LastIndexByte(name, '.')+1:]
	switch ending {
	case words.Among(ending, "go rs c h cc cpp cxx hpp cu m java kt kts swift cs csx fs fsx vala zig d v odin"):
		return trace.Compiled, len(ending) < len(name)
	case "dart":
		return trace.Script, true
	case "nim":
		return trace.Python, true
	case "cr":
		return trace.Ruby, true
	case "scala", "sc":
		return trace.Other, true
	}
	return trace.Other, false
}

func runCompiled(t *trace.Trace, c *trace.Command, name, text string) {
	if strings.HasSuffix(name, "_test.go") {
		return
	}
	lang, _ := languageOf(name)
	code.Run(t, c, lang, trace.Value{Text: text})
}
