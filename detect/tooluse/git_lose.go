package tooluse

import (
	"slices"
	"strings"
)

// gitCommits is what makes commits; --exec in a rebase runs commands.
func (a *analyzer) gitCommits(g *gitCall) {
	for _, v := range g.o.values("x exec upload-pack") {
		a.runText(g.command, v)
	}
	if g.o.has("abort quit skip") {
		return
	}
	switch g.verb {
	case "merge", "pull":
		a.mark(g.command, "", Merge)
	case "rebase":
		if g.o.has("root") {
			a.mark(g.command, "rewrites history from its root", HistoryRewrite)
		}
		return
	default:
		a.mark(g.command, "", Commit)
	}
	if g.run < len(a.effects) {
		a.effects[g.run].Related = a.committed(g)
	}
}

// committed are the paths that a commit is known to take in: those it names, and those the same call staged or wrote.
func (a *analyzer) committed(g *gitCall) []string {
	var out []string
	if g.verb == "commit" {
		for _, v := range g.o.operands {
			name := a.place(v, g.sc).name
			out = append(out, name)
			if isEverything(name) {
				a.stages = max(a.stages, changedToo)
			}
		}
	}
	out = append(out, a.staged...)
	out = append(out, a.pending(g)...)
	// What of the whole project a commit takes in is not known.
	out = slices.DeleteFunc(out, isEverything)
	for i := range a.effects {
		if e := &a.effects[i]; (e.Kind == Write || e.Kind == Delete) && e.Path != "" && len(out) < maxFields {
			out = append(out, e.Path)
		}
	}
	return out
}

// gitPush tells a plain push from one that overwrites or deletes what others may have.
func (a *analyzer) gitPush(g *gitCall) {
	a.mark(g.command, "", Push)
	force := g.o.has("f force mirror")
	refspecs := g.o.operands
	if len(refspecs) > 0 {
		refspecs = refspecs[1:]
	}
	if g.o.has("d delete prune") {
		a.mark(g.command, "deletes branches or tags of the remote", ForcePush)
	}
	for _, v := range refspecs {
		switch {
		case strings.HasPrefix(v.text, "+"):
			force = true
		case strings.HasPrefix(v.text, ":") && len(v.text) > 1:
			a.mark(g.command, "deletes "+v.text[1:]+" from the remote", ForcePush)
		}
	}
	lease := g.o.has("force-with-lease force-if-includes")
	if force || lease && pushesShared(refspecs) {
		a.mark(g.command, "overwrites the remote's branch", ForcePush)
	}
	for _, v := range g.o.values("receive-pack exec") {
		a.runText(g.command, v)
	}
}

// pushesShared reports whether a refspec goes to a branch that a team shares.
func pushesShared(refspecs []value) bool {
	for _, v := range refspecs {
		to := v.text
		if i := strings.LastIndexByte(to, ':'); i >= 0 {
			to = to[i+1:]
		}
		switch strings.TrimPrefix(to, "refs/heads/") {
		case "main", "master", "develop", "production", "prod", "staging", "trunk", "release":
			return true
		}
		if strings.HasPrefix(strings.TrimPrefix(to, "refs/heads/"), "release/") {
			return true
		}
	}
	return false
}

// gitTree is what changes the work tree, the index and the branches.
func (a *analyzer) gitTree(g *gitCall) {
	loses := func(reason string) { a.mark(g.command, reason, DiscardChanges) }
	switch g.verb {
	case "reset":
		if g.o.has("hard merge") {
			loses("throws uncommitted changes away")
		}
	case "checkout", "switch", "restore", "checkout-index":
		a.gitCheckout(g, loses)
	case "clean":
		if g.o.has("f force") && !g.o.has("n dry-run") {
			loses("deletes files that git does not know")
		}
	case "stash":
		if verb := g.o.word(0); verb == "drop" || verb == "clear" {
			loses("throws stashed changes away")
		}
	case "branch":
		if g.o.has("D") || g.o.has("d delete") && g.o.has("f force") {
			loses("deletes a branch that may not be merged")
		}
		if g.o.has("f force M") && !g.o.has("d D delete") && len(g.o.operands) > 0 {
			loses("moves a branch away from its commits")
		}
	case "worktree":
		a.addsWorktree(g)
		if g.o.word(0) == "remove" && g.o.has("f force") {
			loses("deletes a work tree with its changes")
		}
	case "rm":
		if g.o.has("f force") && !g.o.has("cached") {
			loses("deletes files with their changes")
		}
		for _, v := range g.o.operands {
			if !g.o.has("cached") {
				a.remove(v, g.sc, g.span, removal{tree: g.o.has("r"), moved: true, how: "deletes"})
			}
		}
	case "mv":
		a.gitMove(g)
	case "read-tree":
		if g.o.has("reset") && g.o.has("u") {
			loses("throws uncommitted changes away")
		}
	case "submodule":
		a.gitSubmodule(g, loses)
	}
}

