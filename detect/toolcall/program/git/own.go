package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
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
		if trace.IsKnown(v) && !g.Scope.CwdUnknown {
			t.NoteMade(g.branch(v), g.verb == "fetch" || g.verb == "subtree", g.Scope)
		}
	}
}

// isPlainBranchFlag reports whether "git branch NAME" still makes a branch if it has this flag. If a name begins with a
// hyphen, it stands for a cluster of flags such as -qt. The function accepts a cluster, because the caller also checks
// each flag of the cluster.
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
		if !made || !trace.IsKnown(v) {
			return false
		}
		for i := from; i < len(t.Effects); i++ {
			if t.Effects[i].Has(effect.Commit) || t.Effects[i].Has(effect.DiscardChanges) {
				return false
			}
		}
	}
	return len(g.o.Operands) > 0
}
