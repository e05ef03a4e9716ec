package trace

import (
	"strings"

	"guardrails/detect/effect"
)

// Rules speak of paths in the project. In another worktree of the same repository they hold for the same files: what is
// done there comes back with the next merge.

// maxWorktreePaths is for how many paths of one call it is asked whether they lie in a worktree.
const maxWorktreePaths = 200

// inWorktrees adds, for each path in another worktree of the project, the same effect at its place in that worktree. The
// paths that a commit takes in have no other place.
func (t *Trace) inWorktrees() {
	if t.Env.Worktree == nil && len(t.Worktrees) == 0 {
		return
	}
	for i, asked := 0, min(len(t.Effects), maxWorktreePaths); i < asked; i++ {
		e := t.Effects[i]
		for n, name := range e.Related {
			if rel := t.inWorktree(name, e.Kind); rel != "" {
				e.Related[n] = rel
			}
		}
		if e.Kind != effect.Read && e.Kind != effect.Write && e.Kind != effect.Delete || e.Path == "" {
			continue
		}
		if rel := t.inWorktree(e.Path, e.Kind); rel != "" {
			t.Emit(t.alsoAt(e, rel))
		}
	}
}

// inWorktree is the place in another worktree that a path lies at; empty when it lies in none, or is one as a whole. What
// is read in the project is not asked about: only the client's own worktrees are looked for there.
func (t *Trace) inWorktree(name string, kind effect.Kind) string {
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

// alsoAt is an effect at another place, with what that place means by its name.
func (t *Trace) alsoAt(e effect.Effect, name string) effect.Effect {
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

// absolute is the absolute path of one that effects show.
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

// fixedPart is the part of a path before a glob or what is not known.
func fixedPart(abs string) string {
	if i := strings.IndexAny(abs, "*?[$"); i >= 0 {
		return abs[:max(strings.LastIndexByte(abs[:i], '/'), 1)]
	}
	return abs
}
