package packages

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// nodePackageHandler knows npm and its relatives.
func nodePackageHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "npm pnpm yarn bun cnpm deno"):
		return npm
	case "npx", "bunx", "pnpx":
		return npx
	case words.Among(name, "nyc c8 cross-env cross-env-shell dotenvx env-cmd"):
		return nodeWrapper
	case "concurrently", "run-s", "run-p", "npm-run-all":
		return scriptList
	case words.Among(name, "playwright cypress ng react-scripts nx turbo lerna hardhat forge vue-cli-service craco changeset "+
		"moon truffle ember stencil"):
		return projectTool
	case words.Among(name, "semantic-release release-it np vsce ovsx jsr"):
		return publisher
	}
	return nil
}

const npmValues = "prefix C w workspace registry tag loglevel otp filter F cwd dir userconfig package p c call"

func npm(t *trace.Trace, c *trace.Command) trace.Flow {
	o, rest := flags.ParseLeading(c.Args(), "prefix C w workspace registry loglevel filter F cwd dir userconfig")
	sources(t, c, o.Values("registry")...)
	if len(rest) == 0 {
		return trace.Nothing()
	}
	all := flags.Parse(rest[1:], npmValues)
	sources(t, c, all.Values("registry")...)
	switch verb := rest[0].Text; verb {
	case words.Among(verb, "test t tst it install-test cit"):
		t.Mark(c, "", effect.TestRun)
		targetOnDisk(t, c, "test", packageFile)
		return trace.Flow{Taint: trace.FromProgram}
	case words.Among(verb, "run run-script rum start stop restart"):
		name := verb
		if strings.HasPrefix(verb, "ru") {
			name = all.Word(0)
		}
		if name != "" {
			target(t, c, name, packageFile)
		}
		return trace.Flow{Taint: trace.FromProgram}
	case "exec", "x", "dlx":
		return npxCommand(t, c, rest[1:])
	case "npm", "workspace", "global":
		return yarnNested(t, c, verb, rest[1:])
	case words.Among(verb, "publish unpublish deprecate owner dist-tag dist-tags access team tag hook"):
		return npmRegistry(t, c, verb, &all)
	case "token":
		return program.Judge(t, c, program.Reveals, "the tokens of the registry")
	case "config", "c", "set", "get":
		return npmConfig(t, c, verb, &all)
	case "pkg":
		for _, v := range all.Operands {
			if key, script, ok := strings.Cut(v.Text, "="); ok && strings.HasPrefix(key, "scripts.") {
				t.RunText(c, trace.Value{Text: script, Quality: trace.Quality{Partial: v.Partial}})
			}
		}
	case "explore":
		inner, _ := flags.AfterDashes(rest)
		return runInner(t, c, inner)
	case "version":
		if len(all.Operands) > 0 && !all.Has("no-git-tag-version") {
			t.Mark(c, "", effect.Commit)
		}
	case words.Among(verb, "install i add ci in update upgrade up"):
		sources(t, c, all.Operands...)
	default:
		return nodeScript(t, c, verb, rest)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// nodeScript analyses a word that npm does not know: yarn, pnpm and bun run the script or program with that name.
func nodeScript(t *trace.Trace, c *trace.Command, verb string, rest []trace.Value) trace.Flow {
	if c.Name == "npm" || isNodeVerb(verb) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if t.Find(trace.ProgramName(verb)) != nil || program.IsTestProgram(verb) {
		return runInner(t, c, rest)
	}
	target(t, c, verb, packageFile)
	return trace.Flow{Taint: trace.FromProgram}
}

func isNodeVerb(verb string) bool {
	return verb == words.Among(verb, "remove rm uninstall un why info list ls link unlink init create audit outdated cache import pack "+
		"policies versions dedupe patch patch-commit rebuild bin login logout whoami view search help root "+
		"prune store env fetch licenses doctor setup server deploy plugin constraints up-interactive pm build "+
		"completion fund bugs repo docs workspaces self-update approve-builds fmt lint check cache-clean "+
		"info-only compile task repl")
}

// yarnNested analyses yarn npm publish and yarn workspace NAME COMMAND.
func yarnNested(t *trace.Trace, c *trace.Command, verb string, rest []trace.Value) trace.Flow {
	if verb == "workspace" {
		rest = rest[min(1, len(rest)):]
	}
	if len(rest) == 0 {
		return trace.Nothing()
	}
	program := trace.Value{Text: "yarn"}
	return t.Again(c, append([]trace.Value{program}, rest...))
}

// npmRegistry analyses orders that change what others get from the registry.
func npmRegistry(t *trace.Trace, c *trace.Command, verb string, o *flags.Options) trace.Flow {
	if verb != "publish" && verb != "unpublish" && verb != "deprecate" && words.OneOf(words.OrElse(o.Word(0), "ls"), "ls", "list", "get", "list-packages", "list-collaborators") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	publishes(t, c, o, "to the registry ("+verb+")")
	if verb == "unpublish" && !o.Has("dry-run") {
		t.Mark(c, "takes a package back from the registry", effect.DestructiveOp)
	}
	return trace.Nothing()
}

func npmConfig(t *trace.Trace, c *trace.Command, verb string, o *flags.Options) trace.Flow {
	words := o.Operands
	if verb == "config" || verb == "c" {
		verb = o.Word(0)
		words = words[min(1, len(words)):]
	}
	if verb == "get" && strings.Contains(trace.JoinAll(words), "_auth") || verb == "get" && strings.Contains(trace.JoinAll(words), "_password") {
		return program.Judge(t, c, program.Reveals, "the token of the registry")
	}
	if verb != "set" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if key, _, _ := strings.Cut(trace.FirstText(words), "="); key == "script-shell" || key == "shell" || key == "git" || key == "onload-script" {
		t.Mark(c, "sets the program that npm runs later ("+key+")", effect.StartupChange)
	}
	for _, v := range words {
		key, text, ok := strings.Cut(v.Text, "=")
		if !ok {
			text = key
		}
		v.Text = text
		sources(t, c, v)
	}
	if text := trace.JoinAll(words); strings.HasPrefix(text, "strict-ssl false") || strings.HasPrefix(text, "strict-ssl=false") {
		t.Mark(c, "takes packages without transport security", effect.UntrustedSource)
	}
	return trace.Nothing()
}

func npx(t *trace.Trace, c *trace.Command) trace.Flow { return npxCommand(t, c, c.Args()) }

func npxCommand(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	o, rest := flags.ParseLeading(args, "p package c call w workspace")
	sources(t, c, o.Values("p package")...)
	if text := o.Values("c call"); len(text) > 0 {
		return t.RunText(c, text[0])
	}
	sources(t, c, rest[:min(1, len(rest))]...)
	return runInner(t, c, rest)
}

// nodeWrapper analyses a program that runs the command after its flags and assignments.
func nodeWrapper(t *trace.Trace, c *trace.Command) trace.Flow {
	_, rest := flags.ParseLeading(c.Args(), "f file reporter r include exclude report-dir temp-directory e")
	for len(rest) > 0 && (strings.Contains(rest[0].Text, "=") || rest[0].Text == "run" || rest[0].Text == "--") {
		rest = rest[1:]
	}
	if c.Name == "cross-env-shell" && len(rest) > 0 {
		return t.RunText(c, trace.Joined(rest))
	}
	return runInner(t, c, rest)
}

// scriptList analyses a program that runs several commands or scripts.
func scriptList(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "n names c prefix-colors prefix k-others max-processes")
	for _, v := range o.Operands {
		if c.Name == "concurrently" {
			t.RunText(c, v)
		} else {
			target(t, c, v.Text, packageFile)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// projectTool analyses the tool of a framework that tests, deploys or publishes.
func projectTool(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "project p t target scope filter")
	words := slices.Concat(o.Operands[:min(2, len(o.Operands))], o.Values("t target"))
	for _, v := range words {
		verb := v.Text[strings.LastIndexByte(v.Text, ':')+1:]
		switch {
		case program.IsTestTarget(v.Text), c.Name == "cypress" && verb == "run":
			t.Mark(c, "", effect.TestRun)
			return trace.Flow{Taint: trace.FromProgram}
		case verb == "publish":
			return publishes(t, c, &o, "packages")
		case verb == "deploy", c.Name == "forge" && o.Has("broadcast"):
			return program.Judge(t, c, program.Releases, c.Name+" "+o.Order())
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// publisher analyses a tool that publishes.
func publisher(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "p pat t")
	if flags.AsksForHelp(c) || o.Has("d ci=false preview") {
		return trace.Nothing()
	}
	if words.OneOf(c.Name, "vsce", "ovsx", "jsr") && !words.OneOf(o.Word(0), "publish", "unpublish") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return publishes(t, c, &o, "packages")
}
