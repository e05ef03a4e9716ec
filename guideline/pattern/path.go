package pattern

import "strings"

// Path is a path that a tool call touches.
type Path struct {
	// Name is relative to the project's root, or begins with / or ~ if the path is outside the project.
	Name string
	// Tree is set if everything below the path is touched too.
	Tree bool
	// Glob is set if Name is a shell's glob.
	Glob bool
}

// Outside reports whether the path is outside the project.
func (p Path) Outside() bool { return IsRooted(p.Name) }

// names() converts the path's name to atoms. For a glob with braces or **, it returns several lists of atoms. The
// second result is false if lists are missing because the name is too long or has too many braces or "**/".
func (p Path) names() ([][]atom, bool) {
	if len(p.Name) > maxAtoms {
		return nil, false
	}
	if !p.Glob {
		return [][]atom{literalAtoms(p.Name)}, true
	}
	alternatives, ok := expand(p.Name)
	out := make([][]atom, 0, len(alternatives))
	for _, a := range alternatives {
		if strings.Count(a, "**/") > maxDeep {
			return nil, false
		}
		for _, way := range shallow(a) {
			out = append(out, shellAtoms(way))
		}
	}
	return out, ok
}

// MatchPath reports whether the glob matches a path. A tree matches if some file in it may match. A shell's glob
// matches if it may expand to a file that matches. A tree or a glob also matches if its name is too long to be
// compared. A path outside the project matches only a rooted alternative of the pattern (see Rooted).
func (g *Glob) MatchPath(path Path) bool { return g.mayMatch(path, path.Outside()) }

func (g *Glob) mayMatch(path Path, rootedOnly bool) bool {
	for i := range g.branches {
		b := &g.branches[i]
		if rootedOnly && !b.rooted {
			continue
		}
		if b.match(path.Name) || (path.Tree || path.Glob) && b.beginsLike(path) && b.mayTouch(path) {
			return true
		}
	}
	return false
}

// beginsLike reports whether the branch may match some text that begins like the path. This quick test excludes most
// patterns.
func (b *branch) beginsLike(path Path) bool {
	known := path.Name
	if path.Glob {
		known = Plain(known)
		if i := strings.IndexAny(known, "*?[{"); i >= 0 {
			known = known[:i]
		}
	}
	if known == "." || len(b.head) == 0 || b.head[0].kind != literal {
		return true
	}
	prefix := b.head[0].text
	return strings.HasPrefix(prefix, known) || strings.HasPrefix(known, prefix)
}

func (b *branch) mayTouch(path Path) bool {
	names, known := path.names()
	for _, name := range names {
		if path.Glob && overlap(b.atoms(false), name) || path.Tree && b.reachesBelow(name) {
			return true
		}
	}
	return !known
}

// reachesBelow reports whether the branch (one alternative of a glob) matches "DIR/", the path of a directory followed
// by a slash, or may match a file in the directory. A branch that begins with a star, such as *.lock, does not count,
// because it could match in any directory.
func (b *branch) reachesBelow(dir []atom) bool {
	below, isRoot := asPrefix(dir)
	if !isRoot && overlap(b.atoms(false), below) {
		return true
	}
	if isRoot && b.rooted || b.beginsWithStar() {
		return false
	}
	return overlap(b.atoms(true), append(below, atom{kind: runAny}))
}

// asPrefix returns the text with which the path of every file in a directory begins. For the project's root, ".", this
// text is empty.
func asPrefix(dir []atom) (below []atom, isRoot bool) {
	n := len(dir)
	if n == 1 && dir[0] == (atom{r: '.'}) {
		return nil, true
	}
	if n > 0 && dir[n-1] == (atom{r: '/'}) {
		return dir, false
	}
	return append(dir[:n:n], atom{r: '/'}), false
}

// coversPath reports whether the glob matches a path completely: every file in a tree, every file to which a
// shell's glob may expand, or a single path.
func (g *Glob) coversPath(path Path) bool {
	if !path.Tree && !path.Glob {
		return g.coversText(path.Name, path.Outside())
	}
	if len(g.branches) == 1 && !g.branches[0].mayCover(path) {
		return false
	}
	names, known := path.names()
	if !known {
		return false
	}
	for _, name := range names {
		if path.Tree {
			name, _ = asPrefix(name)
		}
		if !g.coversName(name, path) {
			return false
		}
	}
	return true
}

func (g *Glob) coversText(name string, outside bool) bool {
	for i := range g.branches {
		if b := &g.branches[i]; (b.rooted || !outside) && b.match(name) {
			return true
		}
	}
	return false
}

func (g *Glob) coversName(name []atom, path Path) bool {
	for i := range g.branches {
		b := &g.branches[i]
		if b.mayCover(path) && coversAll(b.atoms(false), name) {
			return true
		}
	}
	return false
}

// mayCover is a quick test. If it returns false, the branch certainly does not match everything that the path stands
// for. If it returns true, a complete test must follow.
func (b *branch) mayCover(path Path) bool {
	return (b.rooted || !path.Outside()) && (b.endsWithStar() || !path.Tree) && b.beginsLike(path)
}
