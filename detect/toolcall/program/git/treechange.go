package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// MaxTreeChecks is the maximum number of changes to the working tree that are checked in one call.
const MaxTreeChecks = 8

// checkTreeChanges marks a git command that would remove files of the guard from the project.
func checkTreeChanges(t *trace.Trace, g *gitCall) {
	if t.Env.Guardless == nil || g.Scope.Container != nil || !mayChangeProject(t, g.Scope) {
		return
	}
	changes := treeChanges(t, g)
	if len(changes) > 0 && g.otherRepository(t.Env.Root) {
		t.Mark(g.Command, "takes the project's files from another repository, which may lack the guard's files",
			effect.GuardTamper)
		return
	}
	for i := range changes {
		checkGuardless(t, g, &changes[i])
	}
}

func checkGuardless(t *trace.Trace, g *gitCall, change *trace.TreeChange) {
	if t.TreeChecks++; t.TreeChecks > MaxTreeChecks {
		if t.TreeChecks == MaxTreeChecks+1 {
			t.Opaque(g.Span, "changes the working tree more often than the analysis checks", effect.OpaqueExecution)
		}
		return
	}
	if change.Dir = g.Scope.Cwd; g.Scope.CwdUnknown {
		change.Dir = ""
	}
	if t.Env.Guardless(*change) {
		t.Mark(g.Command, "leaves the project without its guard: "+change.What()+
			` the files in .claude that call the guard (run "guardrails init --user" to guard every branch)`,
			effect.GuardTamper)
	}
}

// mayChangeProject reports whether git may change the project's files. This is possible if the working folder is in the
// project, above the project, or unknown.
func mayChangeProject(t *trace.Trace, sc *trace.Scope) bool {
	_, inside := trace.Below(sc.Cwd, t.Env.Root)
	_, above := trace.Below(t.Env.Root, sc.Cwd)
	return inside || above || sc.CwdUnknown
}

// otherRepository reports whether the command names a repository that is not the project's repository.
func (g *gitCall) otherRepository(root string) bool {
	own := func(dir string) bool {
		dir = strings.TrimSuffix(dir, "/")
		return dir == ".git" || dir == "./.git" || dir == root+"/.git"
	}
	for _, v := range g.global.Values("git-dir") {
		if !own(v.Text) {
			return true
		}
	}
	dir, ok := g.Scope.Vars.Find("GIT_DIR")
	return ok && (len(dir.Values) != 1 || !own(dir.Values[0].Text))
}

func treeChanges(t *trace.Trace, g *gitCall) []trace.TreeChange {
	switch g.verb {
	case "checkout", "switch", "restore", "checkout-index":
		return checkoutChanges(t, g)
	case "reset", "read-tree", "sparse-checkout":
		return resetChanges(t, g)
	case "stash", "clean":
		return stashChanges(t, g)
	case "rm":
		if len(g.o.Operands) == 0 || g.o.Has("cached") || !anyMayContainGuard(t, g, g.o.Operands) {
			return nil
		}
		return []trace.TreeChange{{To: trace.NoFiles, Forced: true}}
	case "merge", "rebase", "pull":
		return mergeChanges(t, g)
	case "cherry-pick", "revert", "bisect":
		return pickChanges(t, g)
	}
	if isGitVerb(g.verb) {
		return nil
	}
	// An unknown verb may be an alias for any of the verbs above.
	return changesTo(t, g.o.Operands, trace.TreeChange{})
}

