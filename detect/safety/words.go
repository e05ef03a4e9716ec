package safety

import (
	"slices"
	"strconv"
	"strings"
)

// wordID is the number of a word that the rules name. Unknown words have the number 0.
type wordID int32

// listID is the number of a list of words and phrases.
type listID int32

// The type "words" holds all words that the rules name.
type words struct {
	names []string
	// The field "slots" is a hash table with the numbers of the words.
	slots []wordID
	// The field "aliases" contains the words that a short form such as "can't" stands for. The short forms are the last
	// elements of the field "names".
	aliases sets[wordID]
	// The field "lists" has the lists of each word, followed by the lists of each node in the tree of phrases. The
	// field "anchors" has only the lists that are the anchor of a pattern.
	lists, anchors sets[listID]
	// The field "sets" has a set of bits for each word or node that is in many lists. For each word or node, bits has
	// the index at which its set begins, or 0 if there is no such set.
	sets []uint64
	bits []int32
	// The field "sums" has 64 bits for each word or node. For each list that contains the word or node, the bit with
	// the list's number modulo 64 is set. If the bit of a list is not set, a call of has() for this list is unnecessary.
	sums []uint64
	// The field "skipped" says which words a pattern may skip. The field "technical" says which words are in the list
	// SOFTWARE.
	skipped, technical []bool
	// The field "roots" has a node for each word: the node of the phrases that begin with the word, or 0 if there are
	// no such phrases.
	roots []int32
	// The field "following" contains the words that can come next at each node. The word following.all[i] leads to the
	// node first+i.
	following sets[wordID]
	first     int32
	// The numbers of the words that stand for signs, such as a comma, and for classes of words, such as names.
	start, end, comma, code, possessive, caps, name, number, age, minorAge, money wordID
}

func readWords(t *table) words {
	w := words{names: strings.Split(t.text(), "\n"), aliases: readSets[wordID](t)}
	w.fill()
	w.lists, w.anchors = readSets[listID](t), readSets[listID](t)
	w.roots, w.following, w.first = numbers[int32](t, t.number()), readSets[wordID](t), int32(t.number())
	w.fillSets()
	for _, sign := range w.signs() {
		*sign.id = w.find([]byte(sign.name))
	}
	return w
}

// The constant "many" is the smallest number of lists for which a set of bits is faster than a search.
const many = 3

// fillSets makes the sets of bits. All sets have the same length.
func (w *words) fillSets() {
	length := int(slices.Max(w.lists.all))/64 + 1
	w.bits, w.sets, w.sums = make([]int32, w.lists.count()), make([]uint64, 1), make([]uint64, w.lists.count())
	for i := range w.bits {
		lists := w.lists.of(i)
		for _, list := range lists {
			w.sums[i] |= 1 << (list % 64)
		}
		if len(lists) < many {
			continue
		}
		w.bits[i] = int32(len(w.sets))
		w.sets = append(w.sets, make([]uint64, length)...)
		for _, list := range lists {
			w.sets[w.bits[i]+int32(list/64)] |= 1 << (list % 64)
		}
	}
}

// has() reports whether a word or a node is in a list.
func (w *words) has(i int32, list listID) bool {
	if bits := w.bits[i]; bits != 0 {
		return w.sets[bits+int32(list/64)]&(1<<(list%64)) != 0
	}
	return slices.Contains(w.lists.of(int(i)), list)
}

// in() says which words are in a list.
func (w *words) in(list listID) []bool {
	out := make([]bool, len(w.names))
	for id := range len(w.names) - w.aliases.count() {
		out[id] = w.has(int32(id), list)
	}
	return out
}

// next() returns the node that is reached from a node with one more word of a phrase. It returns 0 if no phrase
// continues with this word.
func (w *words) next(node int32, word wordID) int32 {
	from := w.following.from[node]
	for i, follower := range w.following.of(int(node)) {
		if follower == word {
			return w.first + from + int32(i)
		}
	}
	return 0
}

// The type "sign" is a word of the rules that stands for a sign, such as a comma, or for a class of words, such as
// names. The field "id" is the field in which the number of this word is stored.
type sign struct {
	name string
	id   *wordID
}

func (w *words) signs() []sign {
	return []sign{
		{"#start", &w.start},
		{"#end", &w.end},
		{"#comma", &w.comma},
		{"#code", &w.code},
		{"'s", &w.possessive},
		{"#caps", &w.caps},
		{"#name", &w.name},
		{"#number", &w.number},
		{"#age", &w.age},
		{"#minor", &w.minorAge},
		{"#money", &w.money},
	}
}

// fill() makes the hash table. At most one in four slots is used.
func (w *words) fill() {
	size := 64
	for size < 4*len(w.names) {
		size *= 2
	}
	w.slots = make([]wordID, size)
	for id := 1; id < len(w.names); id++ {
		at := w.slot([]byte(w.names[id]))
		w.slots[at] = wordID(id)
	}
}

// slot() returns the slot of a word. If the word is not in the table, it returns the free slot where the word belongs.
func (w *words) slot(word []byte) int {
	at := int(sumOf(word)) & (len(w.slots) - 1)
	for w.slots[at] != 0 && w.names[w.slots[at]] != string(word) {
		at = (at + 1) & (len(w.slots) - 1)
	}
	return at
}

// find() returns the number of a word, or 0.
func (w *words) find(word []byte) wordID { return w.slots[w.slot(word)] }

// alias() returns the words that a short form stands for, or nil.
func (w *words) alias(id wordID) []wordID {
	if first := len(w.names) - w.aliases.count(); int(id) >= first {
		return w.aliases.of(int(id) - first)
	}
	return nil
}

// classOfNumber returns the class of a word that begins with a digit.
func (w *words) classOfNumber(word string, afterDollar bool) wordID {
	digits := 0
	for digits < len(word) && isASCIIDigit(word[digits]) {
		digits++
	}
	value, err := strconv.Atoi(word[:digits])
	isMinor := err == nil && 0 < value && value < adult
	switch unit := word[digits:]; {
	case afterDollar, unit == "k" || unit == "K":
		return w.money
	case unit == "" && isMinor:
		return w.age
	case unit == "":
		return w.number
	case isMinor && (unit == "yo" || unit == "yr" || unit == "yrs" || unit == "y" || unit == "yos"):
		return w.minorAge
	}
	return 0
}

// adult is the age at which a person is no longer a minor.
const adult = 18