func (a *analyzer) gitMove(g *gitCall) {
	for i, v := range g.o.operands {
		if i == len(g.o.operands)-1 {
			a.write(v, g.sc, g.span)
			a.markFolders(g.command, g.o.operands[:i], v)
		} else {
			a.remove(v, g.sc, g.span, removal{tree: true, moved: true, how: "moves away"})
		}
	}
}

func (a *analyzer) gitSubmodule(g *gitCall, loses func(string)) {
	switch g.o.word(0) {
	case "foreach":
		_, rest := leadingOptions(g.rest, "")
		_, rest = leadingOptions(rest[1:], "")
		if len(rest) == 1 {
			a.runText(g.command, rest[0])
		} else {
			a.again(g.command, rest)
		}
	case "deinit":
		if g.o.has("f force") {
			loses("deletes submodules with their changes")
		}
	}
}

// gitCheckout tells a change of branch from the overwriting of files.
func (a *analyzer) gitCheckout(g *gitCall, loses func(string)) {
	if g.o.has("f force discard-changes") {
		loses("throws uncommitted changes away")
	}
	paths, overwrites := g.checkoutPaths()
	if overwrites {
		loses("overwrites files with their recorded state")
	}
	for _, v := range paths {
		p := a.place(v, g.sc)
		e := p.effect(Write, g.span)
		e.Tree = true
		p.noteNames(&e)
		a.emit(e)
	}
}

// checkoutPaths are the files that checkout or restore overwrites.
func (g *gitCall) checkoutPaths() ([]value, bool) {
	if g.verb == "switch" {
		return nil, false
	}
	if g.verb == "restore" {
		staged := g.o.has("staged S") && !g.o.has("worktree W")
		if staged {
			return nil, false
		}
		return g.o.operands, len(g.o.operands) > 0
	}
	if g.o.has("b B orphan") {
		return nil, false
	}
	for i, v := range g.rest {
		if v.text == "--" {
			return g.rest[i+1:], i+1 < len(g.rest)
		}
	}
	if len(g.o.operands) > 0 {
		if first := g.o.operands[0].text; first == "." || strings.HasPrefix(first, "./") || first == "*" || strings.HasPrefix(first, ":/") || len(g.o.operands) == 1 && isCheckedOutFile(first) {
			return g.o.operands, true
		}
	}
	if len(g.o.operands) > 1 {
		return g.o.operands[1:], true
	}
	return nil, false
}

// isCheckedOutFile tells a file's path from a branch's name, which may have a slash too but seldom a file's extension.
func isCheckedOutFile(operand string) bool {
	i := strings.LastIndexByte(operand, '.')
	if !strings.Contains(operand, "/") || !namesFile(operand) || operand[i+1] <= '9' {
		return false
	}
	for _, remote := range [...]string{"origin/", "upstream/", "refs/", "release/", "releases/"} {
		if strings.HasPrefix(operand, remote) {
			return false
		}
	}
	ext := operand[i+1:]
	return ext != "x" && !strings.HasPrefix(ext, "rc") && !strings.HasPrefix(ext, "beta") && !strings.HasPrefix(ext, "alpha")
}

// gitHistory is what rewrites or drops what git has recorded.
func (a *analyzer) gitHistory(g *gitCall) {
	rewrites := func(reason string) { a.mark(g.command, reason, HistoryRewrite) }
	switch g.verb {
	case "filter-branch", "filter-repo", "fast-import", "replace":
		if g.verb != "replace" || !g.o.has("l list") && len(g.rest) > 0 {
			rewrites("rewrites recorded history")
		}
		for _, v := range g.rest {
			if strings.ContainsAny(v.text, " ;") {
				a.runText(g.command, v)
			}
		}
	case "reflog":
		if verb := g.o.word(0); verb == "expire" || verb == "delete" {
			rewrites("drops the log from which lost commits are found")
		}
	case "gc", "prune", "repack":
		if f, ok := g.o.flag("prune"); ok && (f.value.text == "now" || f.value.text == "all") || g.verb == "prune" && !g.o.has("n") {
			rewrites("drops commits that nothing points at for good")
		}
	case "update-ref":
		if g.o.has("d stdin") {
			rewrites("deletes references")
		} else if len(g.o.operands) > 1 {
			rewrites("moves a reference by hand")
		}
	case "symbolic-ref":
		if g.o.has("d delete") {
			rewrites("deletes a reference")
		}
	}
}
