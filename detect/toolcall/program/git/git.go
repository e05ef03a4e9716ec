// Package git knows git: what is committed, pushed, discarded or rewritten, and which settings run a command.
package git

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler knows git and what stands in for it.
func Handler(name string) trace.Handler {
	switch name {
	case "git", "git.exe":
		return git
	case "git-filter-repo", "bfg":
		return func(t *trace.Trace, c *trace.Command) trace.Flow {
			t.Mark(c, "rewrites recorded history", effect.HistoryRewrite)
			return trace.Unknown()
		}
	}
	return nil
}

// gitCall is a git command behind its global options.
type gitCall struct {
	*trace.Command
	verb string
	rest []trace.Value
	o    flags.Options
}

func git(t *trace.Trace, c *trace.Command) trace.Flow {
	i, aliases := gitGlobals(t, c)
	if i >= len(c.Argv) {
		return trace.Unknown()
	}
	if c.Argv[i].Partial {
		t.Opaque(c.Span, "runs a git command that is not known", effect.OpaqueExecution)
		return trace.Unknown()
	}
	verb := c.Argv[i].Text
	if alias, ok := aliases[verb]; ok {
		return gitAlias(t, c, alias, c.Argv[i+1:])
	}
	g := &gitCall{Command: c, verb: verb, rest: c.Argv[i+1:]}
	g.o = flags.Parse(g.rest, gitFlags(verb))
	if i > 1 {
		plainForm(t, c, i)
	}
	if g.o.Has("help h") && len(g.rest) == 1 || g.o.Has("dry-run") {
		return trace.Nothing()
	}
	swapTree(t, g)
	guardInGit(t, g)
	return gitVerb(t, g)
}

// plainForm lets a pattern such as Bash(git push*) match git -C dir push.
func plainForm(t *trace.Trace, c *trace.Command, verb int) {
	if c.Run < len(t.Effects) {
		e := &t.Effects[c.Run]
		e.Forms = append(e.Forms, "git "+trace.JoinArgs(c.Argv[verb:]))
	}
}

// gitGlobals steps over git's global options; it returns where the verb stands and the aliases that -c defines.
func gitGlobals(t *trace.Trace, c *trace.Command) (int, map[string]string) {
	var aliases map[string]string
	i := 1
	for i < len(c.Argv) && strings.HasPrefix(c.Argv[i].Text, "-") {
		switch text := c.Argv[i].Text; text {
		case "-c", "--config-env":
			if i+1 < len(c.Argv) {
				aliases = gitConfigArg(t, c, c.Argv[i+1], aliases)
			}
			i++
		case "-C":
			c.Scope = c.Scope.Sub()
			if i+1 < len(c.Argv) {
				shell.ChangeDir(t, &trace.Command{Name: "cd", Argv: c.Argv[i : i+2], Scope: c.Scope, Run: c.Run})
			}
			i++
		case words.Among(text, "--git-dir --work-tree --namespace --exec-path --super-prefix"):
			i++
		}
		i++
	}
	return i, aliases
}

