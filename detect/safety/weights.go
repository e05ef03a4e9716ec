package safety

import (
	_ "embed"
	"math"
	"slices"
	"sync"
)

// Some messages use only common words, so no pattern finds their meaning. For such messages, words, stems and pairs of
// words have weights, which weights_test.go derives from the training half of the corpus. This test writes the weights
// as text into rules/weights.txt, and as numbers into rules/weights.bin. Words with a similar meaning form a class,
// which is one line of rules/classes.txt. The weight of a class is added to the weight of each of its words. If the
// weights of words that are near each other add up to more than 0, the message counts as if a medium pattern called
// "words" had matched. If the sum is just below 0, the match is weak.

//go:embed rules/weights.bin
var weightTable string

var learned = sync.OnceValue(func() *weights { return readWeights(weightTable) }) //nolint:gochecknoglobals // made once

// scored are the categories with weights.
var scored = [...]Category{ //nolint:gochecknoglobals // never changed
	SelfHarm, Violence, Illegal, PIIExtraction, SexualMinors, LegalAdvice, FinancialAdvice,
}

// sums has one sum of weights for each category in scored. The unit is one hundredth.
type sums [len(scored)]int32

// weights has the weights of words, of their stems and of pairs of words. The key of a word is its hash. The key of a
// pair consists of both hashes.
type weights struct {
	bias     sums
	index    map[uint64]int32
	of       []sums
	patterns [2 * len(scored)]pattern
	// contexts are the benign contexts of the categories.
	contexts [len(scored)]pattern
}

// byWords is the name of the patterns and benign contexts that come from the weights, not from a rule file.
const byWords = "words"

// The constant almost is the limit for a weak match, in hundredths: a passage is a weak match if its sum is above
// -almost, but not above 0.
const almost = 5

// farBelow returns the limit for a benign context, in hundredths: the sums of all passages must be further below 0 than
// this. It returns 0 for categories in which the weights never establish a benign context. In the categories of the
// switch below, most messages that match a medium pattern and have sums far below 0 are harmless. In the other
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

// The constant technical is the amount, in hundredths, that is subtracted from the sum of a passage with a word about
// software.
const technical = 100

// readWeights reads the compiled weights. The data consists of the number of weights, the sums of the bias, the sums of
// each weight, and the keys.
func readWeights(text string) *weights {
	t := &table{text}
	count := t.number()
	w := &weights{index: make(map[uint64]int32, count), of: make([]sums, count)}
	readSums(t, &w.bias)
	for i := range w.of {
		readSums(t, &w.of[i])
	}
	for i := range w.of {
		key := uint64(0)
		for part := range keyParts {
			key |= uint64(t.number()) << (16 * part)
		}
		w.index[key] = int32(i)
	}
	w.addPatterns()
	return w
}

// keyParts is the number of table entries that encode one key.
const keyParts = 4

func readSums(t *table, into *sums) {
	for k := range into {
		into[k] = int32(int16(t.number()))
	}
}

func (w *weights) addPatterns() {
	for k, c := range scored {
		w.contexts[k] = pattern{category: c, context: byWords, reach: reachMessage, id: -1}
		w.patterns[k] = pattern{category: c, name: byWords, strength: Medium, id: -1}
		w.patterns[k+len(scored)] = pattern{category: c, name: byWords, strength: Weak, id: -1}
	}
}

// maxTokens is the largest number of tokens in a text for which weights are used. A longer text is likely to have a
// harmless passage that looks dangerous. A dangerous text of that length is likely to use words that a pattern finds.
const maxTokens = 300

func pairOf(first, second uint32) uint64 { return uint64(first)<<32 | uint64(second) }

// A passage consists of consecutive sentences. If a passage has more tokens than the constant named passage, it ends at
// the end of the sentence. If it has more tokens than longPassage, it ends even within a sentence.
const (
	passage     = 30
	longPassage = 60
)

// The type found is the passage with the highest sum for a category.
type found struct {
	sum                int32
	from, to, sentence int
}

// hits looks for passages with a sum above -almost. For each category with such a passage, it returns a hit. The hit
// covers the words with the highest weights in the passage with the highest sum. hits also returns the benign contexts.
func (w *weights) hits(tokens []token, words *words) (out []hit) {
	if len(tokens) > maxTokens {
		return nil
	}
	// The more passages a message has, the more likely it is that one of them is a false alarm.
	doubt := int32(100 * math.Log(float64(len(tokens)/longPassage+1)))
	isTechnical := func(t token) bool { return words.technical[t.word] }
	seen := make([]int32, len(w.of))
	best := [len(scored)]found{}
	highest := sums{}
	for k := range best {
		best[k].sum, highest[k] = -almost, math.MinInt32
	}
	sentence, from := 0, 0
	for at := range tokens {
		isEnd := tokens[at].word == words.end
		if at+1 == len(tokens) || isEnd && at-from >= passage || at-from >= longPassage {
			sum := w.add(tokens[from:at+1], seen, int32(from+1))
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
		if far := farBelow(scored[k]); far > 0 && highest[k] < -far {
			out = append(out, hit{&w.contexts[k], 0, len(tokens), 0})
		}
	}
	return out
}

// The constant shown is the largest number of tokens in a hit that comes from the weights.
const shown = 6

// heaviest returns the part of a passage that a hit covers. The part contains the word with the highest weight, begins
// and ends with a word, and is no longer than the constant shown allows. Among such parts, heaviest chooses the one
// with the highest sum.
func (w *weights) heaviest(tokens []token, k int) (start, end int) {
	weights, heaviest, top := make([]int32, len(tokens)), int32(math.MinInt32), 0
	eachKey(tokens, func(at int, key uint64) {
		if i, known := w.index[key]; known {
			weight := w.of[i][k]
			if weights[at] += weight; weight > heaviest {
				heaviest, top = weight, at
			}
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
	if sum > 0 {
		return &w.patterns[k]
	}
	return &w.patterns[k+len(scored)]
}

// add returns the sum of the weights of a passage. Each word counts only once in a passage. To ensure this, seen has,
// for each weight, the number of the last passage that counted the weight.
func (w *weights) add(tokens []token, seen []int32, number int32) (sum sums) {
	sum = w.bias
	eachKey(tokens, func(_ int, key uint64) {
		i, known := w.index[key]
		if !known || seen[i] == number {
			return
		}
		seen[i] = number
		for k, weight := range w.of[i] {
			sum[k] += weight
		}
	})
	return sum
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
