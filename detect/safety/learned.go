package safety

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Some messages say in many common words what no pattern finds. So words and pairs of words have weights, which
// learned_test.go derives from the train half of the corpus. If the weights of the words that occur near each other add
// up to more than 0, the message counts like a message with a medium pattern named words. If they almost do, the pattern is weak.

//go:embed rules/weights.txt
var weightText string

var learned = sync.OnceValue(func() *weights { return readWeights(weightText) }) //nolint:gochecknoglobals // made once

// scored are the categories with weights.
var scored = [...]Category{ //nolint:gochecknoglobals // never changed
	SelfHarm, Violence, SexualMinors, LegalAdvice, FinancialAdvice,
}

// sums has a number for each of these categories, in hundredths.
type sums [len(scored)]int32

// weights are the weights of words and pairs. The number of a word is its hash, and a pair has both hashes.
type weights struct {
	bias     sums
	index    map[uint64]int32
	of       []sums
	patterns [2 * len(scored)]pattern
}

// byWords is the name of the patterns that weights find.
const byWords = "words"

// almost is how far below 0 the sum of a weak match may be, in hundredths.
const almost = 80

// technical is taken from the sum of a passage with a word of software, in hundredths.
const technical = 300

// readWeights reads lines of a word, or of two words joined by +, and its weights. The word of the first line is "bias".
func readWeights(text string) *weights {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	w := &weights{index: make(map[uint64]int32, len(lines)), of: make([]sums, 0, len(lines))}
	for i, line := range lines {
		fields := strings.Fields(line)
		var of sums
		for k := range of {
			n, _ := strconv.Atoi(fields[k+1])
			of[k] = int32(n)
		}
		if i == 0 {
			w.bias = of
			continue
		}
		first, second, isPair := strings.Cut(fields[0], "+")
		key := uint64(sumOf([]byte(first)))
		if isPair {
			key = pairOf(uint32(key), sumOf([]byte(second)))
		}
		w.index[key] = int32(len(w.of))
		w.of = append(w.of, of)
	}
	for k, c := range scored {
		w.patterns[k] = pattern{category: c, name: byWords, strength: Medium, id: -1}
		w.patterns[k+len(scored)] = pattern{category: c, name: byWords, strength: Weak, id: -1}
	}
	return w
}

func pairOf(first, second uint32) uint64 { return uint64(first)<<32 | uint64(second) }

// A passage is some sentences that follow one another. It ends at the end of a sentence if it is long enough, or within a
// sentence that is too long.
const (
	passage     = 30
	longPassage = 60
)

// hits returns a hit for each category whose words add up to more than 0 in a passage. It is at the weightiest word.
func (w *weights) hits(tokens []token, words *words) (out []hit) {
	// The more passages a message has, the more likely is a wrong one among them.
	doubt := int32(100 * math.Log(float64(len(tokens)/longPassage+1)))
	isTechnical := func(t token) bool { return words.technical[t.word] }
	seen := make([]int32, len(w.of))
	best, bestSum := [len(scored)]hit{}, sums{}
	for k := range bestSum {
		bestSum[k] = -almost
	}
	sentence, from := 0, 0
	for at := range tokens {
		isEnd := tokens[at].word == words.end
		if at+1 == len(tokens) || isEnd && at-from >= passage || at-from >= longPassage {
			sum, top := w.add(tokens[from:at+1], seen, int32(from+1))
			less := doubt
			if slices.ContainsFunc(tokens[from:at+1], isTechnical) {
				less += technical
			}
			for k := range sum {
				if sum[k] -= less; sum[k] > bestSum[k] {
					bestSum[k] = sum[k]
					best[k] = hit{w.patternOf(k, sum[k]), from + top[k], from + top[k] + 1, sentence}
				}
			}
			from = at + 1
		}
		if isEnd {
			sentence++
		}
	}
	for _, h := range best {
		if h.pattern != nil {
			out = append(out, h)
		}
	}
	return out
}

func (w *weights) patternOf(k int, sum int32) *pattern {
	if sum > 0 {
		return &w.patterns[k]
	}
	return &w.patterns[k+len(scored)]
}

// add adds the weights of a passage, and returns the sums and the weightiest word for each. seen has the last passage of
// each weight, because a word counts once.
func (w *weights) add(tokens []token, seen []int32, number int32) (sum sums, top [len(scored)]int) {
	sum = w.bias
	var most sums
	eachKey(tokens, func(at int, key uint64) {
		i, known := w.index[key]
		if !known || seen[i] == number {
			return
		}
		seen[i] = number
		for k, weight := range w.of[i] {
			sum[k] += weight
			if weight > most[k] {
				most[k], top[k] = weight, at
			}
		}
	})
	return sum, top
}

// eachKey calls do for each word and each pair of neighbours.
func eachKey(tokens []token, do func(at int, key uint64)) {
	before := uint32(0)
	for at := range tokens {
		sum := tokens[at].sum
		if sum != 0 {
			do(at, uint64(sum))
			if before != 0 {
				do(at, pairOf(before, sum))
			}
		}
		before = sum
	}
}
