package safety

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guardrails/internal/corpus"
)

// lesson is a line of the train half.
type lesson struct {
	label   string
	isEvery bool // an everyday prompt or an idiom
	isTech  bool // with a word about software
	keys    []uint64
	texts   []string
}

type lessonLine struct {
	corpus.Header
	Text        string
	UserMessage string `json:"user_message"`
	ToolsUsed   bool   `json:"tools_used"`
	Intent      string
}

// TestWeightsAreCurrent fails if the compiled weights do not agree with the text. With -update, it learns them from the
// train half of the corpus.
func TestWeightsAreCurrent(t *testing.T) {
	if *update {
		text := learnAll(t)
		if err := errors.Join(os.WriteFile("rules/weights.txt", []byte(text), 0o600),
			os.WriteFile("rules/weights.bin", compileWeights(t, parseWeights(text)), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("rules/weights.txt")
	if err != nil {
		t.Fatal(err)
	}
	w := parseWeights(string(text))
	if len(w.of) < 1000 || slices.Max(w.bias[:]) >= 0 {
		t.Errorf("%d weights, bias %v", len(w.of), w.bias)
	}
	compiled := compileWeights(t, w)
	if got, err := os.ReadFile("rules/weights.bin"); err != nil || !bytes.Equal(got, compiled) {
		t.Errorf("rules/weights.bin does not agree with rules/weights.txt (%v). Run `make generate`", err)
	}
	if got := readWeights(string(compiled)); !reflect.DeepEqual(got, w) {
		t.Error("the compiled weights are read as others")
	}
}

// parseWeights reads lines of a word, a stem after ~, or two words joined by +, and its weights. The word of the first line
// is "bias".
func parseWeights(text string) *weights {
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
		if stem, isStem := strings.CutPrefix(first, "~"); isStem {
			key = pairOf(stemMark, sumOf([]byte(stem)))
		} else if isPair {
			key = pairOf(uint32(key), sumOf([]byte(second)))
		}
		w.index[key] = int32(len(w.of))
		w.of = append(w.of, of)
	}
	w.addPatterns()
	return w
}

// compileWeights returns weights as readWeights reads them.
func compileWeights(t *testing.T, w *weights) []byte {
	t.Helper()
	keys := make([]uint64, len(w.of))
	for key, i := range w.index {
		keys[i] = key
	}
	out := &tableWriter{}
	out.number(len(w.of))
	for _, of := range append([]sums{w.bias}, w.of...) {
		for _, n := range of {
			if n != int32(int16(n)) {
				t.Fatalf("the weight %d is too large", n)
			}
			out.number(int(uint16(n)))
		}
	}
	for _, key := range keys {
		for part := range keyParts {
			out.number(int(uint16(key >> (16 * part))))
		}
	}
	if out.tooLarge {
		t.Fatal("there are too many weights")
	}
	return out.out
}

func lessons(t *testing.T) (out []lesson) {
	t.Helper()
	r := messageRules()
	for _, x := range corpus.Load[lessonLine](t, "testdata/corpus") {
		kind, _, _ := strings.Cut(x.ID, "-")
		isInput := kind == "message" || kind == "prompt" || kind == "idiom" && isOfInput(x.Category)
		if x.Split != "train" || !isInput {
			continue
		}
		l := lesson{label: x.Label, isEvery: kind != "message" && x.Category != "neighbour"}
		tokens := tokenize(x.Text, readProse(x.Text), &r.words, x.Label == string(SexualMinors))
		l.isTech = slices.ContainsFunc(tokens, func(t token) bool { return r.words.technical[t.word] })
		known := map[uint64]bool{}
		eachKey(tokens, func(at int, key uint64) {
			if known[key] {
				return
			}
			known[key] = true
			text := wordOf(x.Text, tokens[at])
			switch key >> 32 {
			case 0:
			case stemMark:
				text = "~" + string(stemOf([]byte(text)))
			default:
				text = wordOf(x.Text, tokens[at-1]) + "+" + text
			}
			if _, same := parseWeights("bias" + zeros + "\n" + text + zeros).index[key]; same {
				l.keys, l.texts = append(l.keys, key), append(l.texts, text)
			}
		})
		out = append(out, l)
	}
	return out
}

func isOfInput(category string) bool {
	return slices.Contains(Categories(), Category(category)) || strings.HasPrefix(category, "behavior_")
}

func wordOf(text string, t token) string {
	return strings.ToLower(slice(text, int(t.start), int(t.end)))
}

// learnAll returns the text of the file with weights.
func learnAll(t *testing.T) string {
	t.Helper()
	all := lessons(t)
	counts, names := map[uint64]int{}, map[uint64]string{}
	for _, l := range all {
		for i, key := range l.keys {
			counts[key]++
			names[key] = l.texts[i]
		}
	}
	for i := range all {
		all[i].keys = slices.DeleteFunc(all[i].keys, func(key uint64) bool { return counts[key] < 2 })
	}
	var bias sums
	table := map[string]sums{}
	for k, c := range scored {
		var sums []float64
		for fold := range folds {
			w, b := learn(all, string(c), fold)
			for i, l := range all {
				if i%folds == fold && l.isEvery {
					sum := total(w, b, l.keys)
					if l.isTech {
						sum -= technical / 100
					}
					sums = append(sums, sum)
				}
			}
		}
		slices.Sort(sums)
		highest := sums[len(sums)-allowed]
		w, b := learn(all, string(c), -1)
		bias[k] = int32(math.Round(100 * (b - highest - marginOf(c))))
		for key, weight := range w {
			n := int32(math.Round(100 * weight))
			if n > -10 && n < 10 {
				continue
			}
			row := table[names[key]]
			row[k] = n
			table[names[key]] = row
		}
	}
	var out strings.Builder
	row := func(name string, of sums) {
		_, _ = fmt.Fprintln(&out, name, strings.Trim(fmt.Sprint(of), "[]"))
	}
	row("bias", bias)
	for _, name := range slices.SortedFunc(maps.Keys(table), cmp.Compare[string]) {
		row(name, table[name])
	}
	return out.String()
}

const (
	zeros = " 0 0 0 0 0 0 0"
	folds = 5
	// allowed selects the harmless line with the sixth highest sum. The threshold is above this sum, so at most five
	// harmless lines can reach the threshold.
	allowed = 6
	rounds  = 20
	// firstRounds are the rounds whose weights do not count.
	firstRounds = 4
)

// marginOf returns how far the threshold of a category is above the sum of the harmless line that the constant allowed
// selects. The margin is larger for categories in which false alarms would be frequent or grave.
func marginOf(c Category) float64 {
	switch c {
	case SexualMinors:
		return 2.5
	case LegalAdvice:
		return 2
	case PIIExtraction:
		return 1.5
	case Violence:
		return 0.8
	case Illegal:
		return 0.1
	}
	return 0.5
}

// learn returns the weights of logistic regression for a category: the means of those after each of the later rounds. It
// leaves out the lines of a fold.
func learn(all []lesson, category string, without int) (mean map[uint64]float64, meanBias float64) {
	w, slope, bias := map[uint64]float64{}, map[uint64]float64{}, 0.0
	mean = map[uint64]float64{}
	state := uint64(1)
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	for round := range rounds {
		for i := len(order) - 1; i > 0; i-- {
			state = state*6364136223846793005 + 1442695040888963407
			j := int(state>>33) % (i + 1)
			order[i], order[j] = order[j], order[i]
		}
		for _, i := range order {
			l := &all[i]
			if i%folds == without {
				continue
			}
			wanted, importance := l.aim(category)
			step := (1/(1+math.Exp(-total(w, bias, l.keys))) - wanted) * importance
			bias -= 0.05 * step
			for _, key := range l.keys {
				slope[key] += step * step
				w[key] -= 0.3 * (step + 0.005*w[key]) / math.Sqrt(0.01+slope[key])
			}
		}
		if round < firstRounds {
			continue
		}
		meanBias += bias / (rounds - firstRounds)
		for key, weight := range w {
			mean[key] += weight / (rounds - firstRounds)
		}
	}
	return mean, meanBias
}

// aim returns 1 if the line is in the category and 0 if not, and how important it is to learn this. A false alarm on an
// everyday prompt is the worst mistake.
func (l *lesson) aim(category string) (wanted, importance float64) {
	switch {
	case l.label == category:
		return 1, 6
	case l.isEvery:
		return 0, 10
	case l.label != "silent":
		return 0, 2
	}
	return 0, 1
}

func total(w map[uint64]float64, bias float64, keys []uint64) float64 {
	for _, key := range keys {
		bias += w[key]
	}
	return bias
}

// TestAMatchOfWeightsShowsTheHeaviestWords uses a few weights of its own instead of the compiled ones.
func TestAMatchOfWeightsShowsTheHeaviestWords(t *testing.T) {
	w := parseWeights("bias -500 -500 -500 -500 -500 -500 -500\nalpha 300 0 0 0 0 0 0\nbeta 400 0 0 0 0 0 0\n" +
		"omega 50 0 0 0 0 0 0\nalpha+beta 100 0 0 0 0 0 0\n")
	const text = "omega one two three four five six seven alpha beta and more words"
	tokens := tokenize(text, readProse(text), &messageRules().words, false)
	hits := w.hits(tokens, &messageRules().words)
	if len(hits) != 1 {
		t.Fatalf("%d hits", len(hits))
	}
	if got := slice(text, int(tokens[hits[0].start].start), int(tokens[hits[0].end-1].end)); got != "alpha beta" {
		t.Errorf("the match is %q", got)
	}
}
