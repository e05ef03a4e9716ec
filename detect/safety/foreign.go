package safety

// foreign.go leaves out matches in other languages. The gate reads English only, but other languages have words that
// look English: the German "die" is an article, and "im" means "in the". Matches of weights stay, because the weights
// have also learned from messages in other languages.

import (
	"slices"
	"strings"
	"sync"
)

// A sentence has many small words of its language. The first two lists contain small words of other languages and of
// English. No word in foreignWords is frequent in English.
const (
	foreignWords = "der das den dem und oder aber nicht ist sind wir ihr mit für auf ein eine einen einem zum zur bei nach von " +
		"vom wird werden kann noch auch schon wenn dass bitte mir mich sich ich du sie wie warum mehr habe hat " +
		"le les une est pas pour dans que qui avec sur je nous vous mais leur cette sont " +
		"el los las una para con por pero como esta este hay muy " +
		"het een niet voor maar naar wij ook zijn " +
		"il che non sono della questo perché anche " +
		"uma não mas isso são"
	englishWords = "the a an i you he she it we they my your his her our to of and or in on for with from that this is are " +
		"was be have has do does did not how what why can will would should me him them but if so at by"
	// Words of other languages that look like English words with another meaning.
	ambiguousWords = "die im war gift rat pain sin kind tot tod mort bride mate dick fast bald"
)

// The variable "smallWords" holds the hashes of the words in the three lists above.
var smallWords = sync.OnceValue(func() *foreign { //nolint:gochecknoglobals // made once
	return &foreign{hashes(foreignWords), hashes(englishWords), hashes(ambiguousWords)}
})

// The type "foreign" holds the hashes of the words in the lists foreignWords, englishWords and ambiguousWords.
type foreign struct{ foreign, english, ambiguous map[uint32]bool }

// isForeign reports whether tokens are mainly in a language that is not English. At least the given number of tokens
// ("atLeast") must be small words of another language.
func (f *foreign) isForeign(tokens []token, atLeast int) bool {
	count, english := 0, 0
	for i := range tokens {
		switch {
		case f.foreign[tokens[i].sum]:
			count++
		case f.english[tokens[i].sum]:
			english++
		}
	}
	return count >= atLeast && count > 2*english
}

// hasAmbiguous reports whether a match has a word that only looks English.
func (f *foreign) hasAmbiguous(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return f.ambiguous[t.sum] })
}

// inEnglish leaves out the hits in other languages, and returns all other hits. A hit counts as a hit in another
// language if it has an ambiguous word and is in a sentence of another language.
func inEnglish(hits []hit, tokens []token, w *words) []hit {
	if len(hits) == 0 {
		return hits
	}
	f := smallWords()
	atLeast := 2
	if f.isForeign(tokens, 3) {
		atLeast = 1
	}
	var out []hit
	for _, h := range hits {
		from, to := h.start, h.end
		for from > 0 && tokens[from-1].word != w.end {
			from--
		}
		for to < len(tokens) && tokens[to-1].word != w.end {
			to++
		}
		if strong := h.pattern.strength == Strong; strong || !f.hasAmbiguous(tokens[h.start:h.end]) || !f.isForeign(tokens[from:to], atLeast) {
			out = append(out, h)
		}
	}
	return out
}

func hashes(list string) map[uint32]bool {
	out := map[uint32]bool{}
	for word := range strings.FieldsSeq(list) {
		out[sumOf([]byte(word))] = true
	}
	return out
}
