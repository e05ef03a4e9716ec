package safety

import (
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

// lesson is a line of the training half of the corpus.
type lesson struct {
	label       string
	isEvery     bool // an everyday text or an idiom
	isNeighbour bool // a harmless text that looks risky
	isTech      bool // with a word about software
	// gate is the gate of an answer that should trigger it, or "".
	gate Gate
	// The field "features" lists the numbers of words, stems, pairs and classes. If several words of a class are in
	// the text, features has the number of the class several times.
	features []int32
}

// school learns one of the tables of weights.
type school struct {
	// name is the name of the files in the folder rules.
	name       string
	categories []Category
	words      *words
	// lesson turns a line of the corpus into a lesson without features. The result "ok" is false if the line is not for
	// this school.
	lesson func(kind string, x *lessonLine) (l lesson, ok bool)
	// allowed() returns how many everyday lines and how many neighbours are allowed to reach the threshold of a category.
	allowed func(Category) (everyday, neighbours int)
	// The field "least" is the limit, in hundredths, below which a weight is dropped.
	least int32
	// A feature is used only if enough lines have it. The field "single" is the smallest number of lines for a word, a
	// stem or a class, and the field "pair" is the smallest number for a pair. The field "risky" is the smallest number of
	// risky lines. It applies to every feature.
	single, pair, risky int
}

func schools() []school {
	return []school{
		{"weights", Categories(), &messageRules().words, messageLesson, allowedMessages, 5, 3, 4, 0},
		{"mood_weights", moods(), &messageRules().words, moodLesson, allowedMoods, 8, 2, 3, 3},
		{"answer_weights", weighedAnswers(), &answerRules().words, answerLesson, allowedAnswers, 10, 2, 3, 3},
	}
}

func messageLesson(kind string, x *lessonLine) (l lesson, ok bool) {
	l = lesson{label: x.Label, isNeighbour: x.Category == "neighbour" || strings.HasPrefix(x.ID, "idiom-neighbour-")}
	l.isEvery = kind != "message" && !l.isNeighbour
	return l, kind == "message" || kind == "prompt" || kind == "idiom" && isOfInput(x.Category)
}

// moodLesson takes the lines with intents or sorrow. It also takes the lines for the categories of messages, as
// examples without a mood.
func moodLesson(kind string, x *lessonLine) (l lesson, ok bool) {
	switch kind {
	case "intent", "sorrow":
		return lesson{label: x.Label}, true
	case "gate":
		x.Text = x.UserMessage
		return lesson{label: string(sorrow)}, x.Category == string(ToneMismatch)
	case "calm":
		return lesson{label: x.Label, isNeighbour: true}, true
	}
	l, ok = messageLesson(kind, x)
	return l, ok && x.Label != string(SelfHarm) // such a message can be sad or needy
}

// answerLesson takes the lines with answers. It also takes what developers write to a model, as examples of harmless
// words.
func answerLesson(kind string, x *lessonLine) (l lesson, ok bool) {
	switch {
	case kind == "gate":
		return lesson{label: x.Category, gate: Gate(x.Label)}, true
	case kind == "answer" && x.Category == "neighbour":
		return lesson{label: x.Label, isNeighbour: true}, true
	case kind == "answer", kind == "prompt" && x.Category != "neighbour", kind == "idiom" && !isOfInput(x.Category):
		return lesson{label: x.Label, isEvery: true}, true
	}
	return lesson{}, false
}

type lessonLine struct {
	corpus.Header
	Text        string
	UserMessage string `json:"user_message"`
	ToolsUsed   bool   `json:"tools_used"`
	Intent      string
}

// TestWeightsAreCurrent fails if the compiled weights do not agree with the text. With -update, it learns them from the
// training half of the corpus.
func TestWeightsAreCurrent(t *testing.T) {
	for _, s := range schools() {
		t.Run(s.name, func(t *testing.T) {
			path := "rules/" + s.name
			if *update {
				text := s.learnAll(t)
				if err := errors.Join(os.WriteFile(path+".txt", []byte(text), 0o600),
					writePacked(path+".gz", compileWeights(t, parseWeights(t, text, s.categories)))); err != nil {
					t.Fatal(err)
				}
			}
			text, err := os.ReadFile(path + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			w := parseWeights(t, string(text), s.categories)
			if len(w.index) < 1000 || slices.Max(w.bias) >= 0 {
				t.Errorf("%d weights, bias %v", len(w.index), w.bias)
			}
			compiled := compileWeights(t, w)
			if got, err := readPacked(path + ".gz"); err != nil || got != string(compiled) {
				t.Errorf("%s.gz does not agree with %s.txt (%v). Run `make generate`", path, path, err)
			}
			if got := readWeights(string(compiled), s.categories); !reflect.DeepEqual(got, w) {
				t.Error("the compiled weights are read as others")
			}
		})
	}
}

// TestClassesAreCurrent fails if the compiled classes do not agree with the text.
func TestClassesAreCurrent(t *testing.T) {
	out, count := &tableWriter{}, 0
	want := map[uint32]int32{}
	for n, class := range classList(t) {
		for _, word := range class {
			sum := sumOf([]byte(word))
			if _, known := want[sum]; known {
				continue
			}
			want[sum] = int32(n)
			count++
			out.number(int(uint16(sum)))
			out.number(int(uint16(sum >> 16)))
			out.number(n)
		}
	}
	head := &tableWriter{}
	head.number(count)
	compiled := slices.Concat(head.out, out.out)
	if *update {
		if err := writePacked("rules/classes.gz", compiled); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := readPacked("rules/classes.gz"); err != nil || got != string(compiled) {
		t.Errorf("rules/classes.gz does not agree with rules/classes.txt (%v). Run `make generate`", err)
	}
	if got := readClasses(string(compiled)); !reflect.DeepEqual(got, want) {
		t.Error("the compiled classes are read as others")
	}
}

// parseWeights reads weights. Each line has a name and its weights. The name in the first line is "bias". Any other
// name has one of these forms: a word, a stem after the sign ~, two words joined by +, or the number of a class after
// the sign @.
func parseWeights(t *testing.T, text string, categories []Category) *weights {
	t.Helper()
	w := &weights{categories: categories, index: map[uint64]int32{}}
	n := len(categories)
	var of []int16
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fields := strings.Fields(line)
		row := make([]int16, n)
		for k := range row {
			number, err := strconv.ParseInt(fields[k+1], 10, 16)
			if err != nil {
				t.Fatalf("%s: %v", fields[0], err)
			}
			row[k] = int16(number)
		}
		class, isClass := strings.CutPrefix(fields[0], "@")
		switch {
		case i == 0:
			w.bias = row
		case isClass:
			number, _ := strconv.Atoi(class)
			w.rows = append(w.rows, make([]int16, max(0, n*(number+1)-len(w.rows)))...)
			copy(w.rows[n*number:], row)
		default:
			w.index[keyOf(fields[0])] = int32(len(of) / n)
			of = append(of, row...)
		}
	}
	w.classes = int32(len(w.rows) / n)
	for key := range w.index {
		w.index[key] += w.classes
	}
	w.rows = append(w.rows, of...)
	w.addPatterns()
	return w
}

// keyOf returns the key of a word, a stem or a pair in the file of weights.
func keyOf(name string) uint64 {
	if stem, isStem := strings.CutPrefix(name, "~"); isStem {
		return pairOf(stemMark, sumOf([]byte(stem)))
	}
	first, second, isPair := strings.Cut(name, "+")
	if isPair {
		return pairOf(sumOf([]byte(first)), sumOf([]byte(second)))
	}
	return uint64(sumOf([]byte(first)))
}

// classList reads the classes of words: one class on each line. Words with a similar meaning are in one class. So even
// a word that is not in the corpus gets a weight, namely the weight of its class.
func classList(t *testing.T) (classes [][]string) {
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
	keys := make([]uint64, len(w.index))
	for key, i := range w.index {
		keys[i-w.classes] = key
	}
	out := &tableWriter{}
	out.number(int(w.classes))
	out.number(len(keys))
	for _, n := range append(slices.Clip(w.bias), w.rows...) {
		out.number(int(uint16(n)))
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

// lessons() returns the lines of the training half of the corpus, and the names of their features.
func (s *school) lessons(t *testing.T) (out []lesson, names []string) {
	t.Helper()
	classOf := map[string]string{}
	for n, class := range classList(t) {
		for _, word := range class {
			classOf[word] = "@" + strconv.Itoa(n)
		}
	}
	var found [][]string
	counts, risky := map[string]int{}, map[string]int{}
	for _, x := range append(corpus.Load[lessonLine](t, "testdata/corpus"), prompts(t)...) {
		kind, _, _ := strings.Cut(x.ID, "-")
		l, ok := s.lesson(kind, &x)
		if x.Split != "train" || !ok {
			continue
		}
		tokens := tokenize(x.Text, readProse(x.Text), s.words, x.Label == string(SexualMinors))
		l.isTech = slices.ContainsFunc(tokens, func(t token) bool { return s.words.technical[t.word] })
		features := featuresOf(x.Text, tokens, classOf)
		for _, name := range slices.Compact(slices.Sorted(slices.Values(features))) {
			counts[name]++
			if slices.Contains(s.categories, Category(l.label)) {
				risky[name]++
			}
		}
		out, found = append(out, l), append(found, features)
	}
	numbers := map[string]int32{}
	for i, features := range found {
		for _, name := range features {
			fewest := s.single
			if strings.Contains(name, "+") {
				fewest = s.pair
			}
			if counts[name] < fewest || risky[name] < s.risky {
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

// prompts() returns the prompts in the training half of the corpora of detect/talk. All of these prompts are everyday
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
		if keyOf(name) != key {
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
func (s *school) learnAll(t *testing.T) string {
	t.Helper()
	all, names := s.lessons(t)
	n := len(s.categories)
	bias, table := make([]int, n), make([][]int, len(names))
	for i := range table {
		table[i] = make([]int, n)
	}
	for k, c := range s.categories {
		w, b := learn(all, len(names), string(c), -1)
		bias[k] = int(math.Round(100 * (b - s.threshold(all, len(names), c))))
		for i, weight := range w {
			if n := int(math.Round(100 * weight)); n <= -int(s.least) || n >= int(s.least) {
				table[i][k] = n
			}
		}
	}
	rows := []string{}
	for i, of := range table {
		if slices.ContainsFunc(of, func(n int) bool { return n != 0 }) {
			rows = append(rows, names[i]+" "+strings.Trim(fmt.Sprint(of), "[]"))
		}
	}
	slices.Sort(rows)
	return "bias " + strings.Trim(fmt.Sprint(bias), "[]") + "\n" + strings.Join(rows, "\n") + "\n"
}

// threshold returns the sum that a text of a category must exceed. It calculates the sum of each harmless line with
// weights that were learned without this line.
func (s *school) threshold(all []lesson, features int, c Category) float64 {
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
	mostEveryday, mostNeighbours := s.allowed(c)
	return max(everyday[len(everyday)-mostEveryday], neighbours[len(neighbours)-mostNeighbours])
}

const (
	folds  = 5
	rounds = 60
	// firstRounds is the number of rounds at the beginning whose weights do not count.
	firstRounds = 4
	// The constant "ignored" is the number of features, out of every ten, that a round ignores.
	ignored = 6
)

// allowedMessages returns small numbers where false alarms would be frequent or serious.
func allowedMessages(c Category) (everyday, neighbours int) {
	switch c {
	case SelfHarm:
		return 22, 270
	case Violence:
		return 31, 205
	case Illegal:
		return 50, 740
	case PIIExtraction:
		return 14, 160
	case LegalAdvice:
		return 10, 125
	case FinancialAdvice:
		return 12, 117
	}
	return 1, 8
}

// allowedMoods returns larger numbers for sorrow, because sorrow alone has no effect.
func allowedMoods(c Category) (everyday, neighbours int) {
	if c == sorrow {
		return 6, 30
	}
	return 4, 20
}

// allowedAnswers returns small numbers if the gate blocks, and larger numbers if the gate only sets a flag. An answer
// that helps a person in danger must never be blocked.
func allowedAnswers(c Category) (everyday, neighbours int) {
	switch {
	case c == SelfHarmEncouragement:
		return 3, 3
	case enough(c) == Strong:
		return 3, 5
	case enough(c) == Medium:
		return 2, 8
	}
	return 4, 15
}

// learn() returns the weights of logistic regression for a category. Each weight is the mean of its values after the
// later rounds. The lines are divided into folds, and learn() leaves out the lines of one fold. The parameter named
// without is the number of this fold. In each round, learn() ignores 6 of 10 features of each line, at random, so that
// no weight depends on a few other words.
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

// aim() returns two numbers for learning. The result "wanted" is 1 if the line is in the category, and 0 if not. The
// result "importance" says how much a mistake on this line costs. A false alarm on an everyday prompt is the worst
// mistake. Finding the category in a message of another risky category costs little. For example, a person who plans a
// crime also writes about harm and about the data of others.
func (l *lesson) aim(category string) (wanted, importance float64) {
	isMessage := slices.Contains(Categories(), Category(category))
	switch {
	case l.label == category:
		return 1, 3
	case l.gate != "" && slices.Contains(l.gate.Categories(), Category(category)):
		return 0, 0 // the verdict of the gate is the same
	case l.gate != "":
		return 0, 4
	case l.isEvery && Category(category) == Illegal:
		return 0, 140
	case l.isEvery && isMessage:
		return 0, 70
	case l.isEvery:
		return 0, 40
	case l.isNeighbour && isMessage:
		return 0, 14
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
	w := parseWeights(t, "bias -500\nalpha 300\nbeta 400\nomega 50\nalpha+beta 100\n", []Category{SelfHarm})
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
	w := parseWeights(t, "bias -900 -900 -900 -900 -900 -900 -900\n", Categories())
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

// TestASumFarAboveTheLimitCountsInABenignContext uses weights of its own. They give every message the same sum.
func TestASumFarAboveTheLimitCountsInABenignContext(t *testing.T) {
	const text = "the weather is fine"
	tokens := tokenize(text, readProse(text), &messageRules().words, false)
	fiction := hit{&pattern{context: "fiction", reach: reachMessage}, 0, len(tokens), 0}
	for _, c := range []struct{ sum, want string }{{"10", "fiction"}, {"200", "fiction"}, {"201", ""}} {
		w := parseWeights(t, "bias "+c.sum+" -900\n", []Category{Violence, Illegal})
		hits := append(w.hits(tokens, &messageRules().words), fiction)
		if got := contextOf(&hits[0], hits); got != c.want {
			t.Errorf("with the sum %s, the benign context is %q, want %q", c.sum, got, c.want)
		}
		other := hit{pattern: &pattern{category: Illegal, name: "record", strength: Medium}}
		if got := contextOf(&other, []hit{hits[0], fiction}); got != "fiction" {
			t.Errorf("with the sum %s, the benign context of another category is %q", c.sum, got)
		}
	}
}
