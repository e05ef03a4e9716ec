package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// guardInGit finds the guard's files among what git is told to forget, to hide or to put other files into.
func (a *analyzer) guardInGit(g *gitCall) {
	switch g.verb {
	case "rm":
		if g.o.has("cached") {
			a.guardPaths(g, g.o.operands, "takes out of the repository")
		}
	case "update-index":
		var paths []value
		for _, v := range g.rest {
			v.text = v.text[strings.LastIndexByte(v.text, ',')+1:]
			paths = append(paths, v)
		}
		a.guardPaths(g, paths, "hides from the repository")
	case "stash":
		if g.o.word(0) == "push" {
			a.guardPaths(g, g.o.operands[1:], "takes away")
		}
	case "apply":
		for _, v := range g.o.values("directory") {
			a.patchInto(g.command, v, g.in, len(g.o.operands) > 0)
		}
	case "clone", "submodule", "worktree":
		for _, v := range g.o.operands {
			if isGuardFolder(a.place(v, g.sc).name) {
				a.markReplaced(g.command, v)
			}
		}
	case "config":
		a.includes(g)
	}
}

func (a *analyzer) guardPaths(g *gitCall, paths []value, does string) {
	for _, v := range paths {
		if strings.HasPrefix(v.text, "-") || v.partial {
			continue
		}
		if p := a.place(v, g.sc); p.guard || isGuardFolder(p.name) {
			a.mark(g.command, does+" "+p.name+", which belongs to the guard", effect.GuardTamper)
		}
	}
}

// patchInto notes a patch that is not known and is applied below a folder in which files of the guard lie.
func (a *analyzer) patchInto(c *command, folder value, diff flow, fromFile bool) {
	if diff.known && !fromFile {
		return
	}
	if p := a.place(folder, c.sc); p.guard || isGuardFolder(p.name) || a.besideGuarded(p.abs) {
		a.mark(c, "applies a patch that is not known to "+p.name+", where files of the guard are", effect.GuardTamper)
	}
}

// includes notes settings of git that come from another file or lead to another working tree: what stands there is not
// seen, and the guard's own questions to git would obey it.
func (a *analyzer) includes(g *gitCall) {
	if g.o.has("get get-all list l get-regexp unset unset-all") {
		return
	}
	for _, v := range g.o.operands {
		if key := strings.ToLower(v.text); key == "include.path" || key == "core.worktree" || strings.HasPrefix(key, "includeif.") {
			if last := g.o.operands[len(g.o.operands)-1]; last.text != v.text {
				a.mark(g.command, "lets git take its settings or files from "+shorten(last.text)+" ("+key+")", effect.StartupChange)
			}
			return
		}
	}
}
