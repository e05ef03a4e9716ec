package cache

import (
	"slices"

	"guardrails/detect/effect"
)

// An effect is one thing that a call does, such as writing a file. A question asks which guidelines concern an effect.
// If a call has many effects, all effects of the same kind with the same events share a question. A shared question may
// select more guidelines, but the decision stays the same.

// If a call has at most manyEffects effects, each effect has its own question.
const manyEffects = 64

func fewQuestions(call *effect.Analysis) []question {
	var out []question
	var texts [][]byte
	for i := range call.Effects {
		q := questionOf(&call.Effects[i], call.Tool)
		at := 0
		for at < len(out) && !q.isLike(&out[at]) {
			at++
		}
		if at == len(out) {
			out, texts = append(out, q), append(texts, nil)
			out[at].trees = nil
		}
		texts[at] = append(append(texts[at], q.text...), '\n')
		out[at].addTrees(q.trees)
	}
	for i := range out {
		out[i].text = string(texts[i])
		out[i].parts = partsOf(out[i].text)
	}
	return out
}

func (q *question) isLike(other *question) bool {
	return q.kind == other.kind && q.events == other.events && q.placed == other.placed && q.vague == other.vague
}

// maxTrees limits the folders of a question. If there are more folders, the question is about every folder.
const maxTrees = 64

func (q *question) addTrees(trees []string) {
	for _, tree := range trees {
		switch {
		case slices.Contains(q.trees, "."):
			return
		case len(q.trees) == maxTrees:
			q.trees = []string{"."}
		case !slices.Contains(q.trees, tree):
			q.trees = append(q.trees, tree)
		}
	}
}

// The type "parts" is a set of bits for a text that is searched for other texts (needles). Each sequence of four
// bytes in the text sets a bit. If a needle has a sequence whose bit is not set, the text does not contain the needle.
// Different sequences can have the same bit.
type parts [1 << 12]uint64

const partSize = 4

func partsOf(text string) *parts {
	p := &parts{}
	for i := 0; i+partSize <= len(text); i++ {
		word, bit := place(text[i:])
		p[word] |= bit
	}
	return p
}

func place(part string) (word uint32, bit uint64) {
	n := uint32(part[0]) | uint32(part[1])<<8 | uint32(part[2])<<16 | uint32(part[3])<<24
	n = n * 0x9e3779b1 >> 14
	return n >> 6, 1 << (n & 63)
}

// mayHave reports whether the text may contain a needle.
func (p *parts) mayHave(needle string) bool {
	if p == nil {
		return true
	}
	for i := 0; i+partSize <= len(needle); i++ {
		if word, bit := place(needle[i:]); p[word]&bit == 0 {
			return false
		}
	}
	return true
}
