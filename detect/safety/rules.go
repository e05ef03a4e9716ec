package safety

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The rules are text files. docs/safety.md describes their form for people who change them:
//
//	# a comment
//	category self_harm                   the following patterns belong to this category
//	list KIN: mother[s], my KIN          words and phrases; [s|ed] are endings that may be there, {e|ing} must be there
//	slots PERSON: (DET) KIN              slots that patterns name as @PERSON
//	alias can't: can not                 a short form, and the words that it stands for
//	fill: really, just                   words that do not count between two slots joined by ~
//	common: i, the                       frequent words, which are looked up last
//	strong act: kill myself              a pattern: its strength, its name and its slots
//	benign idiom match: KILL it          a context in which a single match does not count
//
// A line that begins with a space continues the line before it. A slot is a word, a LIST, or several of them with a bar
// between them (kill|end+it, where + joins the words of a phrase). Between two slots stands
//
//	nothing      the slots are neighbours; a comma may be between them
//	..  ..3      up to six, or three, other words
//	..-LIST      up to six other words, none of them from the list
//	~  ~3        up to six, or three, words that do not count
//	*LIST        up to six words of the list
//
// (the) is a slot that may be missing. !LIST means that no word of the list is next, and <!LIST that none is before.
// At the end, "/ not LIST" and "/ with LIST" say what else the sentence must not or must have. #start, #end and #comma
// are the borders of a sentence and a comma. #code, #caps, #name, #number, #age, #minor and #money are words by their
// form: a piece of code, an acronym, a name, a number, a number below 18, such a number with a unit of years, a sum.

//go:embed rules/*.rules
var ruleFiles embed.FS

// rules are compiled patterns.
type rules struct {
	words    *words
	patterns []pattern
	// byAnchor has the patterns by list. Each pattern is in the entry of its rarest list.
	byAnchor [][]int32
	lists    int
	// first[list] is where the places of a list begin: one for each length of its phrases.
	first []int
}

// pattern is one line with slots.
type pattern struct {
	category Category
	name     string
	strength Strength
	// context is the name of a benign context, and reach says where it applies. Other patterns have no context.
	context string
	reach   reach
	id      int32
	steps   []step
	needs   []listID
	not     []listID
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

// step is a slot, or the text between two slots.
type step struct {
	kind stepKind
	list listID
	// most is the largest number of words in a gap. If only is not 0, all these words must be in the list only. If
	// without is not 0, none of them may be in the list without.
	most          int
	only, without listID
}

// maxGap is the largest number of words between two slots.
const maxGap = 6

// maxPhrase is the largest number of words in a phrase.
const maxPhrase = 8

// maxPhrases is the largest number of phrases that an item stands for, and maxEndings the largest number of places
// with endings in it.
const (
	maxPhrases = 20000
	maxEndings = 3
)

// ruleReader reads rule files.
type ruleReader struct {
	rules    *rules
	lists    map[string][][]wordID
	ids      map[string]listID
	common   map[wordID]bool
	category Category
	patterns map[string]int32
	macros   map[string][]string
}

func newRuleReader() *ruleReader {
	return &ruleReader{
		// The number 0 is no list.
		rules: &rules{words: newWords(), lists: 1, first: []int{0, 1}},
		lists: map[string][][]wordID{}, ids: map[string]listID{}, common: map[wordID]bool{}, patterns: map[string]int32{},
		macros: map[string][]string{},
	}
}

// compile reads rule files.
func compile(names ...string) (*rules, error) {
	r := newRuleReader()
	for _, name := range names {
		text, err := ruleFiles.ReadFile("rules/" + name + ".rules")
		if err != nil {
			return nil, err
		}
		if err := r.read(string(text)); err != nil {
			return nil, fmt.Errorf("%s.rules:%w", name, err)
		}
	}
	r.index()
	return r.rules, nil
}

// read reads the text of a rule file.
func (r *ruleReader) read(text string) error {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line, at := lines[i], i+1
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ") {
			i++
			line += lines[i]
		}
		if err := r.line(line); err != nil {
			return fmt.Errorf("%d: %w", at, err)
		}
	}
	return nil
}

