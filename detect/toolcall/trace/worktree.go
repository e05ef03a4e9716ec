package trace

import (
	"strings"

	"guardrails/detect/effect"
)

// maxWorktreePaths is the maximum number of effects of one call whose paths are looked up in worktrees.
const maxWorktreePaths = 200

// addWorktreePaths finds the effects on files in other worktrees of the project. For each of these effects, it adds a
// copy with a path relative to that worktree, because guidelines name paths in the project. Guidelines also apply to
// other worktrees, because a merge brings the changes in these worktrees into the project. In the effect of a commit,
// the relative paths replace the original paths.
func addWorktreePaths(t *Trace) {
	if t.Env.Worktree == nil && len(t.Worktrees) == 0 {
		return
	}
	for i, end := 0, min(len(t.Effects), maxWorktreePaths); i < end; i++ {
		e := t.Effects[i]
		for n, name := range e.Related {
			if rel := worktreePath(t, name, e.Kind); rel != "" {
				e.Related[n] = rel
			}
		}
		if e.Kind != effect.Read && e.Kind != effect.Write && e.Kind != effect.Delete || e.Path == "" {
			continue
		}
		if rel := worktreePath(t, e.Path, e.Kind); rel != "" {
			t.Emit(t.effectAt(e, rel))
		}
		for _, name := range e.Inside {
			if rel := worktreePath(t, name, e.Kind); rel != "" {
				t.Emit(t.effectAt(e, rel))
			}
		}
	}
}

// worktreePath converts a path in another worktree to a path relative to that worktree. It returns "" if the path is in
// no other worktree, or if the path is a whole worktree. For a read, it looks up a path in the project only if the path
// is in .claude, where the client has its worktrees.
func worktreePath(t *Trace, name string, kind effect.Kind) string {
	if name[0] == '$' || kind == effect.Read && name[0] != '/' && name[0] != '~' && !strings.HasPrefix(name, ".claude/") {
		return ""
	}
	abs := t.absolute(name)
	root := ""
	for _, worktree := range t.Worktrees {
		if _, inside := Below(abs, worktree); inside {
			root = worktree
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

// effectAt returns a copy of an effect for another path. The copy has the events that follow from the name of that
// path.
func (t *Trace) effectAt(e effect.Effect, name string) effect.Effect {
	also := effect.Effect{
		Kind: e.Kind, Path: name, Tree: e.Tree, Glob: e.Glob, Unknown: e.Unknown, Inert: e.Inert, Span: e.Span,
		Script: e.Script,
	}
	if e.Kind != effect.Read {
		p := Place{Name: name, Glob: e.Glob, Partial: e.Unknown}
		p.markNames(name)
		t.NoteNames(&p, &also)
		if e.Kind == effect.Delete && IsGuardFolder(name) {
			also.Note("deletes "+name+", which belongs to the guard, from a worktree", effect.GuardTamper)
		}
	}
	return also
}

// absolute() takes a path from an effect, and returns it as an absolute path.
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

// fixedPart returns the folders at the start of a path that come before a glob or an unknown part.
func fixedPart(abs string) string {
	if i := strings.IndexAny(abs, "*?[$"); i >= 0 {
		return abs[:max(strings.LastIndexByte(abs[:i], '/'), 1)]
	}
	return abs
}
