package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// gitHandler knows git and what stands in for it.
func gitHandler(name string) handler {
	switch name {
	case "git", "git.exe":
		return git
	case "git-filter-repo", "bfg":
		return func(a *analyzer, c *command) flow {
			a.mark(c, "rewrites recorded history", effect.HistoryRewrite)
			return unknown()
		}
	}
	return nil
}

// gitCall is a git command behind its global options.
type gitCall struct {
	*command
	verb string
	rest []value
	o    options
}

func git(a *analyzer, c *command) flow {
	i, aliases := a.gitGlobals(c)
	if i >= len(c.argv) {
		return unknown()
	}
	if c.argv[i].partial {
		a.opaque(c.span, "runs a git command that is not known", effect.OpaqueExecution)
		return unknown()
	}
	verb := c.argv[i].text
	if alias, ok := aliases[verb]; ok {
		return a.gitAlias(c, alias, c.argv[i+1:])
	}
	g := &gitCall{command: c, verb: verb, rest: c.argv[i+1:]}
	g.o = parseOptions(g.rest, gitFlags(verb))
	if i > 1 {
		a.plainForm(c, i)
	}
	if g.o.has("help h") && len(g.rest) == 1 || g.o.has("dry-run") {
		return nothing()
	}
	a.swapTree(g)
	a.guardInGit(g)
	return a.gitVerb(g)
}

// plainForm lets a pattern such as Bash(git push*) match git -C dir push.
func (a *analyzer) plainForm(c *command, verb int) {
	if c.run < len(a.effects) {
		e := &a.effects[c.run]
		e.Forms = append(e.Forms, "git "+joinArgs(c.argv[verb:]))
	}
}

// gitGlobals steps over git's global options; it returns where the verb stands and the aliases that -c defines.
func (a *analyzer) gitGlobals(c *command) (int, map[string]string) {
	var aliases map[string]string
	i := 1
	for i < len(c.argv) && strings.HasPrefix(c.argv[i].text, "-") {
		switch text := c.argv[i].text; text {
		case "-c", "--config-env":
			if i+1 < len(c.argv) {
				aliases = a.gitConfigArg(c, c.argv[i+1], aliases)
			}
			i++
		case "-C":
			c.sc = c.sc.sub()
			if i+1 < len(c.argv) {
				changeDir(a, &command{name: "cd", argv: c.argv[i : i+2], sc: c.sc, run: c.run})
			}
			i++
		case among(text, "--git-dir --work-tree --namespace --exec-path --super-prefix"):
			i++
		}
		i++
	}
	return i, aliases
}

func (a *analyzer) gitAlias(c *command, alias string, rest []value) flow {
	if script, ok := strings.CutPrefix(alias, "!"); ok {
		for _, v := range rest {
			script += " " + quote(v.text)
		}
		return a.inside(c.span, func() flow { return a.script(script, c.sc.sub(), nothing()) })
	}
	argv := append([]value{{text: "git"}}, splitWords(alias, value{})...)
	return a.again(c, append(argv, rest...))
}

// gitFlags lists the flags with values of git's verbs.
func gitFlags(verb string) string {
	switch verb {
	case "commit":
		return "m F C c t S_ message file author date template reuse-message reedit-message fixup squash cleanup trailer"
	case "push":
		return "o push-option receive-pack repo exec"
	case "fetch", "ls-remote":
		return "o server-option upload-pack exec depth j jobs refmap filter sort"
	case "clone":
		return "b o c u branch origin config depth upload-pack reference template jobs j shallow-since filter"
	case "tag":
		return "m F u message file local-user sort format contains points-at"
	case among(verb, "merge rebase cherry-pick revert pull"):
		return "m s X x S_ message strategy strategy-option exec onto file F upload-pack"
	case "checkout", "switch", "worktree":
		return "b B c C orphan create force-create reason"
	case "branch":
		return "u t set-upstream-to sort format contains merged no-merged"
	case among(verb, "log diff show shortlog reflog"):
		return "n S G L O format pretty author grep since until after before max-count output"
	case "clean":
		return "e exclude"
	case "grep":
		return "e f A B C m"
	case "config":
		return "f file blob type default"
	case "stash":
		return "m message"
	case "archive":
		return "o output prefix format remote exec"
	case "difftool":
		return "x t extcmd tool"
	case "format-patch":
		return "o output-directory"
	case "apply":
		return "p C directory exclude include whitespace"
	}
	return ""
}