func (r *ruleReader) line(line string) error {
	head, rest, found := strings.Cut(line, ":")
	words := strings.Fields(head)
	switch {
	case !found && len(words) == 2 && words[0] == "category":
		r.category = Category(words[1])
		return nil
	case !found || len(words) == 0:
		return fmt.Errorf("%q has no colon", line)
	case words[0] == "list" && len(words) == 2:
		if r.lists[words[1]] != nil {
			return fmt.Errorf("the list %s occurs twice", words[1])
		}
		phrases, err := r.phrases(rest, ",")
		r.lists[words[1]] = phrases
		return err
	case words[0] == "fill" && len(words) == 1:
		phrases, err := r.phrases(rest, ",")
		r.lists["FILL"] = phrases
		return err
	case words[0] == "common" && len(words) == 1:
		return r.readCommon(rest)
	case words[0] == "slots" && len(words) == 2:
		r.macros[words[1]] = strings.Fields(rest)
		return nil
	case words[0] == "alias" && len(words) == 2:
		return r.readAlias(words[1], rest)
	}
	return r.pattern(words, rest)
}

func (r *ruleReader) readCommon(rest string) error {
	phrases, err := r.phrases(rest, ",")
	for _, p := range phrases {
		r.common[p[0]] = true
	}
	return err
}

func (r *ruleReader) readAlias(short, rest string) error {
	var ids []wordID
	for _, word := range strings.Fields(rest) {
		ids = append(ids, r.rules.words.add(word))
	}
	if len(ids) == 0 {
		return fmt.Errorf("the alias %s stands for nothing", short)
	}
	r.rules.words.aliases[short] = ids
	if bare := strings.ReplaceAll(short, "'", ""); strings.HasSuffix(short, "n't") {
		r.rules.words.aliases[bare] = ids
	}
	return nil
}

// pattern reads a pattern or a benign context.
func (r *ruleReader) pattern(head []string, rest string) error {
	p := pattern{category: r.category}
	switch {
	case len(head) == 2 && (head[0] == "strong" || head[0] == "medium" || head[0] == "weak"):
		p.strength, p.name = Strength(head[0]), head[1]
	case len(head) == 3 && head[0] == "benign":
		p.context = head[1]
		switch head[2] {
		case "match":
			p.reach = reachMatch
		case "sentence":
			p.reach = reachSentence
		case "message":
			p.reach = reachMessage
		default:
			return fmt.Errorf("%q is not match, sentence or message", head[2])
		}
	default:
		return fmt.Errorf("%q is not the head of a line", strings.Join(head, " "))
	}
	if err := r.steps(&p, rest); err != nil {
		return err
	}
	key := string(p.category) + "." + p.name + " " + p.context
	id, known := r.patterns[key]
	if !known {
		id = int32(len(r.patterns))
		r.patterns[key] = id
	}
	p.id = id
	r.rules.patterns = append(r.rules.patterns, p)
	return nil
}

func (r *ruleReader) steps(p *pattern, rest string) error {
	slots, conditions, _ := strings.Cut(rest, " / ")
	fields, err := r.unfold(strings.Fields(slots))
	if err != nil {
		return err
	}
	for _, word := range fields {
		s, err := r.step(word)
		if err != nil {
			return err
		}
		if s.kind == stepSlot {
			p.needs = append(p.needs, s.list)
		}
		p.steps = append(p.steps, s)
	}
	if len(p.needs) == 0 {
		return fmt.Errorf("%q has no slot", rest)
	}
	if conditions == "" {
		return nil
	}
	for _, condition := range strings.Split(conditions, " / ") {
		how, what, _ := strings.Cut(strings.TrimSpace(condition), " ")
		list, err := r.listOf(what)
		switch {
		case err != nil:
			return err
		case how == "not":
			p.not = append(p.not, list)
		case how == "with":
			p.needs = append(p.needs, list)
		default:
			return fmt.Errorf("%q is not a condition", condition)
		}
	}
	return nil
}

