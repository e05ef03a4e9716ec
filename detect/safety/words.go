package safety

import "strconv"

// wordID is the number of a word that the rules name. Unknown words have the number 0.
type wordID int32

// words are all words that the rules name.
type words struct {
	ids     map[string]wordID
	aliases map[string][]wordID
	// lists has the lists of each word, and phrases says which words begin a phrase.
	lists   [][]listID
	phrases []*phraseNode
	// The words for signs and classes.
	start, end, comma, code, possessive, caps, name, number, age, minorAge, money wordID
}

// listID is the number of a list of words and phrases.
type listID int32

// phraseNode is a node of the tree of phrases.
type phraseNode struct {
	next  map[wordID]*phraseNode
	lists []listID
}

func newWords() *words {
	w := &words{ids: map[string]wordID{}, aliases: map[string][]wordID{}, lists: [][]listID{nil}, phrases: []*phraseNode{nil}}
	for name, id := range map[string]*wordID{
		"#start": &w.start, "#end": &w.end, "#comma": &w.comma, "#code": &w.code, "'s": &w.possessive, "#caps": &w.caps,
		"#name": &w.name, "#number": &w.number, "#age": &w.age, "#minor": &w.minorAge, "#money": &w.money,
	} {
		*id = w.add(name)
	}
	return w
}

func (w *words) add(word string) wordID {
	if id, ok := w.ids[word]; ok {
		return id
	}
	id := wordID(len(w.lists))
	w.ids[word] = id
	w.lists = append(w.lists, nil)
	w.phrases = append(w.phrases, nil)
	return id
}

func (w *words) find(word []byte) wordID { return w.ids[string(word)] }

func (w *words) isKnown(word []byte) bool {
	_, ok := w.ids[string(word)]
	return ok || w.aliases[string(word)] != nil
}

// alias returns the words that a short form such as "can't" stands for, or nil.
func (w *words) alias(word []byte) []wordID { return w.aliases[string(word)] }

// enlist adds a word or a phrase to a list.
func (w *words) enlist(phrase []wordID, list listID) {
	first := phrase[0]
	if len(phrase) == 1 {
		w.lists[first] = appendNew(w.lists[first], list)
		return
	}
	node := &w.phrases[first]
	for _, id := range phrase[1:] {
		if *node == nil {
			*node = &phraseNode{next: map[wordID]*phraseNode{}}
		}
		next := (*node).next[id]
		if next == nil {
			next = &phraseNode{next: map[wordID]*phraseNode{}}
			(*node).next[id] = next
		}
		node = &next
	}
	(*node).lists = appendNew((*node).lists, list)
}

// appendNew appends a list, unless it is the last one already.
func appendNew(lists []listID, list listID) []listID {
	if n := len(lists); n > 0 && lists[n-1] == list {
		return lists
	}
	return append(lists, list)
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

// adult is the age from which a person is no longer a minor.
const adult = 18
