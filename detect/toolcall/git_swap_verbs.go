package toolcall

import (
	"slices"
	"strings"
)

// checkoutChanges is checkout, switch and restore: to a revision, or of files.
func (a *analyzer) checkoutChanges(g *gitCall) []TreeChange {
	if g.verb == "checkout-index" {
		return []TreeChange{{Forced: true, Overlay: true}}
	}
	if g.verb == "restore" || g.verb == "checkout" {
		if paths, overwrites := g.checkoutPaths(); overwrites {
			return a.fileChanges(g, paths)
		}
		if g.verb == "restore" {
			return nil
		}
	}
	force := g.o.has("f force discard-changes")
	switch {
	case g.verb == "switch" && g.o.has("orphan"):
		return []TreeChange{{To: NoFiles}}
	case len(g.o.operands) > 0:
		return a.revisions(g.o.operands[:1], TreeChange{Forced: force})
	case force:
		return []TreeChange{{To: "HEAD", Forced: true}}
	}
	return nil
}

// fileChanges is what files get from a revision, or from what is staged, where the guard's may be among them.
func (a *analyzer) fileChanges(g *gitCall, paths []value) []TreeChange {
	if !slices.ContainsFunc(paths, func(v value) bool { return a.takesGuard(v, g.sc) }) {
		return nil
	}
	change := TreeChange{Forced: true, Overlay: g.verb == "checkout" && !g.o.has("no-overlay")}
	if g.verb == "restore" {
		o := parseOptions(g.rest, "s source")
		if from := o.values("s source"); len(from) > 0 {
			return a.revisions(from[:1], change)
		}
		return []TreeChange{change}
	}
	if first := g.o.operands; len(first) > 0 && first[0].text != paths[0].text {
		return a.revisions(first[:1], change)
	}
	return []TreeChange{change}
}

// takesGuard reports whether what a git command is given to work on may take in the guard's files.
func (a *analyzer) takesGuard(v value, sc *scope) bool {
	if v.partial || strings.HasPrefix(v.text, ":") {
		return true
	}
	p := a.place(v, sc)
	if p.guard || isGuardFolder(p.name) || p.zone == root || p.zone == system {
		return true
	}
	// The globs that git itself expands take names that begin with a dot.
	return strings.ContainsAny(p.name, "*?[") && (mayBe(p.name, ".claude") || mayBe(p.name, ".claude/settings.json") || mayBe(p.name, ".mcp.json"))
}

// resetChanges is what makes the index, and mostly the files too, those of a revision.
func (a *analyzer) resetChanges(g *gitCall) []TreeChange {
	switch {
	case g.verb == "sparse-checkout":
		if sub := g.o.word(0); sub != "set" && sub != "init" || namesGuardFolder(g.o.operands[1:]) {
			return nil
		}
		return []TreeChange{{To: NoFiles, Forced: true}}
	case g.verb == "read-tree":
		if n := len(g.o.operands); n > 0 {
			return a.revisions(g.o.operands[n-1:], TreeChange{Forced: true})
		}
		return []TreeChange{{To: NoFiles, Forced: true}}
	case !g.resetsFiles():
		return nil
	case len(g.o.operands) > 0:
		return a.revisions(g.o.operands[:1], TreeChange{Forced: !g.o.has("keep")})
	}
	return []TreeChange{{To: "HEAD", Forced: true}}
}

// resetsFiles reports whether git reset changes files; git takes the beginning of an option for the whole of it.
func (g *gitCall) resetsFiles() bool {
	for _, f := range g.o.flags {
		for _, mode := range [...]string{"hard", "merge", "keep"} {
			if len(f.name) > 1 && strings.HasPrefix(mode, f.name) {
				return true
			}
		}
	}
	return false
}

func namesGuardFolder(list []value) bool {
	return slices.ContainsFunc(list, func(v value) bool {
		return strings.Contains(v.text, ".claude") && !strings.HasPrefix(v.text, "!")
	})
}

