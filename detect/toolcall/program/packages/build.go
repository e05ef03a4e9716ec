package packages

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// buildHandler returns the handler of a build tool or of a program that runs targets, or nil.
func buildHandler(name string) trace.Handler {
	switch name {
	case "cargo":
		return cargo
	case words.Among(name, "mvn mvnw gradle gradlew gradlew.bat sbt lein mill ant"):
		return jvmBuild
	case words.Among(name, "dotnet swift mix stack cabal dart flutter zig gem rake composer nuget dub crystal nimble luarocks "+
		"meson xcodebuild gleam opam"):
		return languageTool
	case "make", "gmake", "mingw32-make":
		return makeTool
	case words.Among(name, "just task go-task ninja bazel bazelisk invoke inv mage earthly pants "+
		"buck2 doit grunt gulp poe"):
		return targetRunner
	case "cmake":
		return cmake
	}
	return nil
}

// goBuild analyzes the flags with which the program "go" runs other programs or writes files.
func goBuild(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.RunTexts(c, o.Values("exec toolexec vettool"))
	if words.OneOf(o.Word(0), "get install mod run") {
		variableSources(t, c)
	}
	if o.Word(0) == "clean" && o.Has("modcache") {
		cleans(t, c, "GOMODCACHE")
	}
	if o.Word(0) == "install" {
		for _, v := range o.Operands[1:] {
			self.MarkInstall(t, c, v.Text, c.Scope.Exported("GOBIN"))
		}
	}
	t.WriteAll(c, o.Values("o coverprofile cpuprofile memprofile blockprofile mutexprofile trace testlogfile"))
	return trace.Flow{Taint: trace.FromProgram}
}

func goTest(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if !o.Has("list c n") {
		t.MarkTest(c)
	}
	return goBuild(t, c, o)
}

func goRun(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	self.OwnSource(t, c, o.Word(1))
	if t.RunsHere(c, "./"+o.Word(1)) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	t.Unanalyzed(c.Span, "runs the project's own programs (go "+o.Word(0)+"), which were not analyzed")
	return goBuild(t, c, o)
}

func goFormat(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	program.Rewrites(t, c, o.Operands[1:])
	return goBuild(t, c, o)
}

