package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// repository() returns what is known about the repository in which a git command runs. If an earlier command of the
// call checks out a branch, this branch counts as checked out.
func (g *gitCall) repository(t *trace.Trace) trace.Repository {
	var r trace.Repository
	if t.Env.Repository != nil && g.Scope.Container == nil && !g.Scope.CwdUnknown {
		t.Spend(trace.StepsOfRepository)
		r = t.Env.Repository(g.Scope.Cwd)
	}
	if t.Branch != "" {
		r = trace.Repository{Branch: t.Branch, Default: r.Default, PushDefault: r.PushDefault}
	}
	return r
}

// unknownBranch stands for a branch whose name cannot be read from the call.
const unknownBranch = "?"

// noteBranch remembers the branch that "git checkout" or "git switch" checks out.
func noteBranch(t *trace.Trace, g *gitCall) {
	if created := g.o.Values("b B c C orphan create force-create"); len(created) > 0 {
		t.Branch = branchName(created[0])
	} else if _, overwrites := g.checkoutPaths(); !overwrites && len(g.o.Operands) > 0 {
		t.Branch = branchName(g.o.Operands[0])
	}
}

func branchName(v trace.Value) string {
	if v.Partial || v.Text == "-" || v.Text == "" {
		return unknownBranch
	}
	return v.Text
}

// pushesDefault reports whether a push changes the default branch of the remote.
func pushesDefault(t *trace.Trace, g *gitCall, refspecs []trace.Value) bool {
	if g.o.HasWhole("n") {
		return false
	}
	for _, v := range refspecs {
		branch, options, _ := strings.Cut(v.Text, "%")
		if strings.Contains(branch, "refs/for/") && (strings.Contains(options, "submit") ||
			slices.ContainsFunc(g.o.Values("o push-option"), func(o trace.Value) bool { return o.Text == "submit" })) {
			return true // Gerrit merges the commit without a review
		}
	}
	if g.o.Has("all branches mirror") {
		return true
	}
	r := g.repository(t)
	if len(refspecs) == 0 {
		return !g.o.Has("tags") && r.PushesToDefault()
	}
	for _, v := range refspecs {
		to, isHere := destination(v)
		if isHere && r.IsDefault(r.Branch) || r.IsDefault(to) || matchesDefault(to, &r) {
			return true
		}
	}
	return false
}

// destination() returns the branch that a refspec changes on the remote. The result "isHere" is true if the refspec
// stands for the local branch that is checked out, or may stand for this branch.
func destination(v trace.Value) (branch string, isHere bool) {
	text := strings.TrimPrefix(v.Text, "+")
	named := false
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		text, named = text[i+1:], true
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "refs/"), "heads/")
	isHere = !named && (text == "HEAD" || text == "@") || v.Partial && strings.ContainsAny(text, "$`?")
	return text, isHere
}

// matchesDefault reports whether a destination with a star, such as refs/heads/*, includes the default branch.
func matchesDefault(to string, r *trace.Repository) bool {
	before, behind, ok := strings.Cut(to, "*")
	if !ok {
		return false
	}
	for _, name := range [...]string{r.Default, "main", "master"} {
		rest, begins := strings.CutPrefix(name, before)
		if name != "" && begins && strings.HasSuffix(rest, behind) {
			return true
		}
	}
	return false
}

// markAmended marks a command that amends or rebases a commit which is already in the upstream branch. If the files of
// the repository do not show whether the upstream branch has the commit, markAmended adds no event.
func markAmended(t *trace.Trace, g *gitCall) {
	switch {
	case g.verb == "commit" && g.o.Has("amend"):
	case g.verb == "rebase" && !g.o.HasWhole("continue edit-todo show-current-patch"):
	default:
		return
	}
	r := g.repository(t)
	if g.verb == "rebase" && r.IsUpstream(g.o.Word(0)) {
		return
	}
	if isPushed(t, &r) {
		t.Mark(g.Command, "changes a commit that was already pushed", effect.AmendPushed)
	}
}

// isPushed reports whether the last commit was pushed, either by this call or earlier.
func isPushed(t *trace.Trace, r *trace.Repository) bool {
	for i := len(t.Effects) - 1; i >= 0; i-- {
		switch e := &t.Effects[i]; {
		case e.Has(effect.Push):
			return true
		case e.Has(effect.Commit):
			return false
		}
	}
	return r.Pushed
}
