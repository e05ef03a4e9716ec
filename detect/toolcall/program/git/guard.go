package git

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/trace"
)

// checkGuardFiles marks a git command that ignores, stashes or replaces files of the guard, or stops tracking them. It
// also marks a command that makes git read settings or files from another place.
func checkGuardFiles(t *trace.Trace, g *gitCall) {
	switch g.verb {
	case "rm":
		if g.o.Has("cached") {
			markGuardPaths(t, g, g.pathspecs(t, g.o.Operands), "stops tracking")
		}
	case "update-index":
		var paths []trace.Value
		for _, v := range g.rest {
			v.Text = v.Text[strings.LastIndexByte(v.Text, ',')+1:]
			paths = append(paths, v)
		}
		markGuardPaths(t, g, paths, "makes git ignore changes to")
	case "stash":
		markGuardPaths(t, g, g.pathspecs(t, g.stashPaths()), "stashes")
	case "apply":
		for _, v := range g.o.Values("directory") {
			files.PatchInto(t, g.Command, v, g.In, len(g.o.Operands) > 0)
		}
	case "clone", "submodule", "worktree":
		for _, v := range g.o.Operands {
			if trace.IsGuardFolder(t.Place(v, g.Scope).Name) {
				t.MarkReplaced(g.Command, v)
			}
		}
	case "config":
		checkIncludes(t, g)
	}
}

func markGuardPaths(t *trace.Trace, g *gitCall, paths []trace.Value, does string) {
	for _, v := range paths {
		if strings.HasPrefix(v.Text, "-") || v.Partial {
			continue
		}
		p := t.Place(v, g.Scope)
		if p.Guard || trace.IsGuardFolder(p.Name) || p.Glob && t.Pathspecs && t.MayBeGuardFile(p.Abs) {
			t.Mark(g.Command, does+" "+p.Name+", which belongs to the guard", effect.GuardTamper)
		}
	}
}

// checkIncludes marks settings that include another file or select another working tree. The analysis does not read
// this file or this tree. But when the guard later runs git, git uses them.
func checkIncludes(t *trace.Trace, g *gitCall) {
	if g.o.HasWhole("get get-all list l get-regexp unset unset-all") {
		return
	}
	for _, v := range g.o.Operands {
		key := strings.ToLower(v.Text)
		if key != "include.path" && key != "core.worktree" && !strings.HasPrefix(key, "includeif.") {
			continue
		}
		if last := g.o.Operands[len(g.o.Operands)-1]; last.Text != v.Text {
			source := trace.Shorten(last.Text)
			t.Mark(g.Command, "makes git read settings or files from "+source+" ("+key+")", effect.StartupChange)
		}
		return
	}
}
