package packages

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func nodePackageHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "npm pnpm yarn bun cnpm deno"):
		return node
	case "npx", "bunx", "pnpx":
		return npx
	case words.Among(name, "nyc c8 cross-env cross-env-shell dotenvx env-cmd"):
		return nodeWrapper
	case "concurrently", "run-s", "run-p", "npm-run-all":
		return scriptList
	case words.Among(name, "playwright cypress ng react-scripts nx turbo lerna hardhat forge vue-cli-service craco changeset "+
		"moon truffle ember stencil"):
		return projectTool
	}
	return nil
}

// node() analyzes a call of npm or a similar program. It checks the registry that the call names, and then the
// subcommand.
func node(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), npmValues)
	sources(t, c, o.Values("registry")...)
	self.MarkClientVersion(t, c)
	return table.Handler(c.Name)(t, c)
}

func afterSubcommand(c *trace.Command, leading string) []trace.Value {
	rest := flags.SkipLeading(c.Args(), leading)
	return rest[min(1, len(rest)):]
}

func nodeTest(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	t.MarkTest(c)
	targetOnDisk(t, c, "test", packageFile)
	return trace.Flow{Taint: trace.FromProgram}
}

// nodeRun analyzes the script that the second word names, as in "npm run build". If there is no such script, yarn and
// bun run the program with that name.
func nodeRun(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	name := o.Word(1)
	if !words.OneOf(c.Name, "yarn bun") || t.Find(trace.ProgramName(name)) == nil || program.IsTestTarget(name) ||
		program.IsReleaseTarget(name) {
		target(t, c, name, packageFile)
	} else if !targetOnDisk(t, c, name, packageFile) {
		return runInner(t, c, flags.SkipLeading(afterSubcommand(c, npmLeading), ""))
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// nodeOwn analyzes the script with the same name as the subcommand.
func nodeOwn(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	target(t, c, o.Word(0), packageFile)
	return trace.Flow{Taint: trace.FromProgram}
}

func nodeExec(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	return npxCommand(t, c, afterSubcommand(c, npmLeading))
}

// nodeExplore analyzes the command after "--", as in "npm explore PACKAGE -- COMMAND" and "mise exec -- COMMAND".
func nodeExplore(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	inner, _ := flags.AfterDashes(c.Args())
	return runInner(t, c, inner)
}

// nodePackage analyzes "npm pkg set", which can change the scripts in package.json.
func nodePackage(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	for _, v := range o.Operands[1:] {
		if key, script, ok := strings.Cut(v.Text, "="); ok && strings.HasPrefix(key, "scripts.") {
			t.RunText(c, trace.Value{Text: script, Quality: trace.Quality{Partial: v.Partial}})
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// nodeInstall checks where the packages come from. If the call names no packages, npm also runs scripts of the project.
func nodeInstall(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if len(o.Operands) == 1 && c.Name != "deno" {
		lifecycle(t, c, o)
	}
	return installs(t, c, o)
}

// nodeAlone analyzes a call without a subcommand. If the program is yarn, such a call installs the packages of the
// project.
func nodeAlone(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if c.Name == "yarn" && !o.HasWhole("v version h help") {
		lifecycle(t, c, o)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// The function lifecycle analyzes the scripts that run when the packages of a project are installed.
func lifecycle(t *trace.Trace, c *trace.Command, o *flags.Options) {
	if !o.IsOn("ignore-scripts") {
		targetOnDisk(t, c, installScript, packageFile)
		targetOnDisk(t, c, "prepare", packageFile)
	}
}

// installs() checks where the packages come from. The names of the packages follow the subcommand.
func installs(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	sources(t, c, append(o.Values("source"), o.Operands[1:]...)...)
	variableSources(t, c)
	return trace.Flow{Taint: trace.FromProgram}
}

// installsNamed does the same as installs() for a program that has no subcommands. All operands of such a program are
// packages.
func installsNamed(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	sources(t, c, o.Operands...)
	return trace.Flow{Taint: trace.FromProgram}
}

// nodeScript analyzes a call whose first word is not a known subcommand. For such a call, yarn, pnpm and bun run the
// script or program with that name, but npm does not.
func nodeScript(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if c.Name == "npm" {
		program.ByWords(t, c)
		return trace.Flow{Taint: trace.FromProgram}
	}
	verb := o.Word(0)
	if words.OneOf(c.Name+":"+verb, "deno:fmt deno:lint deno:check deno:compile bun:build pnpm:deploy pnpm:server") {
		return trace.Flow{Taint: trace.FromProgram} // in calls of other programs, these words are the names of scripts
	}
	if t.Find(trace.ProgramName(verb)) != nil || program.IsTestProgram(verb) {
		rest := flags.SkipLeading(c.Args(), npmLeading)
		return runInner(t, c, rest)
	}
	target(t, c, verb, packageFile)
	return trace.Flow{Taint: trace.FromProgram}
}

// nodeNested analyzes "yarn npm publish", "yarn workspace NAME COMMAND" and "yarn workspaces foreach COMMAND".
func nodeNested(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	rest := afterSubcommand(c, npmLeading)
	switch o.Word(0) {
	case "workspace":
		rest = rest[min(1, len(rest)):]
	case "workspaces": // as in yarn workspaces foreach
		for len(rest) > 0 && !words.OneOf(rest[0].Text, "run exec") {
			rest = rest[1:]
		}
	}
	if len(rest) == 0 {
		return trace.Nothing()
	}
	return t.RunInner(c, append([]trace.Value{{Text: "yarn"}}, rest...))
}

// nodeConfig analyzes commands that show or set options of npm, such as "npm config set KEY VALUE" and "npm set
// KEY=VALUE".
func nodeConfig(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	settings := o.Operands
	if words.OneOf(o.Word(0), "config c") {
		settings = settings[1:]
	}
	verb := trace.FirstText(settings)
	settings = settings[min(1, len(settings)):]
	text := trace.JoinAll(settings)
	if verb == "get" && (strings.Contains(text, "_auth") || strings.Contains(text, "_password")) {
		return program.Judge(t, c, program.Reveals, "the token of the registry")
	}
	if verb != "set" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	key, _, _ := strings.Cut(trace.FirstText(settings), "=")
	if words.OneOf(key, "script-shell shell git onload-script") {
		t.Mark(c, "sets the program that npm runs later ("+key+")", effect.StartupChange)
	}
	for _, v := range settings {
		if _, value, ok := strings.Cut(v.Text, "="); ok {
			v.Text = value
		}
		sources(t, c, v)
	}
	if strings.HasPrefix(text, "strict-ssl false") || strings.HasPrefix(text, "strict-ssl=false") {
		t.Mark(c, "takes packages without transport security", effect.UntrustedSource)
	}
	return trace.Nothing()
}

func npx(t *trace.Trace, c *trace.Command) trace.Flow { return npxCommand(t, c, c.Args()) }

func npxCommand(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	self.MarkClientVersion(t, c)
	o, rest := flags.ParseLeading(args, "p package c call w workspace")
	runsFrom(t, c, o.Values("p package")...)
	if text := o.Values("c call"); len(text) > 0 {
		return t.RunText(c, text[0])
	}
	runsFrom(t, c, rest[:min(1, len(rest))]...)
	return runInner(t, c, rest)
}

// nodeWrapper analyzes a program that runs the command after its flags and assignments.
func nodeWrapper(t *trace.Trace, c *trace.Command) trace.Flow {
	rest := flags.SkipLeading(c.Args(), "f file reporter r include exclude report-dir temp-directory e")
	for len(rest) > 0 && (strings.Contains(rest[0].Text, "=") || rest[0].Text == "run" || rest[0].Text == "--") {
		rest = rest[1:]
	}
	if c.Name == "dotenvx" && len(rest) > 0 && (rest[0].Text == "get" || rest[0].Text == "keypair") {
		if o := flags.Parse(rest, "f fk"); o.Word(1) == "" || trace.IsSecretVariable(o.Word(1)) {
			return program.Judge(t, c, program.Reveals, "dotenvx "+rest[0].Text)
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
	if c.Name == "cross-env-shell" && len(rest) > 0 {
		return t.RunText(c, trace.Joined(rest))
	}
	out := runInner(t, c, rest)
	if c.Name == "env-cmd" || c.Name == "dotenvx" {
		return program.MarkEnviron(t, c, out)
	}
	return out
}

// scriptList analyzes a program that runs several commands or scripts.
func scriptList(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "n names c prefix-colors prefix k-others max-processes")
	for _, v := range o.Operands {
		if c.Name == "concurrently" {
			// npm:build stands for npm run build.
			manager, script, isScript := strings.Cut(v.Text, ":")
			if isScript && words.OneOf(manager, "npm yarn pnpm bun node") {
				target(t, c, script, packageFile)
				continue
			}
			t.RunText(c, v)
		} else {
			target(t, c, v.Text, packageFile)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// isLocalChain reports whether a call works with a blockchain on this machine.
func isLocalChain(o *flags.Options) bool {
	return program.IsOneOf(trace.FirstText(o.Values("network")), "localhost|hardhat|development|anvil") ||
		trace.IsLoopback(trace.HostOf(trace.FirstText(o.Values("rpc-url fork-url"))))
}

// projectTool analyzes a tool of a framework. The tool tests, deploys or publishes a project.
func projectTool(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "project p t target scope filter network rpc-url fork-url")
	if isLocalChain(&o) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	words := slices.Concat(o.Operands[:min(2, len(o.Operands))], o.Values("t target"))
	for _, v := range words {
		verb := v.Text[strings.LastIndexByte(v.Text, ':')+1:]
		switch {
		case program.IsTestTarget(v.Text), c.Name == "cypress" && verb == "run":
			t.MarkTest(c)
			return trace.Flow{Taint: trace.FromProgram}
		case verb == "publish", c.Name == "nx" && v.Text == "release" && !program.IsOneOf(o.Word(1), "version|changelog|plan|plan:check"):
			return publishes(t, c, "packages")
		case verb == "deploy", c.Name == "forge" && o.Has("broadcast"):
			return program.Judge(t, c, program.Releases, c.Name+" "+o.Order())
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// replacesFolder marks a project generator that replaces the files of a folder. There is one exception: as the first
// command of a call, degit may copy to a folder that is empty or does not exist yet.
func replacesFolder(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if len(o.Operands) == 2 && words.OneOf(c.Name, "degit tiged") && isFirst(t, c) && t.Env.List != nil {
		p := t.Place(o.Operands[1], c.Scope)
		files, folders := t.Env.List(p.Abs)
		if !p.Partial && !p.Glob && p.Abs != "" && len(files)+len(folders) == 0 && t.Spend(stepsOfList) {
			return trace.Flow{Taint: trace.FromProgram}
		}
	}
	t.Mark(c, "replaces the files of a folder: "+c.Name+" "+o.Order(), effect.DestructiveOp)
	return trace.Flow{Taint: trace.FromProgram}
}

// isFirst reports whether the earlier commands of the call only start programs, and have no other effects and no
// events.
func isFirst(t *trace.Trace, c *trace.Command) bool {
	for i := range min(c.Run, len(t.Effects)) {
		if t.Effects[i].Kind != effect.Run || len(t.Effects[i].Events) > 0 {
			return false
		}
	}
	return true
}

// stepsOfList is the number of steps that the analysis counts for listing a folder.
const stepsOfList = 1500