// goSet analyzes settings that weaken the checking of modules, such as "go env -w GOINSECURE=HOST".
func goSet(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	for _, v := range o.Operands[1:] {
		key, text, _ := strings.Cut(v.Text, "=")
		t.SensitiveVariable(c, key, trace.Value{Text: text})
		if key == "GOINSECURE" || key == "GONOSUMDB" || key == "GOSUMDB" && text == "off" || key == "GOPROXY" && program.IsInsecure(text) ||
			key == "GOFLAGS" && strings.Contains(text, "insecure") {
			t.Mark(c, "takes modules without checking them ("+v.Text+")", effect.UntrustedSource)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// cleans() adds the effect of deleting the folder whose path is in an environment variable.
func cleans(t *trace.Trace, c *trace.Command, variable string) {
	if folder := c.Scope.Exported(variable); folder.Text != "" {
		t.Remove(folder, c.Scope, c.Span, trace.Removal{Tree: true, How: "deletes"})
	}
}

// The function cargo analyzes a call of the program cargo. It skips the name of a toolchain before the subcommand, as
// in "cargo +nightly test".
func cargo(t *trace.Trace, c *trace.Command) trace.Flow {
	inner := *c
	if args := c.Args(); len(args) > 0 && strings.HasPrefix(args[0].Text, "+") {
		inner.Argv = append([]trace.Value{c.Argv[0]}, args[1:]...)
	}
	o := flags.Parse(inner.Args(), cargoValues)
	sources(t, c, o.Values("index git")...)
	if o.Word(0) == "clean" {
		cleans(t, c, "CARGO_TARGET_DIR")
	}
	for _, v := range o.Values("config") {
		cargoSetting(t, c, v.Text)
	}
	return table.Handler("cargo")(t, &inner)
}

// cargoSetting analyzes a setting of cargo, such as build.rustc-wrapper="./x". Some settings are programs that cargo
// runs.
func cargoSetting(t *trace.Trace, c *trace.Command, text string) {
	key, value, _ := strings.Cut(text, "=")
	if program.IsOneOf(key[strings.LastIndexByte(key, '.')+1:], "rustc|rustc-wrapper|rustc-workspace-wrapper|rustdoc|runner|linker") {
		t.RunText(c, trace.Value{Text: strings.Trim(value, `"' []`)})
	}
}

func cargoRun(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	if t.RunsHere(c, "./Cargo.toml") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	t.Unanalyzed(c.Span, "runs the project's own program (cargo run), which was not analyzed")
	return trace.Flow{Taint: trace.FromProgram}
}

// jvmBuild analyzes build tools whose operands are goals, as in "mvn clean deploy" and "gradle :app:test".
func jvmBuild(t *trace.Trace, c *trace.Command) trace.Flow {
	withValue := "f file pl projects b build-file s settings P "
	if !strings.HasPrefix(c.Name, "mvn") { // the letters of -ntp are no flags of their own
		withValue += "p project-dir x exclude-task"
	}
	o := flags.Parse(c.Args(), withValue)
	if o.Has("m dry-run") && strings.HasPrefix(c.Name, "gradle") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	isTest := words.OneOf(trace.FirstText(o.Values("P")), "test testing it")
	for _, v := range o.Operands {
		goal := strings.ToLower(strings.TrimPrefix(v.Text[strings.LastIndexAny(v.Text, ":/")+1:], "+"))
		switch {
		case strings.HasPrefix(v.Text, "liquibase:") && strings.HasSuffix(goal, "sql"): // only prints SQL
		case words.OneOf(goal, "flywayrepair flywaybaseline changelogsync clearchecksums"),
			words.OneOf(v.Text, "flyway:repair flyway:baseline"):
			if !isTest {
				t.Mark(c, "changes the record of migrations ("+v.Text+")", effect.DestructiveOp)
			}
		case database.DropsDatabase(goal), database.DropsDatabase(v.Text), strings.HasPrefix(v.Text, "liquibase:rollback"):
			if isTest {
				continue
			}
			t.Mark(c, "deletes the data of a database ("+v.Text+")", effect.DestructiveOp)
		case goal == "publishtomavenlocal" || goal == "publishlocal" || onlyTries(c):
		case goal == "jib", v.Text == "jib:build", goal == "deploy", strings.HasPrefix(goal, "publish"), goal == "release",
			strings.HasPrefix(v.Text, "release:"), goal == "bootbuildimage" && o.Has("publishImage"),
			strings.Contains(goal, "upload"), strings.HasPrefix(goal, "closeandrelease"), goal == "ci-release":
			t.Mark(c, "publishes ("+v.Text+")", effect.Publish)
		case words.OneOf(goal, "run bootrun java") && t.RunsHere(c, "./pom.xml"):
		case goal == "check" || goal == "verify" || strings.HasSuffix(goal, "test") || strings.HasSuffix(goal, "tests"):
			t.MarkTest(c)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// onlyTries reports whether Maven only prints what it would publish, or publishes to a folder on this machine.
func onlyTries(c *trace.Command) bool {
	all := trace.JoinAll(c.Args())
	return strings.Contains(all, "-DdryRun=true") || strings.Contains(all, "::file:")
}

// languageTool analyzes the tool of a programming language. It judges a call by its first two words. These words may
// contain a dot or a colon, as in ecto.drop.
func languageTool(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "p project c configuration f framework v s source k api-key key host api-key-name "+
		"scheme destination workspace")
	sources(t, c, o.Values("s source")...)
	if c.Name == "mix" && o.Word(0) == "do" {
		return mixTasks(t, c)
	}
	if c.Name == "composer" {
		composerScript(t, c, &o)
	}
	if c.Name == "rake" && o.Has("T tasks P prereqs D describe W where") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if c.Name == "rake" && len(o.Operands) == 0 {
		t.MarkTest(c) // in most projects, the default task runs the tests
	}
	if (c.Name == "rake" || o.Word(0) == "run") && t.RunsHere(c, "./Rakefile") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	for _, v := range o.Operands[:min(2, len(o.Operands))] {
		if program.IsTest(t, c) {
			break
		}
		switch verb := v.Text; {
		case verb == "publish" && c.Name == "dotnet": // dotnet publish only builds into a folder
		case verb == "push" && isFolder(o.LastText("s source")):
		case program.IsTestTarget(verb):
			t.MarkTest(c)
			return trace.Flow{Taint: trace.FromProgram}
		case verb == words.Among(verb, "publish push upload yank delete hex.publish hex.retire"),
			verb == "release" && c.Name == "rake":
			return publishes(t, c, "packages")
		case database.DropsDatabase(verb), verb == "database" && c.Name == "dotnet" && flags.FirstOf(c.Args(), "--dry-run") == "" &&
			!hasTemporaryDatabase(c.Scope) &&
			(o.Word(2) == "drop" || o.Word(2) == "update" && o.Word(3) == "0"):
			t.Mark(c, "deletes the data of a database ("+o.Order()+")", effect.DestructiveOp)
			return trace.Nothing()
		case (words.MeaningOf(verb) == words.Reverts && !program.RevertsForDevelopment(c) ||
			words.MeaningOf(verb) == words.Destroys && c.Name == "rake") && strings.ContainsAny(verb, ":."):
			t.Mark(c, "deletes data or undoes changes of a database ("+verb+")", effect.DestructiveOp)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// isFolder reports whether the source of packages is a folder of this machine. It returns false if the text is the name
// of a source.
func isFolder(source string) bool {
	return strings.HasPrefix(source, "/") || strings.HasPrefix(source, "./") || strings.HasPrefix(source, "~/")
}

// hasTemporaryDatabase reports whether the variables contain connection strings of .NET, and all these connection
// strings lead to databases in memory or in /tmp.
func hasTemporaryDatabase(s *trace.Scope) bool {
	found, other := false, false
	s.Vars.Changes(trace.Table[trace.Variable]{}, func(name string, variable trace.Variable) {
		v := variable.Scalar()
		if text := strings.ToLower(v.Text); strings.HasPrefix(strings.ToLower(name), "connectionstrings__") {
			found = true
			other = other || v.Partial || strings.Contains(text, "/..") || !strings.HasPrefix(text, "data source=/tmp/") &&
				!strings.HasPrefix(text, "data source=:memory:")
		}
	})
	return found && !other
}

// mixTasks analyzes "mix do", which runs several tasks: "mix do deps.get, compile" or "mix do deps.get + compile".
func mixTasks(t *trace.Trace, c *trace.Command) trace.Flow {
	task := c.Argv[:1:1]
	for _, v := range append(afterSubcommand(c, ""), trace.Value{Text: "+"}) {
		text, ends := strings.CutSuffix(v.Text, ",")
		if v.Text = text; text != "" && text != "+" {
			task = append(task, v)
		}
		if ends || text == "+" {
			t.RunInner(c, task)
			task = c.Argv[:1:1]
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func bundleExec(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	inner := flags.SkipLeading(afterSubcommand(c, "gemfile"), "gemfile")
	return runInner(t, c, inner)
}

// checkedCommand analyzes a command that a program runs as a test.
func checkedCommand(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.MarkTest(c)
	return innerCommand(t, c, o)
}

// innerCommand analyzes the command that follows a subcommand.
func innerCommand(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	return runInner(t, c, afterSubcommand(c, ""))
}

// wholeCommand analyzes a program that runs its arguments as a command.
func wholeCommand(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	return runInner(t, c, flags.SkipLeading(c.Args(), ""))
}

func makeTool(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), makeValues)
	dry := o.HasWhole(onlyPrints)
	for _, v := range o.Values("eval E") {
		runRules(t, c, v.Text, dry)
	}
	for _, v := range o.Values("C directory") {
		if o.Word(0) == "install" && !dry && trace.IsOwnName(trace.BaseName(strings.TrimRight(v.Text, "/"))) {
			t.Mark(c, "installs another build of the guard", effect.GuardTamper)
		}
	}
	for _, v := range o.Values("f file makefile") {
		in := c.In
		if v.Pipe != nil {
			in = *v.Pipe
		} else if v.Text != "-" && v.Text != "/dev/stdin" {
			in = t.ContentOf(t.Place(v, c.Scope))
		}
		if in.Known {
			runRules(t, c, in.Text, dry)
		} else if in.Taint.Has(trace.FromNetwork | trace.Decoded) {
			t.RunUnknown(c, in.Taint, "runs a downloaded or decoded Makefile")
		}
	}
	if _, text, ok := strings.Cut(trace.JoinAll(o.Operands), "$(shell "); ok {
		text, _, _ = strings.Cut(text, ")")
		t.RunText(c, trace.Value{Text: text})
	}
	if o.HasWhole(onlyPrints + " v version h help p") {
		if dry {
			targetOnDisk(t, c, o.Word(0), makeFile)
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
	named := false
	for _, v := range o.Operands {
		if name, program, ok := strings.Cut(v.Text, "="); ok && trace.RunsCode(name) {
			t.RunText(c, trace.Value{Text: program, Quality: trace.Quality{Partial: v.Partial}})
		}
		if !strings.Contains(v.Text, "=") && !t.Full {
			named = true
			target(t, c, v.Text, makeFile)
		}
	}
	if !named {
		target(t, c, "", makeFile)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// runRules analyzes the recipes and the commands in $(shell …) of a Makefile whose text is known. For the parameter
// "dry", see recipes().
func runRules(t *trace.Trace, c *trace.Command, text string, dry bool) {
	for _, line := range strings.Split(text, "\n") {
		recipe, ok := strings.CutPrefix(line, "\t")
		if _, inline, found := strings.Cut(line, ";"); found && !ok && strings.Contains(line, ":") {
			recipe, ok = inline, true
		}
		if ok && (!dry || !onlyPrinted(recipe)) {
			recipe = words.Replace(strings.TrimLeft(recipe, "@-+ \t"), "$$", "$", "$(MAKE)", makeName(dry))
			t.RunText(c, trace.Value{Text: recipe})
		}
		if strings.HasPrefix(line, "\t") && !dry {
			continue // RunText has already analyzed $(shell …)
		}
		if files, ok := strings.CutPrefix(strings.TrimLeft(line, "-s"), "include "); ok && !strings.HasPrefix(line, "\t") {
			for _, v := range flags.SplitWords(files, trace.Value{}) {
				if f := t.Content[t.Place(v, c.Scope).Name]; f.Known && t.Depth < trace.MaxDepth {
					t.Depth++
					runRules(t, c, f.Text, dry)
					t.Depth--
				}
			}
		}
		if _, rest, ok := strings.Cut(line, "$(shell "); ok {
			t.RunText(c, trace.Value{Text: strings.TrimSuffix(strings.TrimSpace(rest), ")")})
		}
	}
}

// targetRunner analyzes a program that runs targets. A file of the project defines these targets.
func targetRunner(t *trace.Trace, c *trace.Command) trace.Flow {
	args, isJust := c.Args(), c.Name == "just"
	var rest []trace.Value
	if isJust { // flags behind the first operand belong to a recipe
		if words.OneOf(trace.ArgAt(args, 0), "-c --command") {
			return runInner(t, c, args[1:])
		}
		rest = flags.SkipLeading(args, justValues)
		args = args[:len(args)-len(rest)]
	}
	o := flags.Parse(args, "C t taskfile j dir config "+justValues)
	o.Operands = append(o.Operands, rest...)
	if flags.AsksForHelp(c) || o.Has("l list dry-run summary version help show dump evaluate") ||
		(isJust || c.Name == "ninja") && o.Has("n") || isJust && justRecipes(t, c, &o) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if c.Name == "earthly" && o.Has("push") {
		t.Mark(c, "publishes what the targets build", effect.Publish)
	}
	names := o.Operands
	if strings.HasPrefix(c.Name, "bazel") {
		if o.Word(0) == "test" || o.Word(0) == "coverage" {
			t.MarkTest(c)
		}
		if o.Word(0) != "run" {
			return trace.Flow{Taint: trace.FromProgram}
		}
		names = names[1:]
	}
	if len(names) == 0 && c.Name != "ninja" {
		target(t, c, "", "the file of targets")
	}
	for _, v := range names[:min(4, len(names))] {
		if !strings.Contains(v.Text, "=") {
			target(t, c, v.Text, "the file of targets")
			if strings.HasPrefix(c.Name, "bazel") {
				bazelRun(t, c, v.Text)
			}
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// bazelRun marks a target that publishes or deploys, such as //web:push and //deploy:prod.apply.
func bazelRun(t *trace.Trace, c *trace.Command, label string) {
	switch name := label[strings.LastIndexAny(label, ":/._")+1:]; name {
	case "push", "publish":
		t.Mark(c, "publishes ("+label+")", effect.Publish)
	case "apply":
		program.Judge(t, c, program.Releases, label)
	}
}

// cmake() analyzes builds with cmake, and commands after -E, such as "cmake -E rm -rf build".
func cmake(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if len(args) > 1 && args[0].Text == "-E" {
		return cmakeCommand(t, c, args[1:])
	}
	o := flags.Parse(args, "build t target S B G D j config install preset P")
	for _, v := range o.Values("t target") {
		if program.IsTestTarget(v.Text) {
			t.MarkTest(c)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func cmakeCommand(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	switch args[0].Text {
	case "rm", "touch":
		return t.RunInner(c, args)
	case "env", "time":
		return t.RunInner(c, args)
	case "remove_directory":
		for _, v := range args[1:] {
			t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: true, How: "deletes"})
		}
	case "remove":
		for _, v := range args[1:] {
			t.Remove(v, c.Scope, c.Span, trace.Removal{How: "deletes"})
		}
	case "copy", "copy_directory", "rename", "create_symlink":
		t.WriteInto(args[len(args)-1], []string{trace.Everything}, c.Scope, c.Span)
	}
	return trace.Nothing()
}
