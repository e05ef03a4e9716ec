package trace

import (
	"strings"

	"guardrails/detect/effect"
)

// Rules name paths in the project. They hold for the same files in another worktree of the repository, because
// changes there come back with the next merge.

// maxWorktreePaths is how many paths of one call are looked up in worktrees.
const maxWorktreePaths = 200

// inWorktrees adds, for each path in another worktree of the project, the same effect at its place in that worktree.
// The paths of a commit have no other place.
func inWorktrees(t *Trace) {
	if t.Env.Worktree == nil && len(t.Worktrees) == 0 {
		return
	}
	for i, asked := 0, min(len(t.Effects), maxWorktreePaths); i < asked; i++ {
		e := t.Effects[i]
		for n, name := range e.Related {
			if rel := inWorktree(t, name, e.Kind); rel != "" {
				e.Related[n] = rel
			}
		}
		if e.Kind != effect.Read && e.Kind != effect.Write && e.Kind != effect.Delete || e.Path == "" {
			continue
		}
		if rel := inWorktree(t, e.Path, e.Kind); rel != "" {
			t.Emit(alsoAt(t, e, rel))
		}
	}
}

// inWorktree returns the place of a path in another worktree, or "" if it is in none or is a whole worktree. Reads in
// the project are not looked up: only the client's own worktrees are found there.
func inWorktree(t *Trace, name string, kind effect.Kind) string {
	if name[0] == '$' || kind == effect.Read && name[0] != '/' && name[0] != '~' && !strings.HasPrefix(name, ".claude/") {
		return ""
	}
	abs := t.absolute(name)
	root := ""
	for _, made := range t.Worktrees {
		if _, inside := Below(abs, made); inside {
			root = made
		}
	}
	if root == "" && t.Env.Worktree != nil {
		root = t.Env.Worktree(fixedPart(abs))
	}
	rel, inside := Below(abs, root)
	if root == "" || !inside || rel == "." || rel == "*" || rel == ".*" {
		return ""
	}
	return rel
}

// alsoAt returns an effect at another place, with the events that follow from the name of that place.
func alsoAt(t *Trace, e effect.Effect, name string) effect.Effect {
	also := effect.Effect{Kind: e.Kind, Path: name, Tree: e.Tree, Glob: e.Glob, Unknown: e.Unknown, Inert: e.Inert, Span: e.Span, Script: e.Script}
	if e.Kind != effect.Read {
		p := Place{Name: name, Glob: e.Glob, Partial: e.Unknown}
		p.markNames(name)
		p.NoteNames(&also)
		if e.Kind == effect.Delete && IsGuardFolder(name) {
			also.Note("deletes "+name+" of a worktree, which belongs to the guard", effect.GuardTamper)
		}
	}
	return also
}

// absolute returns the absolute path of a path in an effect.
func (t *Trace) absolute(name string) string {
	switch {
	case IsAbsolute(name):
		return name
	case name == "~":
		return t.Env.Home
	case strings.HasPrefix(name, "~/"):
		return t.Env.Home + name[1:]
	}
	return t.Env.Root + "/" + name
}

// fixedPart returns the part of a path before a glob or an unknown part.
func fixedPart(abs string) string {
	if i := strings.IndexAny(abs, "*?[$"); i >= 0 {
		return abs[:max(strings.LastIndexByte(abs[:i], '/'), 1)]
	}
	return abs
}
