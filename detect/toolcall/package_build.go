package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// buildHandler knows the tools that build, test and publish in other languages, and those that run targets.
func buildHandler(name string) handler {
	switch name {
	case "go":
		return goTool
	case "cargo":
		return cargo
	case among(name, "mvn mvnw gradle gradlew gradlew.bat sbt lein mill ant"):
		return jvmBuild
	case among(name, "dotnet swift mix stack cabal dart flutter zig gem rake composer nuget dub crystal nimble luarocks "+
		"meson xcodebuild rebar3 gleam opam"):
		return languageTool
	case "bundle", "bundler":
		return bundler
	case "make", "gmake", "mingw32-make":
		return makeTool
	case among(name, "just task go-task ninja bazel bazelisk invoke inv mage earthly pants buck2 doit grunt gulp"):
		return targetRunner
	case "cmake":
		return cmake
	}
	return nil
}

func goTool(a *analyzer, c *command) flow {
	o := parseWords(c.args(), goValues)
	for _, v := range o.values("exec toolexec") {
		a.runText(c, v)
	}
	switch verb := o.word(0); verb {
	case "test":
		a.mark(c, "", effect.TestRun)
	case "run", "generate":
		a.ownSource(c, o.word(1))
		a.opaque(c.span, "runs the project's own programs (go "+verb+"), which are not looked into")
	case "fmt", "fix":
		a.rewrites(c, o.operands[1:])
	case "env":
		for _, v := range o.operands[1:] {
			if key, text, _ := strings.Cut(v.text, "="); o.has("w") && (key == "GOINSECURE" || key == "GONOSUMDB" || key == "GOPROXY" && isInsecure(text) || key == "GOFLAGS" && strings.Contains(text, "insecure")) {
				a.mark(c, "takes modules without checking them ("+v.text+")", effect.UntrustedSource)
			}
		}
	}
	for _, v := range o.values("o coverprofile cpuprofile memprofile blockprofile mutexprofile trace testlogfile") {
		a.write(v, c.sc, c.span)
	}
	return flow{taint: fromProgram}
}

// goValues are the flags of the go command's verbs that take a value.
const goValues = "C o exec toolexec run skip count timeout tags mod modfile ldflags gcflags asmflags overlay coverprofile covermode coverpkg cpuprofile memprofile blockprofile " +
	"mutexprofile trace bench benchtime p parallel cpu pkgdir buildvcs fuzz fuzztime f vettool outputdir"

func cargo(a *analyzer, c *command) flow {
	args := c.args()
	if len(args) > 0 && strings.HasPrefix(args[0].text, "+") {
		args = args[1:]
	}
	o := parseOptions(args, "p package manifest-path target features j jobs profile bin example registry index token git")
	a.sources(c, o.values("index git")...)
	switch o.word(0) {
	case "test", "t", "nextest", "tarpaulin", "llvm-cov":
		a.mark(c, "", effect.TestRun)
	case "publish", "yank", "owner":
		if o.word(0) == "owner" && !o.has("a add r remove") {
			return flow{taint: fromProgram}
		}
		return a.publishes(c, &o, "to the registry")
	case "run", "r":
		a.opaque(c.span, "runs the project's own program (cargo run), which is not looked into")
	}
	return flow{taint: fromProgram}
}

// jvmBuild names its goals as operands: mvn clean deploy, gradle :app:test.
func jvmBuild(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "f file pl projects p project-dir b build-file s settings P x exclude-task")
	if o.has("m dry-run") && strings.HasPrefix(c.name, "gradle") {
		return flow{taint: fromProgram}
	}
	for _, v := range o.operands {
		goal := strings.ToLower(v.text[strings.LastIndexByte(v.text, ':')+1:])
		switch {
		case goal == "publishtomavenlocal" || goal == "publishlocal":
		case goal == "deploy", strings.HasPrefix(goal, "publish"), goal == "release", strings.HasPrefix(goal, "release") && strings.Contains(v.text, "release:"):
			a.mark(c, "publishes ("+v.text+")", effect.Publish)
		case goal == "check" || goal == "verify" || strings.HasSuffix(goal, "test") || strings.HasSuffix(goal, "tests"):
			a.mark(c, "", effect.TestRun)
		}
	}
	return flow{taint: fromProgram}
}

