package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// gap is the character that stands for the white space or hyphen between two words in what a trie is given.
const gap = ' '

// trie holds words and phrases by their letters. It is not changed after it is built.
type trie struct {
	root node
	// first repeats the root's edges for ASCII, in either case: every word of a prompt is looked up here.
	first [utf8.RuneSelf]*node
}

// trigger is what a word means.
type trigger struct{ field, value string }

type node struct {
	edges []edge
	gap   *node
	// words is what ends here, prefixes what may go on to the word's end; both sorted.
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

// path returns the node at which form ends, making what is missing on the way there.
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

// grow returns the node behind the character or gap, which it makes if it is missing.
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

// longest appends to triggers what the longest word or phrase at i means and returns where that ends: several when
// several are equally long, none when nothing begins here.
func (t *trie) longest(text string, i int, triggers []trigger) ([]trigger, int) {
	best := found{triggers: triggers}
	inWord := 0
	for n, i := t.begin(text, i); n != nil; n, i = n.step(text, i) {
		if len(n.words) > 0 && endsWord(text, i) {
			best.add(n.words, i)
		}
		if len(n.prefixes) > 0 {
			// Prefixes of one word share its end, which is looked for once: words can be long.
			if inWord < i {
				inWord = wordEnd(text, i)
			}
			best.add(n.prefixes, inWord)
		}
	}
	return best.triggers, best.end
}

func (t *trie) begin(text string, i int) (*node, int) {
	if c := text[i]; c < utf8.RuneSelf {
		return t.first[c], i + 1
	}
	return t.root.step(text, i)
}

// step is the node behind the character or gap at i, and where the text goes on.
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

// found is the longest match so far.
type found struct {
	triggers []trigger
	end      int
}

func (f *found) add(triggers []trigger, end int) {
	if end > f.end {
		f.triggers, f.end = f.triggers[:0], end
	}
	for _, t := range triggers {
		f.triggers = insert(f.triggers, t)
	}
}

// insert adds a trigger to a list that is sorted by value and has each once.
func insert(list []trigger, t trigger) []trigger {
	at, has := slices.BinarySearchFunc(list, t, func(a, b trigger) int { return strings.Compare(a.value, b.value) })
	if has {
		return list
	}
	return slices.Insert(list, at, t)
}
