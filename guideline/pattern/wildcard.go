package pattern

import (
	"strings"
	"unicode/utf8"
)

// The type "wildcard" is a pattern without braces, split at its stars. A text matches if it begins with the tokens in
// the field "head", and ends with the tokens in the field "tail". Between them, it must have the parts in the field
// "middle", in the same order. Matching takes the first occurrence of each part and never goes back, because a later
// occurrence would not match more.
type wildcard struct {
	tokens []token
	head   []token
	middle [][]token
	tail   []token
	star   bool
}

func parseWildcard(pattern string) wildcard {
	w := wildcard{tokens: tokenize(pattern)}
	from := 0
	for i, t := range w.tokens {
		if t.kind != anyRun {
			continue
		}
		if part := w.tokens[from:i]; !w.star {
			w.head = part
		} else {
			w.middle = append(w.middle, part)
		}
		w.star, from = true, i+1
	}
	if w.star {
		w.tail = w.tokens[from:]
	} else {
		w.head = w.tokens
	}
	return w
}

func (w *wildcard) match(text string) bool {
	rest, ok := cutHead(w.head, text)
	if !ok || !w.star {
		return ok && rest == ""
	}
	if rest, ok = cutTail(w.tail, rest); !ok {
		return false
	}
	for _, part := range w.middle {
		if rest, ok = cutFirst(part, rest); !ok {
			return false
		}
	}
	return true
}

func (w *wildcard) beginsWithStar() bool { return w.star && len(w.head) == 0 }

func (w *wildcard) endsWithStar() bool { return w.star && len(w.tail) == 0 }

func cutHead(tokens []token, text string) (string, bool) {
	for i := range tokens {
		t := &tokens[i]
		if t.kind == literal {
			rest, ok := strings.CutPrefix(text, t.text)
			if !ok {
				return "", false
			}
			text = rest
			continue
		}
		r, size := firstRune(text)
		if size == 0 || !t.matchesRune(r) {
			return "", false
		}
		text = text[size:]
	}
	return text, true
}

// cutFirst finds the first occurrence of a part and returns the text after it.
func cutFirst(part []token, text string) (string, bool) {
	for text != "" {
		if part[0].kind == literal {
			i := strings.Index(text, part[0].text)
			if i < 0 {
				return "", false
			}
			text = text[i:]
		}
		if rest, ok := cutHead(part, text); ok {
			return rest, true
		}
		_, size := firstRune(text)
		text = text[size:]
	}
	return "", false
}

func cutTail(tokens []token, text string) (string, bool) {
	for i := len(tokens) - 1; i >= 0; i-- {
		t := &tokens[i]
		if t.kind == literal {
			rest, ok := strings.CutSuffix(text, t.text)
			if !ok {
				return "", false
			}
			text = rest
			continue
		}
		r, size := lastRune(text)
		if size == 0 || !t.matchesRune(r) {
			return "", false
		}
		text = text[:len(text)-size]
	}
	return text, true
}

// The functions firstRune and lastRune return brokenByte for a byte that is not valid UTF-8. Such a byte counts as one
// character that is not equal to any other character.
const brokenByte rune = -1

func firstRune(text string) (rune, int) {
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		r = brokenByte
	}
	return r, size
}

func lastRune(text string) (rune, int) {
	r, size := utf8.DecodeLastRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		r = brokenByte
	}
	return r, size
}
