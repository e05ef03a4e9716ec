package pattern

// maxAtoms bounds what a pattern is compared with: a command may be of any length, and each of its words is compared with
// each pattern.
const maxAtoms = 1024

// atom is one step of a pattern when it is compared with another pattern and not with a text.
type atom struct {
	kind atomKind
	r    rune
	// class is set for a class whose members are known.
	class *token
}

type atomKind uint8

const (
	oneRune atomKind = iota
	oneAny
	oneInSegment
	runAny
	runInSegment
)

func (a atom) isRun() bool { return a.kind >= runAny }

func (a atom) inSegment() bool { return a.kind == oneInSegment || a.kind == runInSegment }

func literalAtoms(text string) []atom {
	out := make([]atom, 0, len(text)+2)
	for _, r := range text {
		out = append(out, atom{r: r})
	}
	return out
}

// shellAtoms reads a shell's glob, whose wildcards stop at slashes but for **. Its classes differ a little from ours and count as
// any character.
func shellAtoms(glob string) []atom {
	var out []atom
	for _, t := range tokenize(glob) {
		switch t.kind {
		case literal:
			out = append(out, literalAtoms(t.text)...)
		case anyRun:
			kind := runInSegment
			if t.deep {
				kind = runAny
			}
			out = append(out, atom{kind: kind})
		default:
			out = append(out, atom{kind: oneInSegment})
		}
	}
	return out
}

// atoms reads our own pattern. With segments set a single star stops at slashes, as people mean it who write a/*/b.
func (w *wildcard) atoms(segments bool) []atom {
	var out []atom
	for i, t := range w.tokens {
		switch {
		case t.kind == literal:
			out = append(out, literalAtoms(t.text)...)
		case t.kind == anyRun && segments && !t.deep:
			out = append(out, atom{kind: runInSegment})
		case t.kind == anyRun:
			out = append(out, atom{kind: runAny})
		case t.kind == class:
			out = append(out, atom{kind: oneAny, class: &w.tokens[i]})
		default:
			out = append(out, atom{kind: oneAny})
		}
	}
	return out
}

// meets reports whether some character is taken by both atoms.
func (a atom) meets(b atom) bool {
	if a.kind != oneRune {
		a, b = b, a
	}
	if a.kind != oneRune {
		return true
	}
	switch {
	case b.kind == oneRune:
		return a.r == b.r
	case b.class != nil:
		return b.class.inClass(a.r)
	default:
		return a.r != '/' || !b.inSegment()
	}
}

// overlap reports whether some text matches both patterns. It goes through the pairs of positions that one text can
// reach in both; two classes count as having a member in common, so the answer errs towards yes.
func overlap(x, y []atom) bool {
	row, next := make([]bool, len(y)+1), make([]bool, len(y)+1)
	row[0] = true
	for i := range len(x) + 1 {
		clear(next)
		for j := range row {
			if row[j] {
				step(x[i:], y[j:], row[j:], next[j:])
			}
		}
		if i < len(x) {
			row, next = next, row
		}
	}
	return row[len(y)]
}

// step marks what can be reached from one pair of positions: row is that of the first pattern's position, next that of
// the position behind it.
func step(x, y []atom, row, next []bool) {
	both := len(x) > 0 && len(y) > 0 && x[0].meets(y[0])
	if len(y) > 0 && (y[0].isRun() || both && x[0].isRun()) {
		row[1] = true
	}
	if len(x) > 0 && (x[0].isRun() || both && y[0].isRun()) {
		next[0] = true
	}
	if both {
		next[1] = true
	}
}

// covers reports whether our pattern x matches every text that the shell's glob y stands for. Only what can be seen
// step by step counts, so the answer errs towards no.
func covers(x, y []atom) bool {
	row, next := make([]bool, len(y)+1), make([]bool, len(y)+1)
	row[0] = true
	for _, a := range x {
		clear(next)
		for j := range row {
			if !row[j] {
				continue
			}
			if a.isRun() {
				next[j] = true
				if j < len(y) {
					row[j+1] = true
				}
			} else if j < len(y) && a.includes(y[j]) {
				next[j+1] = true
			}
		}
		row, next = next, row
	}
	return row[len(y)]
}

// includes reports whether a single atom takes every character that b takes.
func (a atom) includes(b atom) bool {
	if b.isRun() {
		return false
	}
	if a.kind == oneAny && a.class == nil {
		return true
	}
	return b.kind == oneRune && a.meets(b)
}