// gitVerb sorts the verbs into those that make commits, those that lose something, and those that read.
func (a *analyzer) gitVerb(g *gitCall) flow {
	switch g.verb {
	case among(g.verb, "commit revert cherry-pick am merge pull rebase"):
		a.gitCommits(g)
	case "push", "send-pack":
		a.gitPush(g)
	case among(g.verb, "reset checkout switch restore clean stash branch worktree rm mv tag read-tree checkout-index "+
		"submodule sparse-checkout"):
		a.gitTree(g)
	case among(g.verb, "filter-branch filter-repo reflog gc prune update-ref replace fast-import symbolic-ref notes repack"):
		a.gitHistory(g)
	case "add", "stage":
		a.gitAdd(g)
	case "apply":
		a.gitApply(g)
	case "config":
		a.gitConfig(g)
	case among(g.verb, "clone fetch ls-remote remote init"):
		a.gitRemote(g)
	case "bisect", "difftool", "mergetool":
		for _, v := range g.o.values("x extcmd") {
			a.runText(g.command, v)
		}
		if len(g.rest) > 1 && g.rest[0].text == "run" {
			a.again(g.command, g.rest[1:])
		}
	case "archive", "bundle", "format-patch":
		for _, v := range g.o.values("o output output-directory") {
			a.write(v, g.sc, g.span)
		}
		if g.verb == "bundle" && g.o.word(0) == "create" && len(g.o.operands) > 1 {
			a.write(g.o.operands[1], g.sc, g.span)
		}
	case "credential":
		a.mark(g.command, "asks git for stored passwords", effect.SecretAccess)
	default:
		return a.gitReads(g)
	}
	return unknown()
}

// gitReads is show, diff, log and their kind: they may show a secret from the history.
func (a *analyzer) gitReads(g *gitCall) flow {
	out := flow{taint: fromProgram}
	if g.verb == "grep" {
		a.gitPager(g)
	}
	for _, v := range g.o.operands {
		name := v.text
		if i := strings.LastIndexByte(name, ':'); i >= 0 && g.verb != "grep" {
			name = name[i+1:]
		}
		if g.verb == "grep" || strings.ContainsAny(name, " ") || !strings.ContainsAny(name, "./") || !isSecret(name) {
			continue
		}
		if g.verb == among(g.verb, "show diff cat-file blame annotate") && !g.o.has("stat name-only name-status shortstat quiet") {
			v.text = name
			a.read(v, g.sc, g.span)
			out.taint |= fromSecret
		}
	}
	for _, v := range g.o.values("output") {
		a.write(v, g.sc, g.span)
	}
	return out
}

// gitAdd notes what is staged; a secret that is staged is on its way out.
func (a *analyzer) gitAdd(g *gitCall) {
	a.stages = max(a.stages, g.adds())
	for _, v := range g.o.operands {
		p := a.place(v, g.sc)
		e := p.effect(effect.Read, g.span)
		if p.secret {
			e.Note("adds "+p.name+" to git, and it holds secrets", effect.SecretAccess)
		}
		a.emit(e)
		a.staged = append(a.staged, p.name)
		if isEverything(p.name) {
			a.stages = newToo
		}
	}
}

// gitApply writes what a patch says.
func (a *analyzer) gitApply(g *gitCall) {
	if g.o.has("check stat numstat summary") {
		return
	}
	in := g.in
	for _, v := range g.o.operands {
		if v.text != "-" {
			in = a.readFlow(v, g.sc, g.span)
		}
	}
	a.diffTargets(g.command, in, firstText(g.o.values("directory")))
}
