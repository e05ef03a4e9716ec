package pattern

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// finder looks for the first place of what stands between two stars. A plain literal is searched as such. Anything else
// is followed with one bit for each of its characters, all of them at once, so that a text made to almost match
// everywhere costs no more than any other.
type finder struct {
	plain string
	// length is the number of the part's characters, words that of the machine words which hold a bit for each.
	length int
	words  int
	// kinds are the first characters of ranges that the part does not tell apart, in ascending order; takers says for
	// each of them which of the part's characters take it, words at a time; ascii is the kind of each ASCII character.
	kinds  []rune
	takers []uint64
	ascii  [utf8.RuneSelf]uint16
}

func newFinder(part []token) finder {
	if len(part) == 1 && part[0].kind == literal {
		return finder{plain: part[0].text}
	}
	cells := cellsOf(part)
	f := finder{length: len(cells), words: (len(cells) + 63) / 64, kinds: kindsOf(cells)}
	f.takers = make([]uint64, len(f.kinds)*f.words)
	for kind, r := range f.kinds {
		for i := range cells {
			if cells[i].takes(r) {
				f.takers[kind*f.words+i/64] |= 1 << (i % 64)
			}
		}
	}
	for r := range f.ascii {
		f.ascii[r] = uint16(f.search(rune(r)))
	}
	return f
}

// cellsOf is the part one character at a time; that of a literal is a class of its own.
func cellsOf(part []token) []token {
	var out []token
	for _, t := range part {
		if t.kind != literal {
			out = append(out, t)
			continue
		}
		for i, r := range t.text {
			out = append(out, token{kind: class, text: t.text[i : i+utf8.RuneLen(r)]})
		}
	}
	return out
}

func kindsOf(cells []token) []rune {
	out := []rune{brokenByte}
	for i := range cells {
		for low, high := range cells[i].ranges {
			if low <= high {
				out = append(out, low, high+1)
			}
		}
	}
	sortRunes(out)
	return slices.Compact(out)
}

// sortRunes sorts as a heap: a second copy of the library's sort, for runes alone, would be eight kilobytes of every hook.
func sortRunes(list []rune) {
	for from := len(list)/2 - 1; from >= 0; from-- {
		sink(list, from)
	}
	for n := len(list) - 1; n > 0; n-- {
		list[0], list[n] = list[n], list[0]
		sink(list[:n], 0)
	}
}

// sink moves an item down to where none below it is larger.
func sink(heap []rune, at int) {
	for {
		child := 2*at + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1] > heap[child] {
			child++
		}
		if heap[at] >= heap[child] {
			return
		}
		heap[at], heap[child] = heap[child], heap[at]
		at = child
	}
}

func (f *finder) search(r rune) int {
	kind, exact := slices.BinarySearch(f.kinds, r)
	if exact {
		return kind
	}
	return kind - 1
}

func (f *finder) kindOf(r rune) int {
	switch {
	case r == brokenByte:
		return 0
	case r < utf8.RuneSelf:
		return int(f.ascii[r])
	default:
		return f.search(r)
	}
}

// cut is the text behind the first place where the part stands.
func (f *finder) cut(text string) (string, bool) {
	switch {
	case f.plain != "":
		_, rest, ok := strings.Cut(text, f.plain)
		return rest, ok
	case f.words == 1:
		return f.cutShort(text)
	default:
		return f.cutLong(text)
	}
}

func (f *finder) cutShort(text string) (string, bool) {
	var state uint64
	final := uint64(1) << (f.length - 1)
	for text != "" {
		r, size := firstRune(text)
		text = text[size:]
		state = (state<<1 | 1) & f.takers[f.kindOf(r)]
		if state&final != 0 {
			return text, true
		}
	}
	return "", false
}

func (f *finder) cutLong(text string) (string, bool) {
	state := make([]uint64, f.words)
	last, final := f.words-1, uint64(1)<<((f.length-1)%64)
	for text != "" {
		r, size := firstRune(text)
		text = text[size:]
		kind := f.kindOf(r) * f.words
		advance(state, f.takers[kind:kind+f.words])
		if state[last]&final != 0 {
			return text, true
		}
	}
	return "", false
}

// advance moves every attempt on by one character, begins a new one, and drops those that the character ends.
func advance(state, takers []uint64) {
	carry := uint64(1)
	for i, mask := range takers {
		next := state[i]<<1 | carry
		carry = state[i] >> 63
		state[i] = next & mask
	}
}
