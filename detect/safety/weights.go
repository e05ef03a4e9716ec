package safety

import (
	_ "embed"
	"math"
	"slices"
	"sync"
)

// Some texts use only common words, so no pattern finds their meaning. For this reason, texts are also checked with
// weights. A word, a stem or a pair of words can have a weight. weights_test.go derives the weights from the training
// half of the corpus. There are three tables of weights: for the categories of messages, for the moods of the authors
// of messages, and for the categories of answers. weights_test.go writes each table as text into rules/NAME.txt, and as
// numbers into rules/NAME.gz. Words with a similar meaning form a class, which is one line of rules/classes.txt. Each
// word of a class also has the weight of the class. If the weights of words that are near each other add up to more
// than 0, the text counts as if a pattern called "words" had matched. If the sum for a category of messages is just
// below 0, the match is weak.

//go:embed rules/weights.gz
var messageNumbers string

//go:embed rules/mood_weights.gz
var moodNumbers string

//go:embed rules/answer_weights.gz
var answerNumbers string

//go:embed rules/classes.gz
var classNumbers string

//nolint:gochecknoglobals // made once
var (
	classes        = sync.OnceValue(func() map[uint32]int32 { return readClasses(unpack(classNumbers)) })
	messageWeights = sync.OnceValue(func() *weights { return readWeights(unpack(messageNumbers), Categories()) })
	moodWeights    = sync.OnceValue(func() *weights { return readWeights(unpack(moodNumbers), moods()) })
	answerWeights  = sync.OnceValue(func() *weights { return readWeights(unpack(answerNumbers), weighedAnswers()) })
)

// moods() returns what the weights find out about the author of a message: the intents and sorrow.
func moods() []Category {
	return []Category{
		Category(IntentGrandiose), Category(IntentDependency), Category(IntentRomantic), Category(IntentAggression), sorrow,
	}
}

// weighedAnswers returns the categories of answers for which there are weights. The other categories depend on more
// than the words of the answer.
func weighedAnswers() []Category {
	return []Category{
		SelfHarmEncouragement, MedicalPrescription, TherapeuticClaim, LegalOpinion, FinancialOpinion,
		FrequencyPressure, PowerDynamics, ExcessiveHedging, RefusalToEngage,
		Guarantee, Certainty, OutcomePrediction, PermanencePromise, ExclusiveAvailability, IdentityMerging,
	}
}

// readClasses returns the number of the class for each word that belongs to a class. The key is the hash of the word.
func readClasses(text string) map[uint32]int32 {
	t := &table{text}
	count := t.number()
	out := make(map[uint32]int32, count)
	for range count {
		sum := uint32(t.number()) | uint32(t.number())<<16
		out[sum] = int32(t.number())
	}
	return out
}

// The type "weights" has the weights of words, of their stems, of pairs of words and of classes. The key of a word
// is its hash. The key of a pair consists of both hashes. The unit of a weight is one hundredth.
type weights struct {
	categories []Category
	// The field "bias" has a number for each category. The field "rows" has a row for each class, and then a row
	// for each word, stem and pair. A row has a number for each category. The field "index" has the number of the row
	// of each key.
	bias  []int16
	index map[uint64]int32
	rows  []int16
	// The field "classes" says how many of the rows are for classes.
	classes int32
	// The field "patterns" has a pattern for each category. The field "weak" has the patterns of sums just below 0, and
	// the field "sure" has the patterns of sums far above 0. These two lists are empty if such sums do not count. The
	// field "contexts" has the benign contexts of the categories.
	patterns, weak, sure, contexts []pattern
}

// row() returns the weights of a class, a word, a stem or a pair.
func (w *weights) row(i int32) []int16 {
	n := len(w.categories)
	return w.rows[int(i)*n : int(i)*n+n]
}

// byWords is the name of the patterns and benign contexts that come from the weights, not from a rule file.
const byWords = "words"

// The constant "almost" is the limit for a weak match, in hundredths: a passage is a weak match if its sum is above
// -almost, but not above 0.
const almost = 5

// The constant "farAbove" is the limit, in hundredths, for a sum that counts even in a benign context. People who
// ask for help to do harm often add that it is for a novel. Even with such a remark, most messages with such a high sum
// are risky.
const farAbove = 200

