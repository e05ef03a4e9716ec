package toolcall

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

// isGuardFolder reports whether a path is the folder of the guard's settings itself: who moves or replaces it does so
// to everything in it.
func isGuardFolder(name string) bool { return strings.EqualFold(baseName(name), ".claude") }

// markReplaced notes that a folder gets other content than it had, where the folder is the guard's or git's own.
func (a *analyzer) markReplaced(c *command, v value) {
	p := a.place(v, c.sc)
	switch {
	case isGuardFolder(p.name) && p.zone != scratch:
		a.mark(c, "replaces what is in "+p.name+", which belongs to the guard", effect.GuardTamper)
	case p.zone == root && strings.HasPrefix(p.name, ".git"):
		a.mark(c, "replaces what is in the repository's .git", effect.ProjectDelete)
	}
}

// noteFound adds the events of the protected files that a changed path may stand for when it is a glob, or when its last
// part is not known.
func (p place) noteFound(e *effect.Effect) {
	name := strings.TrimPrefix(p.name, "~/")
	if rest, ok := strings.CutPrefix(name, ".claude/$"); ok && p.partial && !strings.Contains(rest, "/") && !strings.HasSuffix(rest, ".md") {
		e.Note("may change the guard's files in .claude", effect.GuardTamper)
	}
	if !p.glob || !strings.ContainsAny(name, "*?[") {
		return
	}
	found := pattern.Path{Name: name, Glob: true, Tree: e.Tree}
	for _, protected := range [...]string{
		".claude/settings.json", ".claude/settings.local.json", ".mcp.json", ".claude/guardrails.yaml", ".claude/guardrails/x.yaml", ".claude/hooks/x",
		".git/hooks/pre-commit", ".git/config",
	} {
		if hidesDots(name, protected) {
			continue
		}
		if g, err := pattern.CompileGlob(protected); err != nil || !g.MatchPath(found) {
			continue
		}
		if strings.HasPrefix(protected, ".git/") {
			e.Note("changes "+p.name+", which may be "+protected+" and run by itself later", effect.StartupChange)
		} else {
			e.Note("changes "+p.name+", which may be "+protected+" of the guard", effect.GuardTamper)
		}
	}
}

// hidesDots reports whether a glob that begins with a wildcard leaves out a name that begins with a dot, as shells do.
// One that ends in the very name of the file is looked for on purpose.
func hidesDots(glob, protected string) bool {
	base := baseName(glob)
	if strings.HasPrefix(glob, "**/") && base != "" && strings.IndexByte("*?[", base[0]) < 0 {
		return false // find goes into folders that begin with a dot
	}
	return strings.IndexByte("*?[", glob[0]) >= 0 && base != baseName(protected)
}
