package safety

import (
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
)

// The rules are text files in the folder "rules". compile_test.go describes their form. Reading the text files takes
// too long for a program that makes one check and ends. So `make generate` writes the rules as numbers into the files
// *.gz. The type "table" reads these numbers. A test fails if the files are not up to date.

//go:embed rules/messages.gz
var messageTable string

//go:embed rules/answers.gz
var answerTable string

// messageRules returns the rules for messages.
var messageRules = sync.OnceValue(func() *rules { return readTable(unpack(messageTable)) }) //nolint:gochecknoglobals // made once

// answerRules returns the rules for answers.
var answerRules = sync.OnceValue(func() *rules { return readTable(unpack(answerTable)) }) //nolint:gochecknoglobals // made once

// unpack() returns the numbers in an embedded file. The files are compressed, because uncompressed they would be larger
// than the rest of the gate.
func unpack(file string) string {
	var numbers []byte
	r, err := gzip.NewReader(strings.NewReader(file))
	if err == nil {
		numbers, err = io.ReadAll(r)
	}
	if err != nil {
		panic("the program is damaged: " + err.Error())
	}
	return string(numbers)
}

// The type "rules" holds compiled patterns.
type rules struct {
	words    words
	patterns []pattern
	// The field "parts" has, for each list, the lists that are included in it. The words and phrases of an included
	// list also belong to the list that includes it.
	parts sets[listID]
	// byAnchor has an entry for each list. Each pattern is in the entry of its anchor, which is its rarest list.
	byAnchor sets[int32]
	// The field "longest" has, for each list, the number of words in its longest phrase.
	longest []int32
}

// pattern is one line of a rule file with slots. A slot is a place for a word or a list of words.
type pattern struct {
	category Category
	name     string
	strength Strength
	// The field "context" is the name of the benign context that the pattern finds, and the field "reach" says where this
	// context applies. The field "context" is empty if the pattern finds no benign context.
	context string
	reach   reach
	// isSure reports whether the pattern stands for weights whose sum is far above the limit.
	isSure bool
	id     int32
	steps  []step
	// The window must have a word or phrase of each list in the field "needs". The window must have no word or phrase of a
	// list in the field "not". The first list in the field "needs" is the anchor.
	needs, not []listID
}

type reach uint8

const (
	reachMatch reach = iota
	reachSentence
	reachMessage
)

type stepKind uint8

const (
	stepSlot stepKind = iota
	stepOptional
	stepGap
	stepNotNext
	stepNotBefore
)

// step is one part of a pattern: a slot, or what may stand between two slots.
type step struct {
	kind stepKind
	list listID
	// The field "most" is the largest number of words in a gap. The fields "only" and "without" are numbers of lists, and
	// 0 stands for no list. Every word in the gap must be in the list whose number is in the field "only". No word in the
	// gap may be in the list whose number is in the field "without".
	most          int
	only, without listID
}

// The type "table" is a reader of compiled rules. Compiled rules consist of texts, and of numbers of two bytes each.
type table struct{ rest string }

func (t *table) number() int {
	n := int(t.rest[0]) | int(t.rest[1])<<8
	t.rest = t.rest[2:]
	return n
}

// text() reads the length of a text, which takes two numbers, and then the text.
func (t *table) text() string {
	size := t.number() | t.number()<<16
	text := t.rest[:size]
	t.rest = t.rest[size:]
	return text
}

// numbers() reads the given count of numbers.
func numbers[N ~int32](t *table, count int) []N {
	out, from := make([]N, count), t.rest[:2*count]
	for i := range out {
		out[i] = N(from[2*i]) | N(from[2*i+1])<<8
	}
	t.rest = t.rest[2*count:]
	return out
}

// The type "sets" stores many small sets of numbers in one array. Set i is all[from[i]:from[i+1]].
type sets[N ~int32] struct {
	from []int32
	all  []N
}

func (s *sets[N]) of(i int) []N { return s.all[s.from[i]:s.from[i+1]] }

func (s *sets[N]) count() int { return len(s.from) - 1 }

// readSets reads the number of sets, the size of each set, and the content of the sets.
func readSets[N ~int32](t *table) sets[N] {
	sizes := numbers[int32](t, t.number())
	s, end := sets[N]{from: make([]int32, len(sizes)+1)}, int32(0)
	for i, size := range sizes {
		end += size
		s.from[i+1] = end
	}
	s.all = numbers[N](t, int(end))
	return s
}

func readTable(text string) *rules {
	t := &table{text}
	r := &rules{words: readWords(t), parts: readSets[listID](t), byAnchor: readSets[int32](t)}
	r.longest = numbers[int32](t, r.parts.count())
	r.words.skipped, r.words.technical = r.words.in(listID(t.number())), r.words.in(listID(t.number()))
	names := strings.Split(t.text(), "\n")
	needs, not, steps := readSets[listID](t), readSets[listID](t), readSets[int32](t)
	r.patterns = make([]pattern, needs.count())
	for i := range r.patterns {
		r.patterns[i] = pattern{
			category: Category(names[t.number()]), name: names[t.number()], strength: Strength(names[t.number()]),
			context: names[t.number()], reach: reach(t.number()), id: int32(t.number()),
			needs: needs.of(i), not: not.of(i), steps: stepsOf(steps.of(i)),
		}
	}
	return r
}

// stepNumbers is the count of numbers that encode one step.
const stepNumbers = 5

func stepsOf(n []int32) []step {
	out := make([]step, 0, len(n)/stepNumbers)
	for ; len(n) > 0; n = n[stepNumbers:] {
		out = append(out, step{stepKind(n[0]), listID(n[1]), int(n[2]), listID(n[3]), listID(n[4])})
	}
	return out
}