// farBelow returns the limit for a benign context, in hundredths: the sums of all passages must be further below 0 than
// this limit. It returns 0 for categories in which the weights never establish a benign context. In the categories of
// the switch below, most messages that match a medium pattern and have sums far below 0 are harmless. In the other
// categories, a threat would too often count as harmless.
func farBelow(c Category) int32 {
	switch c {
	case PIIExtraction:
		return 300
	case LegalAdvice:
		return 300
	case Illegal:
		return 420
	}
	return 0
}

// The constant "technical" is the amount, in hundredths, that is subtracted from the sum of a passage with a word
// about software.
const technical = 100

// readWeights reads the compiled weights for some categories. The data consists of, in this order: the count of
// classes, the count of keys, the bias values, the rows, and the keys.
func readWeights(text string, categories []Category) *weights {
	t := &table{text}
	first, count, n := t.number(), t.number(), len(categories)
	w := &weights{categories: categories, index: make(map[uint64]int32, count), classes: int32(first)}
	w.bias, w.rows = readNumbers(t, n), readNumbers(t, n*(first+count))
	for i := range count {
		key := uint64(0)
		for part := range keyParts {
			key |= uint64(t.number()) << (16 * part)
		}
		w.index[key] = int32(first + i)
	}
	w.addPatterns()
	return w
}

// keyParts is the number of table entries that encode one key.
const keyParts = 4

func readNumbers(t *table, count int) []int16 {
	out := make([]int16, count)
	for i := range out {
		out[i] = int16(t.number())
	}
	return out
}

func (w *weights) addPatterns() {
	for _, c := range w.categories {
		w.contexts = append(w.contexts, pattern{category: c, context: byWords, reach: reachMessage, id: -1})
		w.patterns = append(w.patterns, pattern{category: c, name: byWords, strength: enough(c), id: -1})
		if slices.Contains(Categories(), c) {
			w.weak = append(w.weak, pattern{category: c, name: byWords, strength: Weak, id: -1})
			w.sure = append(w.sure, pattern{category: c, name: byWords, strength: enough(c), isSure: true, id: -1})
		}
	}
}

// enough() returns the strength of the patterns that come from the weights. For a category of answers, one such pattern
// is enough for the verdict of the gate. For a category of messages, one such pattern is enough for HOLD.
func enough(c Category) Strength {
	for _, gate := range Gates() {
		switch {
		case !slices.Contains(gate.Categories(), c):
		case gate.Verdict() == Block:
			return Strong
		case gate.Verdict() == Flag:
			return Weak
		}
	}
	return Medium
}

// maxTokens is the largest number of tokens in a text for which weights are used. A longer text is likely to have a
// harmless passage that looks dangerous. A dangerous text of that length is likely to use words that a pattern finds.
const maxTokens = 300

func pairOf(first, second uint32) uint64 { return uint64(first)<<32 | uint64(second) }

// A passage consists of consecutive sentences. If a passage has more tokens than the constant "passage", it ends at
// the end of the sentence. If it has more tokens than longPassage, it ends even within a sentence.
const (
	passage     = 30
	longPassage = 60
)

// The type "found" is the passage with the highest sum for a category.
type found struct {
	sum                int32
	from, to, sentence int
}

// hits() looks for passages with a sum above 0. If sums just below 0 count, it also looks for passages with such a sum.
// For each category with such a passage, it returns a hit. The hit covers the words with the highest weights in the
// passage with the highest sum. hits() also returns the benign contexts.
func (w *weights) hits(tokens []token, words *words) (out []hit) {
	if len(tokens) > maxTokens {
		return nil
	}
	// The more passages a message has, the more likely it is that one of them is a false alarm.
	doubt := int32(100 * math.Log(float64(len(tokens)/longPassage+1)))
	isTechnical := func(t token) bool { return words.technical[t.word] }
	n := len(w.categories)
	seen, sum, highest, best := make([]int32, len(w.rows)/n), make([]int32, n), make([]int32, n), make([]found, n)
	least := int32(0)
	if len(w.weak) > 0 {
		least = -almost
	}
	for k := range best {
		best[k].sum, highest[k] = least, math.MinInt32
	}
	sentence, from := 0, 0
	for at := range tokens {
		isEnd := tokens[at].word == words.end
		if at+1 == len(tokens) || isEnd && at-from >= passage || at-from >= longPassage {
			w.add(tokens[from:at+1], seen, int32(from+1), sum)
			less := doubt
			if slices.ContainsFunc(tokens[from:at+1], isTechnical) {
				less += technical
			}
			for k := range sum {
				sum[k] -= less
				highest[k] = max(highest[k], sum[k])
				if sum[k] > best[k].sum {
					best[k] = found{sum[k], from, at + 1, sentence}
				}
			}
			from = at + 1
		}
		if isEnd {
			sentence++
		}
	}
	for k, f := range best {
		if f.to > 0 {
			start, end := w.heaviest(tokens[f.from:f.to], k)
			out = append(out, hit{w.patternOf(k, f.sum), f.from + start, f.from + end, f.sentence})
		}
		if far := farBelow(w.categories[k]); far > 0 && highest[k] < -far {
			out = append(out, hit{&w.contexts[k], 0, len(tokens), 0})
		}
	}
	return out
}

