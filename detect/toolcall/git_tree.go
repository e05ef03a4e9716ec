package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// gitTree is what changes the work tree, the index and the branches.
func (a *analyzer) gitTree(g *gitCall) {
	loses := func(reason string) { a.mark(g.command, reason, effect.DiscardChanges) }
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
		e := p.effect(effect.Write, g.span)
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
