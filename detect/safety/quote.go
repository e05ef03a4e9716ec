package safety

import (
	"slices"
	"unicode"
)

// If fewer than fewOutside words of an answer are outside of its quotations, the answer is not about somebody else's
// words, so these words count as the words of the assistant.
const fewOutside = 4

// span is a part of a text, from the character at start up to, but not including, the character at end.
type span struct{ start, end int32 }

// quotations() returns the parts of a text that are in double quotation marks. A quotation ends in the line in which it
// begins. A straight mark opens a quotation only after a space or a sign, and not after a digit, as in 27".
func quotations(text string) (out []span) {
	at, begin, closing, before := int32(0), int32(-1), rune(0), ' '
	for _, c := range text {
		switch {
		case c == '\n':
			begin = -1
		case begin >= 0 && (c == closing || closing == '“' && c == '”'):
			out = append(out, span{begin, at + 1})
			begin = -1
		case begin < 0 && (c != '"' || !unicode.IsDigit(before) && !unicode.IsLetter(before)):
			if closing = closingOf(c); closing != 0 {
				begin = at
			}
		}
		at++
		before = c
	}
	return out
}

// closingOf returns the mark that closes a quotation, or 0 if the character opens none.
func closingOf(opening rune) rune {
	switch opening {
	case '"':
		return '"'
	case '“':
		return '”'
	case '„':
		return '“' // in English texts, ” also closes it
	case '«':
		return '»'
	}
	return 0
}

// withoutQuoted returns the hits without those that begin in a quotation, for categories about what the assistant promises or
// demands. If an answer quotes a slogan or a line of a novel, the assistant does not say this itself.
func withoutQuoted(hits []hit, tokens []token, text string) []hit {
	if !slices.ContainsFunc(hits, isOwnWord) {
		return hits
	}
	quoted := quotations(text)
	if len(quoted) == 0 || wordsOutside(tokens, quoted) < fewOutside {
		return hits
	}
	return slices.DeleteFunc(hits, func(h hit) bool {
		begin := tokens[h.start].start
		return isOwnWord(h) && slices.ContainsFunc(quoted, func(q span) bool { return q.start <= begin && begin < q.end })
	})
}

// wordsOutside counts the words that are in no quotation. The tokens and the quotations are in the order of the text.
func wordsOutside(tokens []token, quoted []span) (n int) {
	for i := range tokens {
		for len(quoted) > 0 && quoted[0].end <= tokens[i].start {
			quoted = quoted[1:]
		}
		if tokens[i].sum != 0 && (len(quoted) == 0 || tokens[i].start < quoted[0].start) {
			n++
		}
	}
	return n
}

// isOwnWord reports whether a hit belongs to a category about what the assistant itself promises or demands.
func isOwnWord(h hit) bool {
	c := h.pattern.category
	return h.pattern.context == "" && (slices.Contains(OverclaimGate.Categories(), c) ||
		slices.Contains(EmotionalDependenceGate.Categories(), c) || c == FrequencyPressure || c == PowerDynamics)
}
