package safety

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guardrails/internal/fortests/corpus"
)

// lesson is a line of the train half of the corpus.
type lesson struct {
	label       string
	isEvery     bool // an everyday prompt or an idiom
	isNeighbour bool // a harmless message that looks risky
	isTech      bool // with a word about software
	// features lists the numbers of words, stems, pairs and classes. If several words of a class are in the text, features
	// has the number of the class several times.
	features []int32
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
			os.WriteFile("rules/weights.bin", compileWeights(t, parseWeights(text, readClasses(t))), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("rules/weights.txt")
	if err != nil {
		t.Fatal(err)
	}
	w := parseWeights(string(text), readClasses(t))
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

// parseWeights reads weights. Each line has a name and its weights. The name in the first line is "bias". Any other
// name is a word, ~ and a stem, two words joined by +, or @ and the number of a class. The weight of a class is added
// to the weight of each of its words.
func parseWeights(text string, classes [][]string) *weights {
	w := &weights{index: map[uint64]int32{}}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
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
		for _, key := range keysOf(fields[0], classes) {
			at, known := w.index[key]
			if !known {
				at = int32(len(w.of))
				w.index[key], w.of = at, append(w.of, sums{})
			}
			for k, n := range of {
				w.of[at][k] += n
			}
		}
	}
	w.addPatterns()
	return w
}

// keysOf returns the keys for a name in the file of weights.
func keysOf(name string, classes [][]string) (keys []uint64) {
	if number, isClass := strings.CutPrefix(name, "@"); isClass {
		n, _ := strconv.Atoi(number)
		for _, word := range classes[n] {
			keys = append(keys, uint64(sumOf([]byte(word))))
		}
		return keys
	}
	if stem, isStem := strings.CutPrefix(name, "~"); isStem {
		return []uint64{pairOf(stemMark, sumOf([]byte(stem)))}
	}
	first, second, isPair := strings.Cut(name, "+")
	key := uint64(sumOf([]byte(first)))
	if isPair {
		key = pairOf(uint32(key), sumOf([]byte(second)))
	}
	return []uint64{key}
}

// readClasses reads the classes of words: one class on each line. Words with a similar meaning are in one class. So
// even a word that is not in the corpus gets a weight: the weight of its class.
func readClasses(t *testing.T) (classes [][]string) {
	t.Helper()
	text, err := os.ReadFile("rules/classes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		classes = append(classes, strings.Fields(line))
	}
	return classes
}

// compileWeights returns weights in the form that readWeights reads.
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

// lessons returns the lines of the train half, and the names of their features.
func lessons(t *testing.T) (out []lesson, names []string) {
	t.Helper()
	classOf := map[string]string{}
	for n, class := range readClasses(t) {
		for _, word := range class {
			classOf[word] = "@" + strconv.Itoa(n)
		}
	}
	var found [][]string
	counts := map[string]int{}
	for _, x := range append(corpus.Load[lessonLine](t, "testdata/corpus"), prompts(t)...) {
		kind, _, _ := strings.Cut(x.ID, "-")
		isInput := kind == "message" || kind == "prompt" || kind == "idiom" && isOfInput(x.Category)
		if x.Split != "train" || !isInput {
			continue
		}
		l := lesson{label: x.Label, isNeighbour: x.Category == "neighbour" || strings.HasPrefix(x.ID, "idiom-neighbour-")}
		l.isEvery = kind != "message" && !l.isNeighbour
		tokens := tokenize(x.Text, readProse(x.Text), &messageRules().words, x.Label == string(SexualMinors))
		l.isTech = slices.ContainsFunc(tokens, func(t token) bool { return messageRules().words.technical[t.word] })
		features := featuresOf(x.Text, tokens, classOf)
		for _, name := range slices.Compact(slices.Sorted(slices.Values(features))) {
			counts[name]++
		}
		out, found = append(out, l), append(found, features)
	}
	numbers := map[string]int32{}
	for i, features := range found {
		for _, name := range features {
			if fewest := 2 + strings.Count(name, "+"); counts[name] < fewest {
				continue
			}
			if _, known := numbers[name]; !known {
				numbers[name], names = int32(len(names)), append(names, name)
			}
			out[i].features = append(out[i].features, numbers[name])
		}
	}
	return out, names
}

// prompts returns the prompts in the train half of the corpora of detect/talk. All of these prompts are everyday
// prompts.
func prompts(t *testing.T) (out []lessonLine) {
	t.Helper()
	type session struct {
		corpus.Header
		Prompts []struct {
			Text    string
			Minutes float64
		}
		Field    string
		Messages []string
		Answer   string
	}
	for _, name := range []string{"rumination", "sycophancy"} {
		for _, x := range corpus.Load[session](t, "../talk/testdata/corpus/"+name) {
			texts := x.Messages
			for _, p := range x.Prompts {
				texts = append(texts, p.Text)
			}
			x.Header = corpus.Header{ID: "prompt-" + x.ID, Label: "silent", Category: name, Split: x.Split}
			for _, text := range texts {
				out = append(out, lessonLine{Header: x.Header, Text: text})
			}
		}
	}
	return out
}

// featuresOf returns the names of the features of a text. It returns each word, each stem and each pair only once.
func featuresOf(text string, tokens []token, classOf map[string]string) (names []string) {
	known := map[uint64]bool{}
	eachKey(tokens, func(at int, key uint64) {
		if known[key] {
			return
		}
		known[key] = true
		name := wordOf(text, tokens[at])
		word := name
		switch key >> 32 {
		case 0:
		case stemMark:
			name = "~" + string(stemOf([]byte(word)))
		default:
			name = wordOf(text, tokens[at-1]) + "+" + word
		}
		if !slices.Contains(keysOf(name, nil), key) {
			return
		}
		names = append(names, name)
		if class := classOf[word]; class != "" && name == word {
			names = append(names, class)
		}
	})
	return names
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
	all, names := lessons(t)
	var bias sums
	table := make([]sums, len(names))
	for k, c := range scored {
		w, b := learn(all, len(names), string(c), -1)
		bias[k] = int32(math.Round(100 * (b - threshold(all, len(names), c))))
		for i, weight := range w {
			if n := int32(math.Round(100 * weight)); n <= -least || n >= least {
				table[i][k] = n
			}
		}
	}
	rows := []string{}
	for i, of := range table {
		if of != (sums{}) {
			rows = append(rows, names[i]+" "+strings.Trim(fmt.Sprint(of), "[]"))
		}
	}
	slices.Sort(rows)
	return "bias " + strings.Trim(fmt.Sprint(bias), "[]") + "\n" + strings.Join(rows, "\n") + "\n"
}

// threshold returns the sum that a message of a category must exceed. It calculates the sum of each harmless line with
// weights that were learned without this line.
func threshold(all []lesson, features int, c Category) float64 {
	var everyday, neighbours []float64
	for fold := range folds {
		w, b := learn(all, features, string(c), fold)
		for i, l := range all {
			if i%folds != fold || l.label != "silent" {
				continue
			}
			sum := total(w, b, l.features)
			if l.isTech {
				sum -= technical / 100.0
			}
			if l.isNeighbour {
				neighbours = append(neighbours, sum)
			} else {
				everyday = append(everyday, sum)
			}
		}
	}
	slices.Sort(everyday)
	slices.Sort(neighbours)
	mostEveryday, mostNeighbours := allowed(c)
	return max(everyday[len(everyday)-mostEveryday], neighbours[len(neighbours)-mostNeighbours])
}

const (
	folds  = 5
	rounds = 60
	// firstRounds is the number of rounds at the beginning whose weights do not count.
	firstRounds = 4
	// The constant ignored is the number of features, out of every ten, that a round ignores.
	ignored = 6
	// The constant least is the limit, in hundredths, below which a weight is dropped.
	least = 5
)

// allowed returns how many everyday lines and how many neighbours are allowed to reach the threshold of a category. The
// numbers are small where false alarms would be frequent or serious.
func allowed(c Category) (everyday, neighbours int) {
	switch c {
	case SelfHarm:
		return 24, 220
	case Violence:
		return 22, 150
	case Illegal:
		return 38, 500
	case PIIExtraction:
		return 14, 114
	case LegalAdvice:
		return 10, 100
	case FinancialAdvice:
		return 8, 95
	}
	return 1, 15
}

// learn returns the weights of logistic regression for a category. Each weight is the mean of its values after the
// later rounds. learn leaves out the lines of one fold. In each round, it ignores 6 of 10 features of each line, at random,
// so that no weight depends on a few other words.
func learn(all []lesson, features int, category string, without int) (mean []float64, meanBias float64) {
	w, slope, bias := make([]float64, features), make([]float64, features), 0.0
	mean = make([]float64, features)
	random := uint64(1)
	next := func() int {
		random = random*6364136223846793005 + 1442695040888963407
		return int(random >> 33)
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	var used []int32
	for round := range rounds {
		for i := len(order) - 1; i > 0; i-- {
			j := next() % (i + 1)
			order[i], order[j] = order[j], order[i]
		}
		for _, i := range order {
			l := &all[i]
			if i%folds == without {
				continue
			}
			used = used[:0]
			for _, f := range l.features {
				if next()%10 >= ignored {
					used = append(used, f)
				}
			}
			wanted, importance := l.aim(category)
			step := (1/(1+math.Exp(-bias-2*total(w, 0, used))) - wanted) * importance
			bias -= 0.05 * step
			for _, f := range used {
				slope[f] += 4 * step * step
				w[f] -= 0.1 * (2*step + 0.005*w[f]) / math.Sqrt(0.01+slope[f])
			}
		}
		if round < firstRounds {
			continue
		}
		meanBias += bias / (rounds - firstRounds)
		for f, weight := range w {
			mean[f] += weight / (rounds - firstRounds)
		}
	}
	return mean, meanBias
}

// aim returns two numbers for learning. The result wanted is 1 if the line is in the category, and 0 if not. importance
// says how much a mistake on this line costs. A false alarm on an everyday prompt is the worst mistake. Finding the
// category in a message of another risky category costs little. For example, a person who plans a crime also writes
// about harm and about the data of others.
func (l *lesson) aim(category string) (wanted, importance float64) {
	switch {
	case l.label == category:
		return 1, 3
	case l.isEvery && Category(category) == Illegal:
		return 0, 80
	case l.isEvery:
		return 0, 40
	case l.isNeighbour:
		return 0, 8
	}
	return 0, 0.5
}

func total(w []float64, bias float64, features []int32) float64 {
	for _, f := range features {
		bias += w[f]
	}
	return bias
}

// TestAMatchOfWeightsShowsTheHeaviestWords uses a few weights of its own instead of the compiled ones.
func TestAMatchOfWeightsShowsTheHeaviestWords(t *testing.T) {
	w := parseWeights("bias -500 -500 -500 -500 -500 -500 -500\nalpha 300 0 0 0 0 0 0\nbeta 400 0 0 0 0 0 0\n"+
		"omega 50 0 0 0 0 0 0\nalpha+beta 100 0 0 0 0 0 0\n", nil)
	const text = "omega one two three four five six seven alpha beta and more words"
	tokens := tokenize(text, readProse(text), &messageRules().words, false)
	hits := slices.DeleteFunc(w.hits(tokens, &messageRules().words), func(h hit) bool { return h.pattern.context != "" })
	if len(hits) != 1 {
		t.Fatalf("%d hits", len(hits))
	}
	if got := slice(text, int(tokens[hits[0].start].start), int(tokens[hits[0].end-1].end)); got != "alpha beta" {
		t.Errorf("the match is %q", got)
	}
}

// TestWeightsDoubtAMediumPatternButNotAStrongOne uses weights of its own. With these weights, the sums of every message
// are far below 0.
func TestWeightsDoubtAMediumPatternButNotAStrongOne(t *testing.T) {
	w := parseWeights("bias -900 -900 -900 -900 -900 -900 -900\n", nil)
	const text = "the weather is fine"
	tokens := tokenize(text, readProse(text), &messageRules().words, false)
	hits := w.hits(tokens, &messageRules().words)
	for _, c := range []struct {
		category Category
		strength Strength
		want     string
	}{
		{PIIExtraction, Strong, ""},
		{PIIExtraction, Medium, byWords},
		{Illegal, Strong, ""},
		{Illegal, Medium, byWords},
		{LegalAdvice, Medium, byWords},
		{SelfHarm, Medium, ""},
		{Violence, Medium, ""},
	} {
		h := hit{pattern: &pattern{category: c.category, name: "record", strength: c.strength}}
		if got := contextOf(&h, hits); got != c.want {
			t.Errorf("the benign context of a %s pattern of %s is %q, want %q", c.strength, c.category, got, c.want)
		}
	}
}