// changesTo returns one change of the working tree for each revision in the list: the change to that revision. If a
// revision in the list is unknown, changesTo uses the revisions that are named in earlier commands of the same call.
func changesTo(t *trace.Trace, list []trace.Value, change trace.TreeChange) []trace.TreeChange {
	var out []trace.TreeChange
	for _, v := range list {
		names := []string{v.Text}
		if v.Partial {
			names = earlierRevisions(t)
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

// earlierRevisions returns the revisions in earlier git commands of the same call, such as x in "git checkout $(git
// rev-parse x)".
func earlierRevisions(t *trace.Trace) []string {
	var out []string
	for i := range t.Effects {
		words := strings.Fields(t.Effects[i].Command)
		if len(words) < 3 || words[0] != "git" || len(out) >= MaxTreeChecks {
			continue
		}
		switch words[1] {
		case "rev-parse", "rev-list", "log", "show", "merge-base", "commit-tree", "name-rev", "describe", "branch",
			"for-each-ref", "show-ref", "mktree", "stash":
			for _, word := range words[2:] {
				if !strings.HasPrefix(word, "-") {
					out = append(out, word)
				}
			}
		}
	}
	return out
}

// checkoutChanges returns the changes that the verbs checkout, switch and restore make to the working tree. These verbs
// check out a revision or restore single files.
func checkoutChanges(t *trace.Trace, g *gitCall) []trace.TreeChange {
	if g.verb == "checkout-index" {
		return []trace.TreeChange{{Forced: true, Overlay: true}}
	}
	if g.verb == "restore" || g.verb == "checkout" {
		if paths, overwrites := g.checkoutPaths(); overwrites {
			return fileChanges(t, g, paths)
		}
		if g.verb == "restore" {
			return nil
		}
	}
	force := g.o.Has("f force discard-changes")
	switch {
	case g.verb == "switch" && g.o.Has("orphan"):
		return []trace.TreeChange{{To: trace.NoFiles}}
	case len(g.o.Operands) > 0:
		return changesTo(t, g.o.Operands[:1], trace.TreeChange{Forced: force})
	case force:
		return []trace.TreeChange{{To: "HEAD", Forced: true}}
	}
	return nil
}

// fileChanges returns the change that a command makes when it restores files from a revision or from the index. If no
// files of the guard can be among the restored files, it returns nothing.
func fileChanges(t *trace.Trace, g *gitCall, paths []trace.Value) []trace.TreeChange {
	if !anyMayContainGuard(t, g, paths) {
		return nil
	}
	change := trace.TreeChange{Forced: true, Overlay: g.verb == "checkout" && !g.o.Has("no-overlay")}
	if g.verb == "restore" {
		o := flags.Parse(g.rest, flags.Abbreviates+"s source")
		if from := o.Values("s source"); len(from) > 0 {
			return changesTo(t, from[:1], change)
		}
		return []trace.TreeChange{change}
	}
	if first := g.o.Operands; len(first) > 0 && first[0].Text != paths[0].Text {
		return changesTo(t, first[:1], change)
	}
	return []trace.TreeChange{change}
}

// mayContainGuard reports whether a path in a git command may contain files of the guard.
func mayContainGuard(t *trace.Trace, v trace.Value, sc *trace.Scope) bool {
	p := t.Place(v, sc)
	if v.Partial || p.Guard || trace.IsGuardFolder(p.Name) || p.Zone == trace.Root || p.Zone == trace.System {
		return true
	}
	return p.Glob && t.MayBeGuardFile(p.Abs)
}

// resetChanges returns the changes to the working tree that are made by git reset, read-tree and sparse-checkout. These
// commands set the index, and usually also the files, to a revision.
func resetChanges(t *trace.Trace, g *gitCall) []trace.TreeChange {
	switch {
	case g.verb == "sparse-checkout":
		if sub := g.o.Word(0); sub != "set" && sub != "init" || namesGuardFolder(g.o.Operands[1:]) {
			return nil
		}
		return []trace.TreeChange{{To: trace.NoFiles, Forced: true}}
	case g.verb == "read-tree":
		if n := len(g.o.Operands); n > 0 {
			return changesTo(t, g.o.Operands[n-1:], trace.TreeChange{Forced: true})
		}
		return []trace.TreeChange{{To: trace.NoFiles, Forced: true}}
	case !g.o.Has("hard merge keep"):
		return nil
	case len(g.o.Operands) > 0:
		return changesTo(t, g.o.Operands[:1], trace.TreeChange{Forced: !g.o.Has("keep")})
	}
	return []trace.TreeChange{{To: "HEAD", Forced: true}}
}

// namesGuardFolder reports whether one of the patterns names .claude. It ignores patterns that begin with an
// exclamation mark.
func namesGuardFolder(list []trace.Value) bool {
	return slices.ContainsFunc(list, func(v trace.Value) bool {
		return strings.Contains(v.Text, ".claude") && !strings.HasPrefix(v.Text, "!")
	})
}

// stashChanges returns the changes that the verbs stash and clean make to the working tree. These verbs remove
// uncommitted files, or bring stashed files back.
func stashChanges(t *trace.Trace, g *gitCall) []trace.TreeChange {
	if g.verb == "clean" {
		if !g.o.Has("f force") || namesGuardFolder(g.o.Values("e exclude")) || !anyMayContainGuard(t, g, g.o.Operands) {
			return nil
		}
		return []trace.TreeChange{{Untracked: !g.o.Has("X"), Ignored: g.o.Has("x X")}}
	}
	verb, rest := g.o.Word(0), g.o.Operands[min(1, len(g.o.Operands)):]
	if paths := g.stashPaths(); len(paths) > 0 {
		verb, rest = "push", paths
	}
	switch verb {
	case "pop", "apply":
		at := "stash@{0}"
		if len(rest) > 0 {
			if at = rest[0].Text; strings.Trim(at, "0123456789") == "" {
				at = "stash@{" + at + "}"
			}
		}
		return []trace.TreeChange{{From: at + "^1", To: at}}
	case "", "push", "save":
		if verb == "push" && !g.o.Has("pathspec-from-file") && !anyMayContainGuard(t, g, rest) {
			return nil
		}
		all := g.o.Has("a all")
		return []trace.TreeChange{{To: "HEAD", Forced: true, Untracked: all || g.o.Has("u include-untracked"), Ignored: all}}
	}
	return nil
}

// anyMayContainGuard reports whether one of the paths may contain files of the guard. An empty list stands
// for all files.
func anyMayContainGuard(t *trace.Trace, g *gitCall, paths []trace.Value) bool {
	may := func(v trace.Value) bool { return mayContainGuard(t, v, g.Scope) }
	return len(paths) == 0 || slices.ContainsFunc(g.pathspecs(t, paths), may)
}

// mergeChanges returns the changes that the verbs merge, rebase and pull make to the working tree.
func mergeChanges(t *trace.Trace, g *gitCall) []trace.TreeChange {
	if g.o.HasWhole("abort quit skip continue") {
		return nil
	}
	change := trace.TreeChange{Merge: true}
	list := g.o.Operands
	switch {
	case len(list) == 0 || g.verb == "pull" && len(list) == 1:
		change.To = "@{upstream}"
		return []trace.TreeChange{change}
	case g.verb == "pull" && list[0].Text == ".":
		return changesTo(t, list[1:], change)
	case g.verb == "pull":
		change.To = list[0].Text + "/" + list[1].Text
		return []trace.TreeChange{change}
	case g.verb == "rebase":
		onto := append(g.o.Values("onto"), list[0])
		return changesTo(t, onto[:1], change)
	}
	return changesTo(t, list, change)
}

// pickChanges returns the changes that the verbs cherry-pick, revert and bisect make to the working tree. The verbs
// cherry-pick and revert apply single commits, and bisect checks out single commits.
func pickChanges(t *trace.Trace, g *gitCall) []trace.TreeChange {
	list := g.o.Operands
	if g.verb == "bisect" {
		if !words.OneOf(g.o.Word(0), "start good bad new old reset") {
			return nil
		}
		return changesTo(t, list[1:], trace.TreeChange{})
	}
	if g.o.HasWhole("abort quit skip continue") {
		return nil
	}
	var out []trace.TreeChange
	for _, change := range changesTo(t, list, trace.TreeChange{}) {
		from, to, isRange := strings.Cut(strings.Replace(change.To, "...", "..", 1), "..")
		if !isRange {
			from, to = change.To+"^", change.To
		}
		if g.verb == "revert" {
			from, to = to, from
		}
		change.From, change.To = from, to
		out = append(out, change)
	}
	return out
}

// isGitVerb reports whether a verb is built into git or belongs to a common extension, such as lfs. The analysis does
// not look up aliases with such names.
func isGitVerb(verb string) bool {
	return verb == words.Among(verb, "checkout switch restore checkout-index reset read-tree sparse-checkout "+
		"stash clean merge rebase pull cherry-pick revert "+
		"add am annotate apply archive bisect blame branch bundle cat-file check-attr "+
		"check-ignore check-mailmap check-ref-format cherry citool clone column commit commit-graph commit-tree config "+
		"count-objects credential describe diff diff-files diff-index diff-tree difftool fast-export "+
		"fast-import fetch fetch-pack filter-branch filter-repo fmt-merge-msg for-each-ref for-each-repo "+
		"format-patch fsck gc grep gui hash-object help hook index-pack init instaweb interpret-trailers lfs "+
		"log ls-files ls-remote ls-tree mailinfo maintenance merge-base merge-file merge-index merge-tree "+
		"mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-refs patch-id prune push "+
		"range-diff reflog remote repack replace request-pull rerere rev-list rev-parse rm send-email "+
		"shortlog show show-branch show-ref stage status stripspace submodule symbolic-ref tag unpack-objects "+
		"update-index update-ref update-server-info var verify-commit verify-pack verify-tag version "+
		"whatchanged worktree write-tree --version --help send-pack flow")
}