// unfold replaces each @NAME by the slots that it stands for.
func (r *ruleReader) unfold(fields []string) (out []string, err error) {
	for _, f := range fields {
		name, isMacro := strings.CutPrefix(f, "@")
		switch slots := r.macros[name]; {
		case !isMacro:
			out = append(out, f)
		case slots == nil:
			return nil, fmt.Errorf("there are no slots %s before this line", name)
		default:
			out = append(out, slots...)
		}
	}
	if len(out) > maxSteps {
		return nil, fmt.Errorf("%d slots and gaps; at most %d are allowed", len(out), maxSteps)
	}
	return out, nil
}

func (r *ruleReader) step(word string) (s step, err error) {
	switch {
	case strings.HasPrefix(word, "..-"):
		s.kind, s.most = stepGap, maxGap
		s.without, err = r.listOf(word[3:])
	case strings.HasPrefix(word, ".."):
		s.kind = stepGap
		s.most, err = gapOf(word[2:])
	case strings.HasPrefix(word, "*"):
		s.kind, s.most = stepGap, maxGap
		s.only, err = r.listOf(word[1:])
	case strings.HasPrefix(word, "~"):
		s.kind = stepGap
		if s.most, err = gapOf(word[1:]); err == nil {
			s.only, err = r.listOf("FILL")
		}
	case strings.HasPrefix(word, "<!"):
		s.kind = stepNotBefore
		s.list, err = r.listOf(word[2:])
	case strings.HasPrefix(word, "!"):
		s.kind = stepNotNext
		s.list, err = r.listOf(word[1:])
	case strings.HasPrefix(word, "(") && strings.HasSuffix(word, ")"):
		s.kind = stepOptional
		s.list, err = r.listOf(word[1 : len(word)-1])
	default:
		s.list, err = r.listOf(word)
	}
	return s, err
}

func gapOf(number string) (int, error) {
	if number == "" {
		return maxGap, nil
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > maxGap {
		return 0, fmt.Errorf("a gap of %q words", number)
	}
	return n, nil
}

// listOf returns the number of the list that a slot names.
func (r *ruleReader) listOf(slot string) (listID, error) {
	if id, ok := r.ids[slot]; ok {
		return id, nil
	}
	phrases, err := r.phrases(slot, "|")
	if err != nil {
		return 0, err
	}
	id := listID(r.rules.lists)
	r.rules.lists++
	r.ids[slot] = id
	longest := 1
	for _, p := range phrases {
		r.rules.words.enlist(p, id)
		longest = max(longest, len(p))
	}
	r.rules.first = append(r.rules.first, r.rules.first[id]+longest)
	return id, nil
}

// phrases reads words and phrases with a separator between them.
func (r *ruleReader) phrases(text, separator string) (out [][]wordID, err error) {
	for _, item := range splitOutside(text, separator) {
		item = strings.Join(strings.Fields(strings.ReplaceAll(item, "+", " ")), " ")
		if item == "" {
			return nil, fmt.Errorf("%q has an empty item", text)
		}
		if strings.Count(item, "[")+strings.Count(item, "{") > maxEndings {
			return nil, fmt.Errorf("%q has more than %d places with endings", item, maxEndings)
		}
		for _, phrase := range expand(item) {
			ids, err := r.phrase(phrase)
			if err != nil {
				return nil, err
			}
			out = append(out, ids...)
		}
	}
	return out, nil
}

// splitOutside splits a text at a separator that is not within brackets.
func splitOutside(text, separator string) (out []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case depth == 0 && c == separator[0]:
			out = append(out, text[from:i])
			from = i + 1
		}
	}
	return append(out, text[from:])
}

