package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// gap stands for any white space or hyphen between two words of a phrase in a trie.
const gap = ' '

// trie maps words and phrases to triggers. It does not change after it is built.
type trie struct {
	root node
	// The field "first" maps each ASCII character, in either case, to the node after the root. This step is needed for
	// every word of a prompt, so it must be fast.
	first [utf8.RuneSelf]*node
}

// trigger is a field (domain or action) with the value that a word names for this field.
type trigger struct{ field, value string }

type node struct {
	edges []edge
	gap   *node
	// The field "words" holds the triggers of the word or phrase that ends at this node. The field "prefixes"
	// holds the triggers of the prefix that ends here. Both lists are sorted.
	words    []trigger
	prefixes []trigger
}

type edge struct {
	label rune
	next  *node
}

func (t *trie) addWord(form string, means trigger) {
	n := t.path(form)
	n.words = insert(n.words, means)
}

func (t *trie) addPrefix(form string, means trigger) {
	n := t.path(form)
	n.prefixes = insert(n.prefixes, means)
}

// path() returns the node at which a word or phrase ("form") ends. It adds missing nodes.
func (t *trie) path(form string) *node {
	n := &t.root
	for _, r := range form {
		n = n.grow(fold(r))
	}
	if first, _ := utf8.DecodeRuneInString(form); first < utf8.RuneSelf {
		next := t.root.child(fold(first))
		t.first[unicode.ToLower(first)], t.first[unicode.ToUpper(first)] = next, next
	}
	return n
}

// grow() returns the node after a character or gap. It adds the node if it is missing.
func (n *node) grow(label rune) *node {
	if label == gap {
		if n.gap == nil {
			n.gap = &node{}
		}
		return n.gap
	}
	if next := n.child(label); next != nil {
		return next
	}
	next := &node{}
	n.edges = append(n.edges, edge{label, next})
	return next
}

func (n *node) child(label rune) *node {
	for i := range n.edges {
		if n.edges[i].label == label {
			return n.edges[i].next
		}
	}
	return nil
}

// longest() finds the longest word or phrase that begins at i. It appends the triggers of this phrase to the given
// list, and returns the list and the index at which the phrase ends. If nothing matches, it appends nothing.
func (t *trie) longest(text string, i int, triggers []trigger) ([]trigger, int) {
	best := match{triggers: triggers}
	end := 0 // the end of the word at i
	for n, i := t.begin(text, i); n != nil; n, i = n.step(text, i) {
		if len(n.words) > 0 && endsWord(text, i) {
			best.add(n.words, i)
		}
		if len(n.prefixes) > 0 {
			// All prefixes of a word share the end of that word. The loop looks for this end only once, because words
			// can be long.
			if end < i {
				end = wordEnd(text, i)
			}
			best.add(n.prefixes, end)
		}
	}
	return best.triggers, best.end
}

// begin() starts at the root. It returns the node after the first character of a word at i, and the offset after that
// character.
func (t *trie) begin(text string, i int) (*node, int) {
	if c := text[i]; c < utf8.RuneSelf {
		return t.first[c], i + 1
	}
	return t.root.step(text, i)
}

// step() follows the character or gap at i. It returns the next node, and the offset after the character or gap.
func (n *node) step(text string, i int) (*node, int) {
	if i == len(text) {
		return nil, i
	}
	if n.gap != nil {
		if end := gapEnd(text, i); end > i {
			return n.gap, end
		}
	}
	if c := text[i]; c < utf8.RuneSelf {
		return n.child(fold(rune(c))), i + 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return n.child(fold(r)), i + size
}

type match struct {
	triggers []trigger
	end      int
}

// add() combines m with another match that begins at the same offset. If the new match ends where m ends, m also gets
// the triggers of the new match. If the new match is longer, it replaces m.
func (m *match) add(triggers []trigger, end int) {
	if end > m.end {
		m.triggers, m.end = m.triggers[:0], end
	}
	for _, t := range triggers {
		m.triggers = insert(m.triggers, t)
	}
}

// insert() adds a trigger to a list that is sorted by value and has no duplicates.
func insert(list []trigger, t trigger) []trigger {
	at, has := slices.BinarySearchFunc(list, t, func(a, b trigger) int { return strings.Compare(a.value, b.value) })
	if has {
		return list
	}
	return slices.Insert(list, at, t)
}
