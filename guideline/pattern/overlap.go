package pattern

// maxAtoms is the length of the longest name that is compared with a pattern. There is a limit because every word of a
// command is compared with every pattern, and a word can be very long.
const maxAtoms = 1024

// The type "atom" is one unit of a pattern: a character, a wildcard or a class. Two patterns are compared atom by atom.
type atom struct {
	kind atomKind
	r    rune
	// The field "class" is set if the atom is a class of characters. The kind of such an atom is oneAny.
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

// shellAtoms converts a shell's glob to atoms. In a shell, only ** matches slashes. A class counts as any character
// except a slash, because classes in a shell differ a little from ours.
func shellAtoms(glob string) []atom {
	out := make([]atom, 0, len(glob)+2)
	for _, t := range tokenize(Plain(glob)) {
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

// atoms() converts a guideline's pattern to atoms. If the parameter "segments" is set, a single star does not match
// slashes, because people do not expect a/*/b to match more than one folder between a and b.
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

// canMeet reports whether some character matches both atoms. It assumes that two classes have a character in
// common.
func (a atom) canMeet(b atom) bool {
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

// overlap() reports whether some text may match both patterns. Two positions, one in x and one in y, form a pair if
// some text matches both patterns up to these positions. overlap() marks all pairs. It assumes that two classes always
// have a character in common.
func overlap(x, y []atom) bool {
	row, next := make([]bool, len(y)+1), make([]bool, len(y)+1)
	row[0] = true
	for i := range len(x) + 1 {
		clear(next)
		found := false
		for j := range row {
			if row[j] {
				found = true
				step(x[i:], y[j:], row[j:], next[j:])
			}
		}
		if !found {
			return false
		}
		if i < len(x) {
			row, next = next, row
		}
	}
	return row[len(y)]
}

// step() starts at the pair of the first positions of x and y, and marks the pairs that can be reached from this pair.
// In the lists "row" and "next", each element stands for a position of y, beginning with the first position. The list
// "row" marks the pairs of these positions with the first position of x. The list "next" marks their pairs with the
// second position of x.
func step(x, y []atom, row, next []bool) {
	both := len(x) > 0 && len(y) > 0 && x[0].canMeet(y[0])
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

// coversAll reports whether a guideline's pattern x certainly matches every text that a shell's glob y
// matches.
func coversAll(x, y []atom) bool {
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
			} else if j < len(y) && a.includesAtom(y[j]) {
				next[j+1] = true
			}
		}
		row, next = next, row
	}
	return row[len(y)]
}

// includesAtom reports whether atom a matches every character that atom b matches. Atom a must be an atom that matches
// single characters.
func (a atom) includesAtom(b atom) bool {
	if b.isRun() {
		return false
	}
	if a.kind == oneAny && a.class == nil {
		return true
	}
	return b.kind == oneRune && a.canMeet(b)
}
