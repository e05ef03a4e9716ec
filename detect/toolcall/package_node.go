package toolcall

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
)

// nodePackageHandler knows npm and its relatives.
func nodePackageHandler(name string) handler {
	switch name {
	case among(name, "npm pnpm yarn bun cnpm deno"):
		return npm
	case "npx", "bunx", "pnpx":
		return npx
	case among(name, "nyc c8 cross-env cross-env-shell dotenvx env-cmd"):
		return nodeWrapper
	case "concurrently", "run-s", "run-p", "npm-run-all":
		return scriptList
	case among(name, "playwright cypress ng react-scripts nx turbo lerna hardhat forge vue-cli-service craco changeset "+
		"moon truffle ember stencil"):
		return projectTool
	case among(name, "semantic-release release-it np vsce ovsx jsr"):
		return publisher
	}
	return nil
}

const npmValues = "prefix C w workspace registry tag loglevel otp filter F cwd dir userconfig package p c call"

func npm(a *analyzer, c *command) flow {
	o, rest := leadingOptions(c.args(), "prefix C w workspace registry loglevel filter F cwd dir userconfig")
	a.sources(c, o.values("registry")...)
	if len(rest) == 0 {
		return nothing()
	}
	all := parseOptions(rest[1:], npmValues)
	a.sources(c, all.values("registry")...)
	switch verb := rest[0].text; verb {
	case among(verb, "test t tst it install-test cit"):
		a.mark(c, "", effect.TestRun)
		a.targetOnDisk(c, "test", packageFile)
		return flow{taint: fromProgram}
	case among(verb, "run run-script rum start stop restart"):
		name := verb
		if strings.HasPrefix(verb, "ru") {
			name = all.word(0)
		}
		if name != "" {
			a.target(c, name, packageFile)
		}
		return flow{taint: fromProgram}
	case "exec", "x", "dlx":
		return a.npxCommand(c, rest[1:])
	case "npm", "workspace", "global":
		return a.yarnNested(c, verb, rest[1:])
	case among(verb, "publish unpublish deprecate owner dist-tag dist-tags access team tag hook"):
		return a.npmRegistry(c, verb, &all)
	case "token":
		return a.judge(c, reveals, "the tokens of the registry")
	case "config", "c", "set", "get":
		return a.npmConfig(c, verb, &all)
	case "pkg":
		for _, v := range all.operands {
			if key, script, ok := strings.Cut(v.text, "="); ok && strings.HasPrefix(key, "scripts.") {
				a.runText(c, value{text: script, quality: quality{partial: v.partial}})
			}
		}
	case "explore":
		inner, _ := afterDashes(rest)
		return a.inner(c, inner)
	case "version":
		if len(all.operands) > 0 && !all.has("no-git-tag-version") {
			a.mark(c, "", effect.Commit)
		}
	case among(verb, "install i add ci in update upgrade up"):
		a.sources(c, all.operands...)
	default:
		return a.nodeScript(c, verb, rest)
	}
	return flow{taint: fromProgram}
}

// nodeScript is a word that npm does not know: yarn, pnpm and bun run the script or program of that name.
func (a *analyzer) nodeScript(c *command, verb string, rest []value) flow {
	if c.name == "npm" || isNodeVerb(verb) {
		return flow{taint: fromProgram}
	}
	if a.find(programName(verb)) != nil || isTestProgram(verb) {
		return a.inner(c, rest)
	}
	a.target(c, verb, packageFile)
	return flow{taint: fromProgram}
}

func isNodeVerb(verb string) bool {
	return verb == among(verb, "remove rm uninstall un why info list ls link unlink init create audit outdated cache import pack "+
		"policies versions dedupe patch patch-commit rebuild bin login logout whoami view search help root "+
		"prune store env fetch licenses doctor setup server deploy plugin constraints up-interactive pm build "+
		"completion fund bugs repo docs workspaces self-update approve-builds fmt lint check cache-clean "+
		"info-only compile task repl")
}

// yarnNested is yarn npm publish and yarn workspace name command.
func (a *analyzer) yarnNested(c *command, verb string, rest []value) flow {
	if verb == "workspace" {
		rest = rest[min(1, len(rest)):]
	}
	if len(rest) == 0 {
		return nothing()
	}
	program := value{text: "yarn"}
	return a.again(c, append([]value{program}, rest...))
}

