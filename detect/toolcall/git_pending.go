package toolcall

import "strings"

// staging is how much of what is pending in the work tree a commit takes in; each is more than the one before.
type staging uint8

const (
	noStaging  staging = iota
	stagedOnly         // what is staged already
	changedToo         // and what is changed
	newToo             // and what is new
)

// maxPending is how many files of a commit are looked at.
const maxPending = 5000

// pending are the files that git knows the commit to take in: what is staged and, where the commit or an earlier part of
// the call says so, also what is changed or new.
func (a *analyzer) pending(g *gitCall) []string {
	if a.env.Pending == nil || g.verb != "commit" || !a.mayBeProject(g.sc) {
		return nil
	}
	takes := max(a.stages, g.commits())
	if takes <= a.asked {
		return nil
	}
	a.asked = takes
	files := a.env.Pending(takes >= changedToo, takes >= newToo)
	return files[:min(len(files), maxPending)]
}

// mayBeProject reports whether what runs in a scope may run in the project: in a folder that is not known it may.
func (a *analyzer) mayBeProject(sc *scope) bool {
	if sc.box != nil {
		return false
	}
	_, inside := Below(sc.cwd, a.env.Root)
	return inside || sc.cwdUnknown
}

// commits is how much a commit takes in by itself.
func (g *gitCall) commits() staging {
	if g.o.has("a all p patch interactive pathspec-from-file") || g.anything() {
		return changedToo
	}
	return stagedOnly
}

// adds is how much git add takes in of which the names are not known.
func (g *gitCall) adds() staging {
	named := len(g.o.operands) > 0
	switch {
	case g.anything(), g.o.has("pathspec-from-file"), !named && g.o.has("A all"):
		return newToo
	case !named && g.o.has("u update p patch i interactive e edit"):
		return changedToo
	}
	return noStaging
}

// anything reports whether what a git command names may be any file of the project.
func (g *gitCall) anything() bool {
	for _, v := range g.o.operands {
		if v.partial || g.sc.cwdUnknown || strings.HasPrefix(v.text, ":") {
			return true
		}
	}
	return false
}

// isEverything reports whether a path that is named to git is the whole project.
func isEverything(name string) bool { return name == "." || name == "*" }