// tidyChanges is stash and clean, which take away what is not committed.
func (a *analyzer) tidyChanges(g *gitCall) []TreeChange {
	if g.verb == "clean" {
		if g.o.has("n") || !g.o.has("f force") || namesGuardFolder(g.o.values("e exclude")) || !a.takesAny(g, g.o.operands) {
			return nil
		}
		return []TreeChange{{Untracked: !g.o.has("X"), Ignored: g.o.has("x X")}}
	}
	verb, rest := g.o.word(0), g.o.operands[min(1, len(g.o.operands)):]
	switch verb {
	case "pop", "apply":
		at := "stash@{0}"
		if len(rest) > 0 {
			if at = rest[0].text; strings.Trim(at, "0123456789") == "" {
				at = "stash@{" + at + "}"
			}
		}
		return []TreeChange{{From: at + "^1", To: at}}
	case "", "push", "save":
		if verb == "push" && !g.o.has("pathspec-from-file") && !a.takesAny(g, rest) {
			return nil
		}
		all := g.o.has("a all")
		return []TreeChange{{To: "HEAD", Forced: true, Untracked: all || g.o.has("u include-untracked"), Ignored: all}}
	}
	return nil
}

// takesAny reports whether one of the paths may take in the guard's files; none at all stands for everything.
func (a *analyzer) takesAny(g *gitCall, paths []value) bool {
	return len(paths) == 0 || slices.ContainsFunc(paths, func(v value) bool { return a.takesGuard(v, g.sc) })
}

// mergeChanges is what brings another history in.
func (a *analyzer) mergeChanges(g *gitCall) []TreeChange {
	if g.o.has("abort quit skip continue") {
		return nil
	}
	change := TreeChange{Merge: true}
	list := g.o.operands
	switch {
	case len(list) == 0 || g.verb == "pull" && len(list) == 1:
		change.To = "@{upstream}"
		return []TreeChange{change}
	case g.verb == "pull" && list[0].text == ".":
		return a.revisions(list[1:], change)
	case g.verb == "pull":
		change.To = list[0].text + "/" + list[1].text
		return []TreeChange{change}
	case g.verb == "rebase":
		onto := append(g.o.values("onto"), list[0])
		return a.revisions(onto[:1], change)
	}
	return a.revisions(list, change)
}

// pickChanges is what takes single commits: cherry-pick and revert what they changed, bisect their state.
func (a *analyzer) pickChanges(g *gitCall) []TreeChange {
	list := g.o.operands
	if g.verb == "bisect" {
		if !oneOf(g.o.word(0), "start", "good", "bad", "new", "old", "reset") {
			return nil
		}
		return a.revisions(list[1:], TreeChange{})
	}
	if g.o.has("abort quit skip continue") {
		return nil
	}
	var out []TreeChange
	for _, change := range a.revisions(list, TreeChange{}) {
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

// isGitVerb reports whether a verb is git's own and not an alias that the repository or the user has made.
func isGitVerb(verb string) bool {
	return verb == among(verb, "add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore "+
		"check-mailmap check-ref-format cherry citool clone column commit commit-graph commit-tree config "+
		"count-objects credential describe diff diff-files diff-index diff-tree difftool fast-export "+
		"fast-import fetch fetch-pack filter-branch filter-repo fmt-merge-msg for-each-ref for-each-repo "+
		"format-patch fsck gc grep gui hash-object help hook index-pack init instaweb interpret-trailers lfs "+
		"log ls-files ls-remote ls-tree mailinfo maintenance merge-base merge-file merge-index merge-tree "+
		"mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-refs patch-id prune push "+
		"range-diff reflog remote repack replace request-pull rerere rev-list rev-parse rm send-email "+
		"shortlog show show-branch show-ref stage status stripspace submodule symbolic-ref tag unpack-objects "+
		"update-index update-ref update-server-info var verify-commit verify-pack verify-tag version "+
		"whatchanged worktree write-tree --version --help send-pack annex flow crypt")
}
