package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// The client reads its settings anew when they change. Where they stand in the working tree, git can put others in their
// place without a file being named: then no hook is called any more.

// TreeChange is what a git command does to the files of the project.
type TreeChange struct {
	// Dir is the folder in which git runs; empty is the project's root.
	Dir string
	// From and To are revisions: what differs between them comes into the working tree. An empty From is HEAD, an empty
	// To what is staged.
	From, To string
	// Merge is set when the difference begins where the histories of From and To part.
	Merge bool
	// Forced is set when files get their state in To, however they are. Overlay is set when what To lacks stays.
	Forced, Overlay bool
	// Untracked and Ignored are set when files that git does not track, or is told to ignore, go away.
	Untracked, Ignored bool
}

// NoFiles is the revision in which there is no file: git's name of the empty tree.
const NoFiles = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// maxSwaps is how often git is asked in one call.
const maxSwaps = 8

// swapTree notes a git command after which the project would lack its guard.
func (a *analyzer) swapTree(g *gitCall) {
	if a.env.Guardless == nil || g.sc.box != nil || !a.aroundProject(g.sc) {
		return
	}
	changes := a.treeChanges(g)
	if len(changes) > 0 && g.otherRepository(a.env.Root) {
		a.mark(g.command, "takes the project's files from another repository, of which it is not known whether it has the guard's", effect.GuardTamper)
		return
	}
	for i := range changes {
		a.askGuardless(g, &changes[i])
	}
}

func (a *analyzer) askGuardless(g *gitCall, change *TreeChange) {
	if a.swaps++; a.swaps > maxSwaps {
		if a.swaps == maxSwaps+1 {
			a.opaque(g.span, "changes the working tree more often than is looked at", effect.OpaqueExecution)
		}
		return
	}
	if change.Dir = g.sc.cwd; g.sc.cwdUnknown {
		change.Dir = ""
	}
	if a.env.Guardless(*change) {
		a.mark(g.command, "leaves the project without its guard: "+change.what()+" the files of .claude that call it (guardrails init --user guards every branch)", effect.GuardTamper)
	}
}

func (c *TreeChange) what() string {
	switch {
	case c.Untracked || c.Ignored:
		return "it takes away"
	case c.To == "":
		return "what is staged lacks"
	case c.To == NoFiles:
		return "it leaves out"
	}
	return shorten(c.To) + " lacks or changes"
}

// aroundProject reports whether git may work on the project's files from a folder: in it, above it, or not known.
func (a *analyzer) aroundProject(sc *scope) bool {
	_, inside := Below(sc.cwd, a.env.Root)
	_, above := Below(a.env.Root, sc.cwd)
	return inside || above || sc.cwdUnknown
}

// otherRepository reports whether the command names a repository other than the project's own.
func (g *gitCall) otherRepository(root string) bool {
	own := func(dir string) bool {
		dir = strings.TrimSuffix(dir, "/")
		return dir == ".git" || dir == "./.git" || dir == root+"/.git"
	}
	for i, v := range g.argv[:len(g.argv)-len(g.rest)-1] {
		if dir, ok := strings.CutPrefix(v.text, "--git-dir="); ok && !own(dir) {
			return true
		}
		if v.text == "--git-dir" && !own(argAt(g.argv, i+1)) {
			return true
		}
	}
	dir, ok := g.sc.vars["GIT_DIR"]
	return ok && (len(dir.values) != 1 || !own(dir.values[0].text))
}

// treeChanges are the changes of the working tree that a git command makes.
func (a *analyzer) treeChanges(g *gitCall) []TreeChange {
	switch g.verb {
	case "checkout", "switch", "restore", "checkout-index":
		return a.checkoutChanges(g)
	case "reset", "read-tree", "sparse-checkout":
		return a.resetChanges(g)
	case "stash", "clean":
		return a.tidyChanges(g)
	case "merge", "rebase", "pull":
		return a.mergeChanges(g)
	case "cherry-pick", "revert", "bisect":
		return a.pickChanges(g)
	}
	if isGitVerb(g.verb) {
		return nil
	}
	// What is not git's own may be an alias for any of these.
	return a.revisions(g.o.operands, TreeChange{})
}

// revisions are changes to each of the revisions. Of one that is not known those are tried that git was asked for before.
func (a *analyzer) revisions(list []value, change TreeChange) []TreeChange {
	var out []TreeChange
	for _, v := range list {
		names := []string{v.text}
		if v.partial {
			names = a.askedFor()
		}
		for _, name := range names {
			if name == "-" {
				name = "@{-1}"
			}
			next := change
			next.To = name
			out = append(out, next)
		}
	}
	return out
}

// askedFor are the revisions that earlier git commands of the call were given: git checkout $(git rev-parse x).
func (a *analyzer) askedFor() []string {
	var out []string
	for i := range a.effects {
		words := strings.Fields(a.effects[i].Command)
		if len(words) < 3 || words[0] != "git" || len(out) >= maxSwaps {
			continue
		}
		switch words[1] {
		case "rev-parse", "rev-list", "log", "show", "merge-base", "commit-tree", "name-rev", "describe", "branch", "for-each-ref", "show-ref", "mktree", "stash":
			for _, word := range words[2:] {
				if !strings.HasPrefix(word, "-") {
					out = append(out, word)
				}
			}
		}
	}
	return out
}
