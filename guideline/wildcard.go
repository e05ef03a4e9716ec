package guideline

import (
	"strings"
	"unicode/utf8"
)

// wildcard is a pattern without braces as a list of tokens.
type wildcard []token

type tokenKind uint8

const (
	literal tokenKind = iota
	anyChar
	anyRun
	class
)

type token struct {
	kind tokenKind
	text string // of a literal: what stands there; of a class: what is between the brackets
	not  bool   // of a class: [!…]
}

func parseWildcard(pattern string) wildcard {
	var out wildcard
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, token{kind: literal, text: pattern[start:end]})
		}
	}
	for i := 0; i < len(pattern); i++ {
		var t token
		end := i
		switch pattern[i] {
		case '*':
			t.kind = anyRun
		case '?':
			t.kind = anyChar
		case '[':
			if end = classEnd(pattern, i); end < 0 {
				continue
			}
			t = token{kind: class, text: pattern[i+1 : end]}
			if t.text[0] == '!' {
				t.not, t.text = true, t.text[1:]
			}
		default:
			continue
		}
		flush(i)
		i = end
		start = i + 1
		if t.kind == anyRun && len(out) > 0 && out[len(out)-1].kind == anyRun {
			continue
		}
		out = append(out, t)
	}
	flush(len(pattern))
	return out
}

// classEnd is the index of the ] that ends the class at i, or -1: a ] right after [ or [! belongs to the class.
func classEnd(pattern string, i int) int {
	j := i + 1
	if j < len(pattern) && pattern[j] == '!' {
		j++
	}
	if j < len(pattern) && pattern[j] == ']' {
		j++
	}
	if k := strings.IndexByte(pattern[min(j, len(pattern)):], ']'); k >= 0 {
		return j + k
	}
	return -1
}

// inClass reports whether r is in the class; a range whose ends are the wrong way round is empty.
func (t token) inClass(r rune) bool {
	rest := t.text
	for rest != "" {
		low, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		high := low
		if len(rest) > 1 && rest[0] == '-' {
			high, size = utf8.DecodeRuneInString(rest[1:])
			rest = rest[1+size:]
		}
		if low <= r && r <= high {
			return !t.not
		}
	}
	return t.not
}

// match walks the text once and, when it fails, goes back to the last star only: a later star can do all that an
// earlier one could.
func (w wildcard) match(text string) bool {
	at, pos := 0, 0
	starAt, starPos := -1, 0
	for {
		if at == len(w) && pos == len(text) {
			return true
		}
		if at < len(w) {
			if w[at].kind == anyRun {
				if at == len(w)-1 {
					return true
				}
				starAt, starPos = at, pos
				at++
				continue
			}
			if n := w[at].step(text[pos:]); n > 0 {
				at, pos = at+1, pos+n
				continue
			}
		}
		if starAt < 0 || starPos >= len(text) {
			return false
		}
		starPos = w.advance(starAt, text, starPos)
		if starPos < 0 {
			return false
		}
		at, pos = starAt+1, starPos
	}
}

// advance moves a star's end forward by one character, or to the next place where the literal behind it begins.
func (w wildcard) advance(star int, text string, from int) int {
	_, size := utf8.DecodeRuneInString(text[from:])
	from += size
	if next := w[star+1]; next.kind == literal {
		i := strings.Index(text[from:], next.text)
		if i < 0 {
			return -1
		}
		return from + i
	}
	return from
}

// step is how many bytes of text the token takes, 0 when it does not match.
func (t token) step(text string) int {
	if t.kind == literal {
		if strings.HasPrefix(text, t.text) {
			return len(t.text)
		}
		return 0
	}
	if text == "" {
		return 0
	}
	r, size := utf8.DecodeRuneInString(text)
	if t.kind == class && !t.inClass(r) {
		return 0
	}
	return size
}

func (w wildcard) literalPrefix() string {
	if len(w) > 0 && w[0].kind == literal {
		return w[0].text
	}
	return ""
}

// overlap reports whether some text matches both a pattern and a shell glob. It fills a table of which pairs of
// positions are reachable; a class counts as any character, so the answer errs towards yes.
func overlap(a, shell wildcard) bool {
	x, y := a.atoms(), shell.atoms()
	reach := make([]bool, len(y)+1)
	reach[0] = true
	for j := 0; j < len(y) && y[j] == atomRun; j++ {
		reach[j+1] = true
	}
	for i := range x {
		next := make([]bool, len(y)+1)
		for j := range reach {
			if reach[j] {
				stepBoth(x[i], y, j, next)
			}
		}
		if x[i] == atomRun {
			closeRun(reach, next)
		}
		for j := range y {
			if next[j] && y[j] == atomRun {
				next[j+1] = true
			}
		}
		reach = next
	}
	return reach[len(y)]
}

// stepBoth takes one atom of the pattern from position j of the shell glob.
func stepBoth(atom rune, y []rune, j int, next []bool) {
	if atom == atomRun {
		next[j] = true
		return
	}
	if j == len(y) {
		return
	}
	switch {
	case y[j] == atomRun && atom != '/':
		next[j] = true
	case y[j] == atomAny && atom != '/', atom == atomAny, y[j] == atom:
		next[j+1] = true
	}
}

// closeRun lets a star of the pattern take any number of the shell glob's atoms.
func closeRun(reach, next []bool) {
	reached := false
	for j := range next {
		reached = reached || reach[j]
		next[j] = next[j] || reached
	}
}

const (
	atomRun rune = -1
	atomAny rune = -2
)

func (w wildcard) atoms() []rune {
	var out []rune
	for _, t := range w {
		switch t.kind {
		case literal:
			out = append(out, []rune(t.text)...)
		case anyRun:
			out = append(out, atomRun)
		default:
			out = append(out, atomAny)
		}
	}
	return out
}
