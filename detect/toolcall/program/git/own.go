package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// noteNewBranch records the branch that a command makes.
func noteNewBranch(t *trace.Trace, g *gitCall) {
	var made []trace.Value
	switch g.verb {
	case "checkout", "worktree":
		made = g.o.Values("b orphan")
	case "switch":
		made = g.o.Values("c create orphan")
	case "subtree":
		o := flags.Parse(g.rest, "P prefix b branch annotate onto m message")
		made = o.Values("b branch")
	case "branch":
		if g.o.Has("m M c C move copy") || g.o.Has("f force") && !g.o.Has("d D delete") {
			t.ForgetMade("branch ") // a name may now belong to another branch
		}
		if !slices.ContainsFunc(g.o.Flags, func(f flags.Flag) bool { return !isPlainBranchFlag(f.Name) }) {
			made = g.o.Operands[:min(1, len(g.o.Operands))]
		}
	case "fetch":
		if !g.o.Has("f force") && len(g.o.Operands) > 1 {
			for _, v := range g.o.Operands[1:] {
				if from, to, ok := strings.Cut(v.Text, ":"); ok && from != "" && from[0] != '+' {
					v.Text = to
					made = append(made, v)
				}
			}
		}
	}
	for _, v := range made {
		if (!v.Partial || trace.IsNumbered(v.Text)) && !g.Scope.CwdUnknown {
			t.NoteMade(g.branch(v), g.verb == "fetch" || g.verb == "subtree", g.Scope)
		}
	}
}

// isPlainBranchFlag reports whether "git branch NAME" still makes a branch if the command has this flag. If the name of
// the flag begins with a hyphen, the name stands for a cluster of flags such as -qt. The function accepts a cluster,
// because the caller also checks each flag of the cluster.
func isPlainBranchFlag(name string) bool {
	return name[0] == '-' || name == "q" || name == "quiet" || name == "t" || name == "track" || name == "no-track"
}

// branch() returns the name under which a branch is recorded. The name contains the folder of the repository, because
// each repository has its own branches.
func (g *gitCall) branch(v trace.Value) string { return "branch " + g.Scope.Cwd + " " + v.Text }

// deletesOwn reports whether "git branch" deletes only branches that the same call has made. It returns false if the
// call has committed something since then, because the commit may contain older work.
func (g *gitCall) deletesOwn(t *trace.Trace) bool {
	for _, v := range g.o.Operands {
		from, made := t.MadeHere(g.branch(v), g.Scope)
		if !made || v.Partial && !trace.IsNumbered(v.Text) {
			return false
		}
		for i := from; i < len(t.Effects); i++ {
			if t.Effects[i].Has(effect.Commit) || t.Effects[i].Has(effect.DiscardChanges) {
				return false
			}
		}
		if !ranOnly(t, from, "git echo printf touch cd ls cat grep wc head tail sleep npm npx pytest go cargo") {
			return false
		}
	}
	return len(g.o.Operands) > 0 && !g.o.Has("r remotes") && !g.Scope.CwdUnknown && !g.namesOther()
}

// repository() returns the name under which a repository is recorded. A folder that mktemp has made is certainly new.
func repository(t *trace.Trace, g *gitCall, path string) string {
	p := t.Place(trace.Value{Text: path}, g.Scope)
	if strings.ContainsAny(p.Abs, "$*?") || !effect.IsTemporaryPath(p.Abs) || g.Scope.CwdUnknown ||
		strings.Contains(t.Source, "tmp.mktemp") {
		return ""
	}
	end := " ."
	if strings.HasPrefix(p.Abs+"/", "/tmp/tmp.mktemp/") {
		end = " tmp"
	}
	return "repository " + p.Abs + end
}

// forgiveOwn removes the events of a command that loses history or files only in a repository that the call has made in
// a temporary folder. It also records a repository that the command makes in a temporary folder. For "git init", it
// records that the repository may be older than the call, because "git init" also succeeds in an existing repository.
func forgiveOwn(t *trace.Trace, g *gitCall) {
	first := words.OrElse(g.o.Word(0), ".")
	clones := ""
	switch g.verb {
	case "init":
		if !g.o.Has("separate-git-dir") {
			t.NoteMade(repository(t, g, first), true, g.Scope)
		}
	case "clone":
		if len(g.o.Operands) == 2 {
			clones = repository(t, g, g.o.Word(1))
			t.NoteMade(clones, false, g.Scope)
		}
		if _, isOwn := t.MadeHere(repository(t, g, first), g.Scope); isOwn && clones != "" && !g.o.Has("c config o origin") {
			t.NoteMade("clone of own "+clones, false, g.Scope)
		}
	}
	if g.Run >= len(t.Effects) || len(t.Effects[g.Run].Events) == 0 || !t.HasMade() {
		return
	}
	from, isOwn := t.MadeHere(repository(t, g, "."), g.Scope)
	if !isOwn || g.namesOther() || g.o.Has("target source") || replaced(t, g) {
		return
	}
	t.Effects[g.Run].Drop(effect.HistoryRewrite, effect.DiscardChanges)
	_, own := t.MadeHere("clone of own "+repository(t, g, "."), g.Scope)
	if own && first == "origin" && !g.global.Has("c config-env") && ranOnly(t, from, "git echo printf touch cd") &&
		!strings.Contains(t.Source, "remote") && !strings.Contains(t.Source, "config") {
		t.Effects[g.Run].Drop(effect.ForcePush)
	}
}

// ranOnly reports whether the call has run only the listed programs since it had the given number of effects (the
// parameter "from").
func ranOnly(t *trace.Trace, from int, list string) bool {
	for i := from; i < len(t.Effects) && t.Spend(1); i++ {
		e := &t.Effects[i]
		name, _, _ := strings.Cut(e.Command, " ")
		if e.Kind == effect.Opaque || e.Kind == effect.Run && !words.OneOf(name, list) {
			return false
		}
	}
	return !strings.Contains(t.Source, "alias ")
}

// replaced() reports whether the working folder may belong to a repository other than the one that the call has made.
// The reason can be a link, a worktree, or a command that has filled the folder before or after the call made the
// repository.
func replaced(t *trace.Trace, g *gitCall) bool {
	fills := func(folder string) bool {
		_, holds := trace.Below(g.Scope.Cwd, strings.TrimSuffix(folder, "/*"))
		return holds || strings.HasPrefix(folder, g.Scope.Cwd+"/.git")
	}
	program := "" // the program whose effects these are
	for i := 0; i < len(t.Effects) && t.Spend(1); i++ {
		e := &t.Effects[i]
		if e.Kind == effect.Run {
			program, _, _ = strings.Cut(e.Command, " ")
		}
		makes := program == "git" || words.OneOf(program, "mktemp mkdir") && !strings.HasPrefix(e.Path, g.Scope.Cwd+"/.git")
		if !makes && e.Kind != effect.Read && e.Kind != effect.Delete && e.Path != "" && fills(e.Path) {
			return true
		}
	}
	return len(t.Links)+len(t.BroughtIn) > 0 || slices.ContainsFunc(t.Worktrees, fills)
}
