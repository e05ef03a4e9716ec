package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// changeTree analyzes the git verbs that change the working tree, the index or branches.
func changeTree(t *trace.Trace, g *gitCall) {
	discards := func(reason string) {
		if !g.isTemporary(t) {
			t.Mark(g.Command, reason, effect.DiscardChanges)
		}
	}
	switch g.verb {
	case "reset":
		if g.o.Has("hard merge") {
			discards("discards uncommitted changes")
		}
	case "checkout", "switch", "restore", "checkout-index":
		checkout(t, g, discards)
		if g.verb == "checkout" || g.verb == "switch" {
			noteBranch(t, g)
		}
	case "clean":
		if g.o.Has("f force") || t.CleansUnforced {
			if !g.cleansOutput() {
				discards("deletes untracked files")
			}
			g.change(t, effect.Delete, g.o.Operands)
		}
	case "stash":
		if verb := g.o.Word(0); verb == "drop" || verb == "clear" {
			discards("deletes stashed changes")
		} else if verb == "show" {
			readHistory(t, g)
		}
		g.change(t, effect.Write, g.stashPaths())
	case "branch":
		if (g.o.Has("D") || g.o.Has("d delete") && g.o.Has("f force")) && !g.deletesOwn(t) {
			discards("deletes a branch that is perhaps not merged")
		}
		if g.o.Has("f force M C") && !g.o.Has("d D delete") && len(g.o.Operands) > 0 {
			discards(movesBranch)
		}
	case "worktree":
		rememberWorktree(t, g)
		if len(g.o.Operands) > 1 && pushesShared(g.o.Values("B")) {
			discards(movesBranch)
		}
		if g.o.Word(0) == "remove" && g.o.Has("f force") {
			discards("deletes a worktree with its changes")
		}
	case "tag":
		if g.o.Has("d delete") && g.namesAllTags(t) {
			discards("deletes every tag")
		}
	case "rm":
		if g.o.Has("cached") {
			return
		}
		if g.o.Has("f force") {
			discards("deletes files with their changes")
		}
		for _, v := range g.pathspecs(t, g.o.Operands) {
			t.Remove(v, g.Scope, g.Span, trace.Removal{Tree: g.o.Has("r"), Moved: true, How: "deletes"})
		}
	case "mv":
		if !g.o.HasWhole("n dry-run") {
			t.RunAs(g.Command, "mv", g.o.Operands)
		}
	case "read-tree":
		if g.o.Has("reset") && g.o.Has("u") {
			discards("discards uncommitted changes")
		}
	case "submodule":
		submodule(t, g, discards)
	}
}

// isTemporary reports whether the command changes only files in a temporary folder outside the project. It returns
// false if the command changes branches or stashes, because all worktrees of a repository share them.
func (g *gitCall) isTemporary(t *trace.Trace) bool {
	folder := g.Scope.Cwd
	switch {
	case g.verb == "worktree" && len(g.o.Operands) == 2:
		folder = t.Place(g.o.Operands[1], g.Scope).Abs
	case g.Scope.CwdUnknown || g.verb != words.Among(g.verb, "reset checkout switch restore clean"):
		return false
	}
	_, inside := trace.Below(folder, t.Env.Root)
	return !inside && !g.namesOther() && effect.IsTemporaryPath(folder+"/x")
}

// namesOther reports whether a flag or a variable may make git use a repository other than that of the working folder.
func (g *gitCall) namesOther() bool {
	for _, name := range [...]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"} {
		if _, isSet := g.Scope.Vars.Find(name); isSet {
			return true
		}
	}
	return g.global.Has("git-dir work-tree")
}

// cleansOutput reports whether "git clean" deletes only files that tools create again.
func (g *gitCall) cleansOutput() bool {
	return len(g.o.Operands) > 0 && !slices.ContainsFunc(g.o.Operands, func(v trace.Value) bool {
		return v.Partial || strings.Contains(v.Text, "..") || !trace.IsRegenerable(v.Text)
	})
}

func submodule(t *trace.Trace, g *gitCall, discards func(string)) {
	switch g.o.Word(0) {
	case "add":
		bringIn(t, g.Command, &g.o)
	case "foreach":
		rest := flags.SkipLeading(g.rest, "")
		rest = flags.SkipLeading(rest[1:], "")
		if len(rest) == 1 {
			t.RunText(g.Command, rest[0])
		} else {
			t.RunInner(g.Command, rest)
		}
	case "deinit":
		if g.o.Has("f force") {
			discards("deletes submodules with their changes")
		}
	}
}

