package git

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

const (
	noStaging  trace.Staging = iota
	stagedOnly               // what is staged already
	changedToo               // and what is changed
	newToo                   // and what is new
)

// MaxPending is how many files of a commit are looked at.
const MaxPending = 5000

// pending are the files that git knows the commit to take in: what is staged and, where the commit or an earlier part of
// the call says so, also what is changed or new.
func pending(t *trace.Trace, g *gitCall) []string {
	if t.Env.Pending == nil || g.verb != "commit" || !mayBeProject(t, g.Scope) {
		return nil
	}
	takes := max(t.Stages, g.commits())
	if takes <= t.Asked {
		return nil
	}
	t.Asked = takes
	files := t.Env.Pending(takes >= changedToo, takes >= newToo)
	return files[:min(len(files), MaxPending)]
}

// mayBeProject reports whether what runs in a scope may run in the project: in a folder that is not known it may.
func mayBeProject(t *trace.Trace, sc *trace.Scope) bool {
	if sc.Container != nil {
		return false
	}
	_, inside := trace.Below(sc.Cwd, t.Env.Root)
	return inside || sc.CwdUnknown
}

// commits is how much a commit takes in by itself.
func (g *gitCall) commits() trace.Staging {
	if g.o.Has("a all p patch interactive pathspec-from-file") || g.anything() {
		return changedToo
	}
	return stagedOnly
}

// adds is how much git add takes in of which the names are not known.
func (g *gitCall) adds() trace.Staging {
	named := len(g.o.Operands) > 0
	switch {
	case g.anything(), g.o.Has("pathspec-from-file"), !named && g.o.Has("A all"):
		return newToo
	case !named && g.o.Has("u update p patch i interactive e edit"):
		return changedToo
	}
	return noStaging
}

// anything reports whether what a git command names may be any file of the project.
func (g *gitCall) anything() bool {
	for _, v := range g.o.Operands {
		if v.Partial || g.Scope.CwdUnknown || strings.HasPrefix(v.Text, ":") {
			return true
		}
	}
	return false
}

// isEverything reports whether a path that is named to git is the whole project.
func isEverything(name string) bool { return name == "." || name == "*" }
