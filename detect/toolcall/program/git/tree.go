package git

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/trace"
)

// gitTree is what changes the work tree, the index and the branches.
func gitTree(t *trace.Trace, g *gitCall) {
	loses := func(reason string) { t.Mark(g.Command, reason, effect.DiscardChanges) }
	switch g.verb {
	case "reset":
		if g.o.Has("hard merge") {
			loses("throws uncommitted changes away")
		}
	case "checkout", "switch", "restore", "checkout-index":
		gitCheckout(t, g, loses)
	case "clean":
		if g.o.Has("f force") && !g.o.Has("n dry-run") {
			loses("deletes files that git does not know")
		}
	case "stash":
		if verb := g.o.Word(0); verb == "drop" || verb == "clear" {
			loses("throws stashed changes away")
		}
	case "branch":
		if g.o.Has("D") || g.o.Has("d delete") && g.o.Has("f force") {
			loses("deletes a branch that may not be merged")
		}
		if g.o.Has("f force M") && !g.o.Has("d D delete") && len(g.o.Operands) > 0 {
			loses("moves a branch away from its commits")
		}
	case "worktree":
		addsWorktree(t, g)
		if g.o.Word(0) == "remove" && g.o.Has("f force") {
			loses("deletes a work tree with its changes")
		}
	case "rm":
		if g.o.Has("f force") && !g.o.Has("cached") {
			loses("deletes files with their changes")
		}
		for _, v := range g.o.Operands {
			if !g.o.Has("cached") {
				t.Remove(v, g.Scope, g.Span, trace.Removal{Tree: g.o.Has("r"), Moved: true, How: "deletes"})
			}
		}
	case "mv":
		gitMove(t, g)
	case "read-tree":
		if g.o.Has("reset") && g.o.Has("u") {
			loses("throws uncommitted changes away")
		}
	case "submodule":
		gitSubmodule(t, g, loses)
	}
}

func gitMove(t *trace.Trace, g *gitCall) {
	for i, v := range g.o.Operands {
		if i == len(g.o.Operands)-1 {
			t.Write(v, g.Scope, g.Span)
			files.MarkFolders(t, g.Command, g.o.Operands[:i], v)
		} else {
			t.Remove(v, g.Scope, g.Span, trace.Removal{Tree: true, Moved: true, How: "moves away"})
		}
	}
}

func gitSubmodule(t *trace.Trace, g *gitCall, loses func(string)) {
	switch g.o.Word(0) {
	case "foreach":
		_, rest := flags.ParseLeading(g.rest, "")
		_, rest = flags.ParseLeading(rest[1:], "")
		if len(rest) == 1 {
			t.RunText(g.Command, rest[0])
		} else {
			t.Again(g.Command, rest)
		}
	case "deinit":
		if g.o.Has("f force") {
			loses("deletes submodules with their changes")
		}
	}
}

// gitCheckout tells a change of branch from the overwriting of files.
func gitCheckout(t *trace.Trace, g *gitCall, loses func(string)) {
	if g.o.Has("f force discard-changes") {
		loses("throws uncommitted changes away")
	}
	paths, overwrites := g.checkoutPaths()
	if overwrites {
		loses("overwrites files with their recorded state")
	}
	for _, v := range paths {
		p := t.Place(v, g.Scope)
		e := p.Effect(effect.Write, g.Span)
		e.Tree = true
		p.NoteNames(&e)
		t.Emit(e)
	}
}

// checkoutPaths are the files that checkout or restore overwrites.
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
		if first := g.o.Operands[0].Text; first == "." || strings.HasPrefix(first, "./") || first == "*" || strings.HasPrefix(first, ":/") || len(g.o.Operands) == 1 && isCheckedOutFile(first) {
			return g.o.Operands, true
		}
	}
	if len(g.o.Operands) > 1 {
		return g.o.Operands[1:], true
	}
	return nil, false
}

// isCheckedOutFile tells a file's path from a branch's name, which may have a slash too but seldom a file's extension.
func isCheckedOutFile(operand string) bool {
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
	return ext != "x" && !strings.HasPrefix(ext, "rc") && !strings.HasPrefix(ext, "beta") && !strings.HasPrefix(ext, "alpha")
}

// addsWorktree keeps which folder git worktree add makes a work tree of.
func addsWorktree(t *trace.Trace, g *gitCall) {
	if g.o.Word(0) != "add" || len(g.o.Operands) < 2 {
		return
	}
	if p := t.Place(g.o.Operands[1], g.Scope); p.Abs != "" && !p.Partial && !p.Glob {
		t.Worktrees = append(t.Worktrees, p.Abs)
	}
}