// checkout() analyzes "git checkout" and similar verbs, which change the branch or overwrite files.
func checkout(t *trace.Trace, g *gitCall, discards func(string)) {
	if g.o.Has("f force discard-changes") {
		discards("discards uncommitted changes")
	}
	if reset := g.o.Values("B C force-create"); len(reset) > 0 && len(g.o.Operands) > 0 &&
		(pushesShared(reset) || drops(t, g, reset[0])) {
		discards(movesBranch)
	}
	paths, overwrites := g.checkoutPaths()
	if overwrites && slices.ContainsFunc(paths, func(v trace.Value) bool {
		return !isMadeAgain(v.Text) && !g.takesSide(t, v)
	}) {
		discards("replaces files with a version that git has")
	}
	g.change(t, effect.Write, paths)
}

// takesSide reports whether the command takes one side of a conflict for a single file. Without a conflict, the file
// may have changes that nobody has committed.
func (g *gitCall) takesSide(t *trace.Trace, v trace.Value) bool {
	return g.verb != "switch" && g.o.HasWhole("ours theirs") && !v.Partial && !v.Glob && trace.NamesFile(v.Text) &&
		v.Text[0] != ':' && hasConflicts(t)
}

// hasConflicts reports whether git is in the middle of a merge or a similar command. It also returns true if the state
// of git is not known.
func hasConflicts(t *trace.Trace) bool {
	for _, name := range [...]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"} {
		if t.Env.Missing == nil || !t.Env.Missing(t.Env.Root+"/.git/"+name) {
			return true
		}
	}
	return false
}

// drops() reports whether a branch is checked out and has commits that are not in its upstream branch. If a command
// moves the branch to another commit, these commits are lost.
func drops(t *trace.Trace, g *gitCall, branch trace.Value) bool {
	r := g.repository(t)
	return r.Branch == branch.Text && !r.Pushed && g.o.Word(0) != "HEAD"
}

// isMadeAgain reports whether tools can create a file again, such as a lock file.
func isMadeAgain(name string) bool {
	base := trace.BaseName(name)
	return base == words.Among(base, "package-lock.json pnpm-lock.yaml go.sum bun.lockb") ||
		strings.HasSuffix(base, ".lock")
}

// checkoutPaths returns the files that "git checkout" or "git restore" overwrites, and whether the command overwrites
// any files.
func (g *gitCall) checkoutPaths() ([]trace.Value, bool) {
	if g.verb == "switch" {
		return nil, false
	}
	if g.verb == "restore" {
		staged := g.o.Has("staged S") && !g.o.Has("worktree W")
		if staged {
			return nil, false
		}
		return g.o.Operands, len(g.o.Operands) > 0
	}
	if g.o.Has("b B orphan") {
		return nil, false
	}
	for i, v := range g.rest {
		if v.Text == "--" {
			return g.rest[i+1:], i+1 < len(g.rest)
		}
	}
	if len(g.o.Operands) > 0 {
		first := g.o.Operands[0].Text
		isPath := first == "." || strings.ContainsAny(first, "*?[") || strings.HasPrefix(first, "./") ||
			strings.HasPrefix(first, ":") || strings.HasSuffix(first, "/")
		if isPath || g.o.HasWhole("ours theirs") || len(g.o.Operands) == 1 && looksLikeFile(first) {
			return g.o.Operands, true
		}
	}
	if len(g.o.Operands) > 1 {
		return g.o.Operands[1:], true
	}
	return nil, false
}

// looksLikeFile reports whether an operand is probably a path rather than the name of a branch. A branch name may
// contain a slash too, but it seldom has a file extension.
func looksLikeFile(operand string) bool {
	i := strings.LastIndexByte(operand, '.')
	if !strings.Contains(operand, "/") || !trace.NamesFile(operand) || operand[i+1] <= '9' {
		return false
	}
	for _, remote := range [...]string{"origin/", "upstream/", "refs/", "release/", "releases/"} {
		if strings.HasPrefix(operand, remote) {
			return false
		}
	}
	ext := operand[i+1:]
	return ext != "x" &&
		!strings.HasPrefix(ext, "rc") && !strings.HasPrefix(ext, "beta") && !strings.HasPrefix(ext, "alpha")
}

// rememberWorktree records the folder in which "git worktree add" creates a worktree.
func rememberWorktree(t *trace.Trace, g *gitCall) {
	if g.o.Word(0) != "add" || len(g.o.Operands) < 2 {
		return
	}
	if p := t.Place(g.o.Operands[1], g.Scope); p.Abs != "" && !p.Partial && !p.Glob {
		t.Worktrees = append(t.Worktrees, p.Abs)
	}
}

// namesAllTags reports whether the first operand is probably the output of "git tag", which lists all tags. The
// function returns true if the operand is not fully known, and "git tag" ran just before this command.
func (g *gitCall) namesAllTags(t *trace.Trace) bool {
	for i := max(0, g.Run-2); i < g.Run && i < len(t.Effects); i++ {
		if command := t.Effects[i].Command; command == "git tag" || command == "git tag -l" {
			return len(g.o.Operands) > 0 && g.o.Operands[0].Partial
		}
	}
	return false
}