// npmRegistry changes what others get from the registry.
func (a *analyzer) npmRegistry(c *command, verb string, o *options) flow {
	if verb != "publish" && verb != "unpublish" && verb != "deprecate" && oneOf(orElse(o.word(0), "ls"), "ls", "list", "get", "list-packages", "list-collaborators") {
		return flow{taint: fromProgram}
	}
	a.publishes(c, o, "to the registry ("+verb+")")
	if verb == "unpublish" && !o.has("dry-run") {
		a.mark(c, "takes a package back from the registry", effect.DestructiveOp)
	}
	return nothing()
}

func (a *analyzer) npmConfig(c *command, verb string, o *options) flow {
	words := o.operands
	if verb == "config" || verb == "c" {
		verb = o.word(0)
		words = words[min(1, len(words)):]
	}
	if verb == "get" && strings.Contains(joinAll(words), "_auth") || verb == "get" && strings.Contains(joinAll(words), "_password") {
		return a.judge(c, reveals, "the token of the registry")
	}
	if verb != "set" {
		return flow{taint: fromProgram}
	}
	if key, _, _ := strings.Cut(firstText(words), "="); key == "script-shell" || key == "shell" || key == "git" || key == "onload-script" {
		a.mark(c, "sets the program that npm runs later ("+key+")", effect.StartupChange)
	}
	for _, v := range words {
		key, text, ok := strings.Cut(v.text, "=")
		if !ok {
			text = key
		}
		v.text = text
		a.sources(c, v)
	}
	if text := joinAll(words); strings.HasPrefix(text, "strict-ssl false") || strings.HasPrefix(text, "strict-ssl=false") {
		a.mark(c, "takes packages without transport security", effect.UntrustedSource)
	}
	return nothing()
}

func npx(a *analyzer, c *command) flow { return a.npxCommand(c, c.args()) }

func (a *analyzer) npxCommand(c *command, args []value) flow {
	o, rest := leadingOptions(args, "p package c call w workspace")
	a.sources(c, o.values("p package")...)
	if text := o.values("c call"); len(text) > 0 {
		return a.runText(c, text[0])
	}
	a.sources(c, rest[:min(1, len(rest))]...)
	return a.inner(c, rest)
}

// nodeWrapper runs what follows its flags and assignments.
func nodeWrapper(a *analyzer, c *command) flow {
	_, rest := leadingOptions(c.args(), "f file reporter r include exclude report-dir temp-directory e")
	for len(rest) > 0 && (strings.Contains(rest[0].text, "=") || rest[0].text == "run" || rest[0].text == "--") {
		rest = rest[1:]
	}
	if c.name == "cross-env-shell" && len(rest) > 0 {
		return a.runText(c, joined(rest))
	}
	return a.inner(c, rest)
}

// scriptList runs several commands or scripts.
func scriptList(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "n names c prefix-colors prefix k-others max-processes")
	for _, v := range o.operands {
		if c.name == "concurrently" {
			a.runText(c, v)
		} else {
			a.target(c, v.text, packageFile)
		}
	}
	return flow{taint: fromProgram}
}

// projectTool is the tool of a framework, which tests, deploys or publishes by one of its first words.
func projectTool(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "project p t target scope filter")
	words := slices.Concat(o.operands[:min(2, len(o.operands))], o.values("t target"))
	for _, v := range words {
		verb := v.text[strings.LastIndexByte(v.text, ':')+1:]
		switch {
		case isTestTarget(v.text), c.name == "cypress" && verb == "run":
			a.mark(c, "", effect.TestRun)
			return flow{taint: fromProgram}
		case verb == "publish":
			return a.publishes(c, &o, "packages")
		case verb == "deploy", c.name == "forge" && o.has("broadcast"):
			return a.judge(c, releases, c.name+" "+o.order())
		}
	}
	return flow{taint: fromProgram}
}

// publisher is a tool that publishes; some do nothing else.
func publisher(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "p pat t")
	if asksForHelp(c) || o.has("d ci=false preview") {
		return nothing()
	}
	if oneOf(c.name, "vsce", "ovsx", "jsr") && !oneOf(o.word(0), "publish", "unpublish") {
		return flow{taint: fromProgram}
	}
	return a.publishes(c, &o, "packages")
}