func gitAlias(t *trace.Trace, c *trace.Command, alias string, rest []trace.Value) trace.Flow {
	if script, ok := strings.CutPrefix(alias, "!"); ok {
		for _, v := range rest {
			script += " " + words.Quote(v.Text)
		}
		return t.Inside(c.Span, func() trace.Flow { return t.Shell(script, c.Scope.Sub(), trace.Nothing()) })
	}
	argv := append([]trace.Value{{Text: "git"}}, flags.SplitWords(alias, trace.Value{})...)
	return t.Again(c, append(argv, rest...))
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
	case words.Among(verb, "merge rebase cherry-pick revert pull"):
		return "m s X x S_ message strategy strategy-option exec onto file F upload-pack"
	case "checkout", "switch", "worktree":
		return "b B c C orphan create force-create reason"
	case "branch":
		return "u t set-upstream-to sort format contains merged no-merged"
	case words.Among(verb, "log diff show shortlog reflog"):
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
func gitVerb(t *trace.Trace, g *gitCall) trace.Flow {
	switch g.verb {
	case words.Among(g.verb, "commit revert cherry-pick am merge pull rebase"):
		gitCommits(t, g)
	case "push", "send-pack":
		gitPush(t, g)
	case words.Among(g.verb, "reset checkout switch restore clean stash branch worktree rm mv tag read-tree checkout-index "+
		"submodule sparse-checkout"):
		gitTree(t, g)
	case words.Among(g.verb, "filter-branch filter-repo reflog gc prune update-ref replace fast-import symbolic-ref notes repack"):
		gitHistory(t, g)
	case "add", "stage":
		gitAdd(t, g)
	case "apply":
		gitApply(t, g)
	case "config":
		gitConfig(t, g)
	case words.Among(g.verb, "clone fetch ls-remote remote init"):
		gitRemote(t, g)
	case "bisect", "difftool", "mergetool":
		for _, v := range g.o.Values("x extcmd") {
			t.RunText(g.Command, v)
		}
		if len(g.rest) > 1 && g.rest[0].Text == "run" {
			t.Again(g.Command, g.rest[1:])
		}
	case "archive", "bundle", "format-patch":
		for _, v := range g.o.Values("o output output-directory") {
			t.Write(v, g.Scope, g.Span)
		}
		if g.verb == "bundle" && g.o.Word(0) == "create" && len(g.o.Operands) > 1 {
			t.Write(g.o.Operands[1], g.Scope, g.Span)
		}
	case "credential":
		t.Mark(g.Command, "asks git for stored passwords", effect.SecretAccess)
	default:
		return gitReads(t, g)
	}
	return trace.Unknown()
}

// gitReads is show, diff, log and their kind: they may show a secret from the history.
func gitReads(t *trace.Trace, g *gitCall) trace.Flow {
	out := trace.Flow{Taint: trace.FromProgram}
	if g.verb == "grep" {
		gitPager(t, g)
	}
	for _, v := range g.o.Operands {
		name := v.Text
		if i := strings.LastIndexByte(name, ':'); i >= 0 && g.verb != "grep" {
			name = name[i+1:]
		}
		if g.verb == "grep" || strings.ContainsAny(name, " ") || !strings.ContainsAny(name, "./") || !trace.IsSecret(name) {
			continue
		}
		if g.verb == words.Among(g.verb, "show diff cat-file blame annotate") && !g.o.Has("stat name-only name-status shortstat quiet") {
			v.Text = name
			t.Read(v, g.Scope, g.Span)
			out.Taint |= trace.FromSecret
		}
	}
	for _, v := range g.o.Values("output") {
		t.Write(v, g.Scope, g.Span)
	}
	return out
}

// gitAdd notes what is staged; a secret that is staged is on its way out.
func gitAdd(t *trace.Trace, g *gitCall) {
	t.Stages = max(t.Stages, g.adds())
	for _, v := range g.o.Operands {
		p := t.Place(v, g.Scope)
		e := p.Effect(effect.Read, g.Span)
		if p.Secret {
			e.Note("adds "+p.Name+" to git, and it holds secrets", effect.SecretAccess)
		}
		t.Emit(e)
		t.Staged = append(t.Staged, p.Name)
		if isEverything(p.Name) {
			t.Stages = newToo
		}
	}
}

// gitApply writes what a patch says.
func gitApply(t *trace.Trace, g *gitCall) {
	if g.o.Has("check stat numstat summary") {
		return
	}
	in := g.In
	for _, v := range g.o.Operands {
		if v.Text != "-" {
			in = t.ReadFlow(v, g.Scope, g.Span)
		}
	}
	files.DiffTargets(t, g.Command, in, trace.FirstText(g.o.Values("directory")))
}