// expand returns an item with each of its endings.
func expand(item string) []string {
	open := strings.IndexAny(item, "[{")
	if open < 0 {
		return []string{item}
	}
	closing := map[byte]string{'[': "]", '{': "}"}[item[open]]
	length := strings.Index(item[open:], closing)
	if length < 0 {
		return []string{item}
	}
	endings := strings.Split(item[open+1:open+length], "|")
	if item[open] == '[' {
		endings = append([]string{""}, endings...)
	}
	var out []string
	for _, ending := range endings {
		out = append(out, expand(item[:open]+ending+item[open+length+1:])...)
	}
	return out
}

// phrase returns the words of a phrase, once for every word of each list that the phrase names.
func (r *ruleReader) phrase(text string) ([][]wordID, error) {
	out := [][]wordID{nil}
	for _, word := range strings.Fields(text) {
		var options [][]wordID
		if isListName(word) {
			if options = r.lists[word]; options == nil {
				return nil, fmt.Errorf("there is no list %s before this line", word)
			}
		} else {
			ids, err := r.wordsOf(word)
			if err != nil {
				return nil, err
			}
			options = [][]wordID{ids}
		}
		var longer [][]wordID
		for _, start := range out {
			for _, more := range options {
				longer = append(longer, slices.Concat(start, more))
			}
		}
		if out = longer; len(out) > maxPhrases {
			return nil, fmt.Errorf("%q stands for more than %d phrases", text, maxPhrases)
		}
	}
	for _, p := range out {
		if len(p) > maxPhrase {
			return nil, fmt.Errorf("the phrase %q has more than %d words", text, maxPhrase)
		}
	}
	return out, nil
}

// wordsOf returns the words that a text with the given word has.
func (r *ruleReader) wordsOf(word string) ([]wordID, error) {
	w := r.rules.words
	if ids := w.aliases[word]; ids != nil {
		return ids, nil
	}
	if id, ok := w.ids[word]; ok && (word[0] == '#' || word == "'s") {
		return []wordID{id}, nil
	}
	if owner, found := strings.CutSuffix(word, "'s"); found && isWord(owner) {
		return []wordID{w.add(owner), w.possessive}, nil
	}
	var ids []wordID
	for part := range strings.SplitSeq(word, "-") {
		if !isWord(part) {
			return nil, fmt.Errorf("%q is not a word", word)
		}
		ids = append(ids, w.add(part))
	}
	return ids, nil
}

// isWord reports whether a text is a word in small letters.
func isWord(text string) bool {
	for i, r := range text {
		if !unicode.IsLower(r) && !unicode.IsDigit(r) && (r != '\'' || i == 0 || i == len(text)-1) {
			return false
		}
	}
	return text != ""
}

func isListName(word string) bool {
	return len(word) > 1 && strings.ToUpper(word) == word && isASCIILetter(word[0])
}

// index adds each pattern to the rarest list of its slots.
func (r *ruleReader) index() {
	size := make([]int, r.rules.lists)
	for id, lists := range r.rules.words.lists {
		for _, l := range lists {
			size[l] += 1 + r.costOf(wordID(id))
		}
		if node := r.rules.words.phrases[id]; node != nil {
			node.each(func(l listID) { size[l]++ })
		}
	}
	r.rules.byAnchor = make([][]int32, r.rules.lists)
	for i := range r.rules.patterns {
		p := &r.rules.patterns[i]
		anchor := slices.MinFunc(p.needs, func(a, b listID) int { return size[a] - size[b] })
		r.rules.byAnchor[anchor] = append(r.rules.byAnchor[anchor], int32(i))
	}
}

// costOf returns a number that is high for frequent words.
func (r *ruleReader) costOf(id wordID) int {
	w := r.rules.words
	if r.common[id] || id == w.start || id == w.end || id == w.comma || id == w.possessive {
		return 10000
	}
	if id == w.name || id == w.caps || id == w.number || id == w.code || id == w.age {
		return 1000
	}
	return 0
}

func (n *phraseNode) each(do func(listID)) {
	for _, l := range n.lists {
		do(l)
	}
	for _, next := range n.next {
		next.each(do)
	}
}