// A hit that comes from the weights covers at most this number of tokens.
const shown = 6

// heaviest() chooses the part of a passage that its hit covers. The part contains the word with the highest weight, and
// it begins and ends with a word. It has at most as many tokens as the constant "shown" says. Of all such parts, the
// result is the part with the highest sum.
func (w *weights) heaviest(tokens []token, k int) (start, end int) {
	weights, heaviest, top := make([]int32, len(tokens)), int32(math.MinInt32), 0
	w.eachRow(tokens, func(at int, i int32) {
		weight := int32(w.row(i)[k])
		if weights[at] += weight; weight > heaviest {
			heaviest, top = weight, at
		}
	})
	most := int32(math.MinInt32)
	for from := max(0, top-shown+1); from <= top; from++ {
		sum := int32(0)
		for to := from; to < min(from+shown, len(tokens)); to++ {
			isShorter := sum+weights[to] == most && to+1-from < end-start
			if sum += weights[to]; to >= top && tokens[from].sum != 0 && tokens[to].sum != 0 && (sum > most || isShorter) {
				most, start, end = sum, from, to+1
			}
		}
	}
	return start, end
}

func (w *weights) patternOf(k int, sum int32) *pattern {
	switch {
	case sum > farAbove && len(w.sure) > 0:
		return &w.sure[k]
	case sum > 0:
		return &w.patterns[k]
	}
	return &w.weak[k]
}

// add() sets each element of sum to the sum of the weights of a passage for one category. Each word counts only once in
// a passage. To ensure this, the parameter "seen" has a number for each row of a word, stem or pair: the number of
// the last passage that counted the row. The class of a word counts with the first occurrence of the word.
func (w *weights) add(tokens []token, seen []int32, number int32, sum []int32) {
	for k, bias := range w.bias {
		sum[k] = int32(bias)
	}
	w.eachRow(tokens, func(at int, i int32) {
		if isClass := i < w.classes; isClass && isRepeated(tokens, at) || !isClass && seen[i] == number {
			return
		}
		seen[i] = number
		row := w.row(i)
		for k := range sum[:len(row)] {
			sum[k] += int32(row[k])
		}
	})
}

// eachRow calls do() for the row of each word, stem, pair and class.
func (w *weights) eachRow(tokens []token, do func(at int, i int32)) {
	classes := classes()
	eachKey(tokens, func(at int, key uint64) {
		if i, known := w.index[key]; known {
			do(at, i)
		}
		if key == uint64(tokens[at].sum) {
			if class, known := classes[tokens[at].sum]; known && class < w.classes {
				do(at, class)
			}
		}
	})
}

// isRepeated reports whether a word occurs earlier in the passage.
func isRepeated(tokens []token, at int) bool {
	return slices.ContainsFunc(tokens[:at], func(t token) bool { return t.sum == tokens[at].sum })
}

// stemMark is the first half of the key of a stem.
const stemMark = 1

// eachKey calls do() for each word, each stem and each pair of neighbours.
func eachKey(tokens []token, do func(at int, key uint64)) {
	before := uint32(0)
	for at := range tokens {
		sum := tokens[at].sum
		if sum != 0 {
			do(at, uint64(sum))
			do(at, pairOf(stemMark, tokens[at].stem))
			if before != 0 {
				do(at, pairOf(before, sum))
			}
		}
		before = sum
	}
}
