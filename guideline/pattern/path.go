package pattern

import "strings"

// Path is one place that a tool call touches, as a pattern sees it.
type Path struct {
	// Name is relative to the project's root, or begins with / or ~ when it lies outside.
	Name string
	// Tree is set when everything below the place is touched too.
	Tree bool
	// Glob is set when Name is a shell's glob and not yet a file's name.
	Glob bool
}

// Outside reports whether the place lies outside the project.
func (p Path) Outside() bool { return IsRooted(p.Name) }

// names are the patterns that the place's name stands for; false when they are too many or too long to be looked at.
func (p Path) names() ([][]atom, bool) {
	if len(p.Name) > maxAtoms {
		return nil, false
	}
	if !p.Glob {
		return [][]atom{literalAtoms(p.Name)}, true
	}
	alternatives, ok := unfold(p.Name)
	out := make([][]atom, len(alternatives))
	for i, a := range alternatives {
		out[i] = shellAtoms(a)
		// Folders at any depth may be none at all: a/**/b finds a/b too.
		if shallow := strings.Replace(a, "**/", "", 1); shallow != a {
			out = append(out, shellAtoms(shallow))
		}
	}
	return out, ok
}

// MatchPath reports whether the glob matches a place, or for globs and whole trees may match: a place that cannot be
// known is taken to be hit. A place outside the project is matched by rooted branches only.
func (g *Glob) MatchPath(place Path) bool { return g.touches(place, place.Outside()) }

func (g *Glob) touches(place Path, rootedOnly bool) bool {
	for i := range g.branches {
		b := &g.branches[i]
		if rootedOnly && !b.rooted {
			continue
		}
		if b.match(place.Name) || (place.Tree || place.Glob) && b.beginsLike(place) && b.mayTouch(place) {
			return true
		}
	}
	return false
}

// beginsLike is the cheap question that most patterns answer with no: do both begin with the same characters, as far
// as these are known?
func (b *branch) beginsLike(place Path) bool {
	known := place.Name
	if place.Glob {
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

func (b *branch) mayTouch(place Path) bool {
	names, known := place.names()
	for _, name := range names {
		if place.Glob && overlap(b.atoms(false), name) || place.Tree && b.reachesBelow(name) {
			return true
		}
	}
	return !known
}

// reachesBelow reports whether the branch matches the directory with its slash or, unless it begins with a star, may
// match something in it. A branch such as *.lock could lie below any directory at all, so that says nothing.
func (b *branch) reachesBelow(dir []atom) bool {
	below, isRoot := asPrefix(dir)
	if !isRoot && overlap(b.atoms(false), below) {
		return true
	}
	if isRoot && b.rooted || b.beginsAnywhere() {
		return false
	}
	return overlap(b.atoms(true), append(below, atom{kind: runAny}))
}

// asPrefix is what every path in the directory begins with; for the project's own root, ".", that is nothing.
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

// covers reports whether every file that a place stands for matches. Of a tree these are the files below it.
func (g *Glob) covers(place Path) bool {
	if !place.Tree && !place.Glob {
		return g.coversText(place.Name, place.Outside())
	}
	names, known := place.names()
	if !known {
		return false
	}
	for _, name := range names {
		if place.Tree {
			name, _ = asPrefix(name)
		}
		if !g.coversName(name, place) {
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

func (g *Glob) coversName(name []atom, place Path) bool {
	for i := range g.branches {
		b := &g.branches[i]
		if place.Outside() && !b.rooted || place.Tree && !b.endsOpen() {
			continue
		}
		if covers(b.atoms(false), name) {
			return true
		}
	}
	return false
}
