package toolcall

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
	"guardrails/internal/product"
)

// A copy of one of the product's programs cannot be known again when it is run, so the copy itself is what is noticed.

// markGuarded adds what is known of this machine: which files belong to the guard. What only has the name of one of its
// programs, in the project or a temporary folder, is another build of it where those that guard are known.
func (a *analyzer) markGuarded(p *place) {
	if p.program && (p.zone == project || p.zone == scratch) && len(a.env.Guarded) > 0 {
		p.program, p.guard = false, isGuardFile(strings.ToLower(p.name))
	}
	for _, guarded := range a.env.Guarded {
		if isIn(guarded, p) {
			p.guard = true
			p.program = p.program || isOwnName(baseName(guarded))
		}
		p.secret = p.secret || isIn(guarded+"/token", p)
	}
}

// isIn reports whether a place is, or lies in, a guarded one; of a glob, whether it may be.
func isIn(guarded string, p *place) bool {
	guarded = cleanPath(guarded)
	if _, inside := Below(p.abs, guarded); inside {
		return true
	}
	return p.glob && mayBe(p.abs, guarded)
}

// mayBe reports whether a shell's glob may stand for a path.
func mayBe(glob, path string) bool {
	i := strings.IndexAny(glob, "*?[{")
	if i < 0 || !strings.HasPrefix(path, glob[:i]) {
		return false
	}
	g, err := pattern.CompileGlob(path)
	return err == nil && g.MatchPath(pattern.Path{Name: glob, Glob: true})
}

// holdsGuarded reports whether something that belongs to the guard lies below a path, or below one that a glob stands for.
func (a *analyzer) holdsGuarded(p *place) bool {
	for _, guarded := range a.env.Guarded {
		if holds(p, cleanPath(guarded)) {
			return true
		}
	}
	return false
}

// holdsPrograms is holdsGuarded for the programs alone.
func (a *analyzer) holdsPrograms(p *place) bool {
	for _, guarded := range a.env.Guarded {
		if isOwnName(baseName(guarded)) && holds(p, cleanPath(guarded)) {
			return true
		}
	}
	return false
}

func holds(p *place, path string) bool {
	if p.abs == "" {
		return false // it is not known where that is
	}
	if _, inside := Below(path, p.abs); inside || p.abs == "/" {
		return true
	}
	for i := strings.LastIndexByte(path, '/'); p.glob && i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if mayBe(p.abs, path[:i]) {
			return true
		}
	}
	return false
}

// mayMeanOwn reports whether a glob of a name may stand for one of the product's programs; one that may stand for
// anything says nothing.
func mayMeanOwn(glob string) bool {
	if strings.Trim(glob, "*?") == "" {
		return false
	}
	g, err := pattern.CompileGlob(glob)
	if err != nil {
		return false
	}
	for _, name := range product.Programs() {
		if g.Match(name) {
			return true
		}
	}
	return false
}

// hashBuiltin is hash -p, which lets a shell run one program by the name of another.
func hashBuiltin(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "p")
	for _, v := range o.values("p") {
		if p := a.place(v, c.sc); p.program {
			a.mark(c, "gives "+p.name+", which belongs to the guard, a second name", effect.GuardTamper)
		}
	}
	return nothing()
}

// markCopied notes that the product's programs come to stand somewhere else; with link set, that its files get another
// name, too.
func (a *analyzer) markCopied(c *command, v value, tree, link bool) {
	p := a.place(v, c.sc)
	switch {
	case p.program, tree && a.holdsPrograms(&p):
		a.mark(c, "makes a copy of the guard's programs ("+p.name+")", effect.GuardTamper)
	case link && (p.guard || isGuardFolder(p.name) || p.zone == root || tree && p.abs != "" && (a.containsProject(p.abs) || a.holdsGuarded(&p))):
		a.mark(c, "gives the guard's files in "+p.name+" a second name", effect.GuardTamper)
	}
}

// markWritten notes that a file now holds one of the product's programs.
func (a *analyzer) markWritten(path string, content flow) {
	if !content.taint.has(fromGuard) {
		return
	}
	for i := len(a.effects) - 1; i >= 0; i-- {
		if e := &a.effects[i]; e.Kind == effect.Write && e.Path == path {
			e.Note("makes a copy of one of the guard's programs", effect.GuardTamper)
			return
		}
	}
}
