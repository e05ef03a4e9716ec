package safety

import "slices"

// A quotation has at most maxQuoted characters. If fewer than fewOutside words of an answer stand outside of its
// quotations, the answer is not about somebody else's words, so they count as the words of the assistant.
const (
	maxQuoted  = 300
	fewOutside = 4
)

// span is a part of a text, from the character at start up to, but not including, the character at end.
type span struct{ start, end int32 }

// quotations() returns the parts of a text that are in double quotation marks, each within one line.
func quotations(text string) (out []span) {
	at, begin, closing := int32(0), int32(-1), rune(0)
	for _, c := range text {
		switch {
		case c == '\n' || begin >= 0 && at-begin > maxQuoted:
			begin = -1
		case begin >= 0 && (c == closing || closing == '“' && c == '”'):
			out = append(out, span{begin, at + 1})
			begin = -1
		case begin < 0:
			if closing = closingOf(c); closing != 0 {
				begin = at
			}
		}
		at++
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

// withoutQuoted returns the hits without those in quotations, for categories about what the assistant promises or
// demands. If an answer quotes a slogan or a line of a novel, the assistant does not say this itself.
func withoutQuoted(hits []hit, tokens []token, text string) []hit {
	quoted := quotations(text)
	isQuoted := func(start, end int32) bool {
		return slices.ContainsFunc(quoted, func(q span) bool { return q.start <= start && end <= q.end })
	}
	outside := 0
	for i := range tokens {
		if tokens[i].sum != 0 && !isQuoted(tokens[i].start, tokens[i].end) {
			outside++
		}
	}
	if len(quoted) == 0 || outside < fewOutside {
		return hits
	}
	return slices.DeleteFunc(hits, func(h hit) bool {
		return isOwnWord(h.pattern.category) && isQuoted(tokens[h.start].start, tokens[h.end-1].end)
	})
}

// isOwnWord reports whether a category is about what the assistant itself promises or demands.
func isOwnWord(c Category) bool {
	return slices.Contains(OverclaimGate.Categories(), c) || slices.Contains(EmotionalDependenceGate.Categories(), c) ||
		c == FrequencyPressure || c == PowerDynamics
}
