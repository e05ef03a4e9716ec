package git

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/trace"
)

// guardInGit finds the guard's files among what git is told to forget, to hide or to put other files into.
func guardInGit(t *trace.Trace, g *gitCall) {
	switch g.verb {
	case "rm":
		if g.o.Has("cached") {
			guardPaths(t, g, g.o.Operands, "takes out of the repository")
		}
	case "update-index":
		var paths []trace.Value
		for _, v := range g.rest {
			v.Text = v.Text[strings.LastIndexByte(v.Text, ',')+1:]
			paths = append(paths, v)
		}
		guardPaths(t, g, paths, "hides from the repository")
	case "stash":
		if g.o.Word(0) == "push" {
			guardPaths(t, g, g.o.Operands[1:], "takes away")
		}
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
		includes(t, g)
	}
}

func guardPaths(t *trace.Trace, g *gitCall, paths []trace.Value, does string) {
	for _, v := range paths {
		if strings.HasPrefix(v.Text, "-") || v.Partial {
			continue
		}
		if p := t.Place(v, g.Scope); p.Guard || trace.IsGuardFolder(p.Name) {
			t.Mark(g.Command, does+" "+p.Name+", which belongs to the guard", effect.GuardTamper)
		}
	}
}

// includes notes settings of git that come from another file or lead to another working tree: what stands there is not
// seen, and the guard's own questions to git would obey it.
func includes(t *trace.Trace, g *gitCall) {
	if g.o.Has("get get-all list l get-regexp unset unset-all") {
		return
	}
	for _, v := range g.o.Operands {
		if key := strings.ToLower(v.Text); key == "include.path" || key == "core.worktree" || strings.HasPrefix(key, "includeif.") {
			if last := g.o.Operands[len(g.o.Operands)-1]; last.Text != v.Text {
				t.Mark(g.Command, "lets git take its settings or files from "+trace.Shorten(last.Text)+" ("+key+")", effect.StartupChange)
			}
			return
		}
	}
}