// languageTool is the tool of a language: its first word says what it does, some with a dot or colon: ecto.drop.
func languageTool(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "p project c configuration f framework v s source k api-key key host api-key-name scheme destination workspace")
	for _, v := range o.operands[:min(2, len(o.operands))] {
		switch verb := v.text; {
		case isTestTarget(verb):
			a.mark(c, "", effect.TestRun)
			return flow{taint: fromProgram}
		case oneOf(verb, "publish", "push", "upload", "yank", "hex.publish", "pub.publish"):
			return a.publishes(c, &o, "packages")
		case dropsDatabase(verb):
			a.mark(c, "deletes the data of a database ("+verb+")", effect.DestructiveOp)
			return nothing()
		case verb == "database" && c.name == "dotnet" && oneOf(o.word(2), "drop"):
			a.mark(c, "deletes a database", effect.DestructiveOp)
			return nothing()
		}
	}
	return flow{taint: fromProgram}
}

func bundler(a *analyzer, c *command) flow {
	_, rest := leadingOptions(c.args(), "gemfile")
	if len(rest) > 1 && (rest[0].text == "exec" || rest[0].text == "e") {
		_, inner := leadingOptions(rest[1:], "gemfile")
		return a.inner(c, inner)
	}
	return flow{taint: fromProgram}
}

func makeTool(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), makeValues)
	for _, v := range o.values("eval") {
		a.makefile(c, v.text)
	}
	for _, v := range o.values("f file makefile") {
		in := c.in
		if v.text != "-" && v.text != "/dev/stdin" {
			in = a.contentOf(a.place(v, c.sc))
		}
		if in.known {
			a.makefile(c, in.text)
		} else if in.taint.has(fromNetwork | decoded) {
			a.runUnknown(c, in.taint, "runs a Makefile that it has made")
		}
	}
	if o.has("n dry-run just-print q question v version h help p") {
		return flow{taint: fromProgram}
	}
	named := false
	for _, v := range o.operands {
		if shell, ok := strings.CutPrefix(v.text, "SHELL="); ok {
			a.runText(c, value{text: shell, quality: quality{partial: v.partial}})
		}
		if !strings.Contains(v.text, "=") {
			named = true
			a.target(c, v.text, makeFile)
		}
	}
	if !named {
		a.target(c, "", makeFile)
	}
	return flow{taint: fromProgram}
}

// makefile runs the recipes of a Makefile of which the text is known, and what it computes with $(shell …).
func (a *analyzer) makefile(c *command, text string) {
	for line := range strings.Lines(text) {
		if recipe, ok := strings.CutPrefix(line, "\t"); ok {
			recipe = strings.ReplaceAll(strings.TrimLeft(recipe, "@-+ \t"), "$$", "$")
			a.runText(c, value{text: recipe})
			continue
		}
		if _, rest, ok := strings.Cut(line, ";"); ok && strings.Contains(line, ":") {
			a.runText(c, value{text: rest})
		}
		if _, rest, ok := strings.Cut(line, "$(shell "); ok {
			a.runText(c, value{text: strings.TrimSuffix(strings.TrimSpace(rest), ")")})
		}
	}
}

// targetRunner runs targets of a file of the project.
func targetRunner(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "f justfile d working-directory C t taskfile j dir config")
	if asksForHelp(c) || o.has("l list dry-run summary version help") || c.name == "ninja" && o.has("n") {
		return flow{taint: fromProgram}
	}
	names := o.operands
	if strings.HasPrefix(c.name, "bazel") {
		if o.word(0) == "test" || o.word(0) == "coverage" {
			a.mark(c, "", effect.TestRun)
		}
		if o.word(0) != "run" {
			return flow{taint: fromProgram}
		}
		names = names[1:]
	}
	for _, v := range names[:min(4, len(names))] {
		if !strings.Contains(v.text, "=") {
			a.target(c, v.text, "the file of targets")
		}
	}
	return flow{taint: fromProgram}
}

// cmake builds, and with -E it is a shell of its own: cmake -E rm -rf build.
func cmake(a *analyzer, c *command) flow {
	args := c.args()
	if len(args) > 1 && args[0].text == "-E" {
		return a.cmakeCommand(c, args[1:])
	}
	o := parseOptions(args, "build t target S B G D j config install preset P")
	for _, v := range o.values("t target") {
		if isTestTarget(v.text) {
			a.mark(c, "", effect.TestRun)
		}
	}
	return flow{taint: fromProgram}
}

func (a *analyzer) cmakeCommand(c *command, args []value) flow {
	switch args[0].text {
	case "rm", "touch":
		return a.again(c, args)
	case "env", "time":
		return a.again(c, args)
	case "remove_directory":
		for _, v := range args[1:] {
			a.remove(v, c.sc, c.span, removal{tree: true, how: "deletes"})
		}
	case "remove":
		for _, v := range args[1:] {
			a.remove(v, c.sc, c.span, removal{how: "deletes"})
		}
	case "copy", "copy_directory", "rename", "create_symlink":
		a.write(args[len(args)-1], c.sc, c.span)
	}
	return nothing()
}
