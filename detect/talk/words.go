package talk

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// next() returns the first word of a text that fold() has prepared, and the text after this word. A word begins with a
// letter, and consists of letters, marks, digits, underscores and apostrophes. The word is empty if the text has no
// more words.
func next(text []byte) (word, rest []byte) {
	start := 0
	for start < len(text) {
		r, size := decode(text[start:])
		if isLetter(r) {
			break
		}
		start += size
	}
	end := start
	for end < len(text) {
		r, size := decode(text[end:])
		if !goesOn(r) {
			break
		}
		end += size
	}
	return text[start:end], text[end:]
}

func decode(text []byte) (rune, int) {
	if text[0] < utf8.RuneSelf {
		return rune(text[0]), 1
	}
	return utf8.DecodeRune(text)
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r)
}

func goesOn(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetter(r) || '0' <= r && r <= '9' || r == '_' || r == '\''
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// nextContent is like next(), but it skips stop words.
func nextContent(text []byte) (word, rest []byte) {
	for {
		word, text = next(text)
		if len(word) == 0 || !isStopWord(word) {
			return word, text
		}
	}
}

// isStopWord reports whether a word, such as "the", says nothing about the subject of a text.
func isStopWord(word []byte) bool {
	const longest = 6
	if len(word) > longest {
		return false
	}
	switch string(word) {
	case "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does", "for",
		"from", "had", "has", "have", "he", "her", "here", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just",
		"me", "my", "no", "not", "of", "on", "or", "our", "out", "really", "she", "should", "so", "such", "than", "that",
		"the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "us", "was", "we", "were",
		"what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your":
		return true
	}
	return false
}

// wordSet is a set of words from one text. It stores the positions of the words in the text, not copies of the words.
type wordSet struct {
	text  []byte
	slots []slot
	words int
	// The field "round" is different for each text. A slot with another round is from an earlier text and counts as
	// free, so reset() need not clear the slots.
	round uint32
}

type slot struct {
	from, to int
	round    uint32
}

// reset() empties the set, so that it can take the words of another text.
func (s *wordSet) reset(text []byte) {
	s.text, s.words = text, 0
	s.round++
}

// add() adds the word in text[from:to] and reports whether the word is new.
func (s *wordSet) add(from, to int) bool {
	if 2*s.words >= len(s.slots) {
		s.grow()
	}
	at := s.find(s.text[from:to])
	if at.round == s.round {
		return false
	}
	*at = slot{from, to, s.round}
	s.words++
	return true
}

// contains() reports whether the set has a word.
func (s *wordSet) contains(word []byte) bool {
	return len(s.slots) > 0 && s.find(word).round == s.round
}

// find() returns the slot of a word, or the free slot where it belongs.
func (s *wordSet) find(word []byte) *slot {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	hash := uint64(offset)
	for _, c := range word {
		hash = (hash ^ uint64(c)) * prime
	}
	mask := len(s.slots) - 1
	for i := int(hash>>32) & mask; ; i = (i + 1) & mask {
		at := &s.slots[i]
		if at.round != s.round || bytes.Equal(s.text[at.from:at.to], word) {
			return at
		}
	}
}

func (s *wordSet) grow() {
	old := s.slots
	s.slots = make([]slot, max(64, 2*len(old)))
	for _, o := range old {
		if o.round == s.round && s.words > 0 {
			*s.find(s.text[o.from:o.to]) = o
		}
	}
}

// fill() replaces the words of the set with the content words of a text that fold() has prepared.
func (s *wordSet) fill(text []byte, content func([]byte) ([]byte, []byte)) {
	s.reset(text)
	for rest := text; ; {
		var word []byte
		if word, rest = content(rest); len(word) == 0 {
			return
		}
		end := len(text) - len(rest)
		s.add(end-len(word), end)
	}
}

// common() returns how many words two sets share.
func (s *wordSet) common(other *wordSet) int {
	n := 0
	for i := range s.slots {
		if at := &s.slots[i]; at.round == s.round && other.contains(s.text[at.from:at.to]) {
			n++
		}
	}
	return n
}
