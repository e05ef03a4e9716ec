package safety

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// The rules are text files. docs/safety.md describes their form for people who change them:
//
//	# a comment
//	category self_harm                   the following patterns belong to this category
//	list KIN: mother[s], my KIN          words and phrases; {e|ing}: one of these endings; [s|ed]: one or none of them
//	slots PERSON: (DET) KIN              slots that patterns name as @PERSON
//	alias can't: can not                 a short form, and the words that it stands for
//	fill: really, just                   words that do not count between two slots joined by ~
//	skip: really, just                   words that patterns pass over: at most two before a slot or in a phrase
//	common: i, the                       frequent words, which are looked up last
//	strong act: kill myself              a pattern: its strength, its name and its slots
//	benign idiom match: KILL it          a context in which a single match does not count
//
// A line that begins with a space continues the line before it. A slot is a word, a LIST, or several of them with a bar
// between them. In kill|end+it, the plus sign joins the words of a phrase. One of these parts stands between two slots:
//
//	nothing      the slots are neighbours; a comma may be between them
//	..           up to six other words; with ..3, up to three
//	..-LIST      up to six other words, none of them from the list
//	~            up to six words that do not count; with ~3, up to three
//	*LIST        up to six words of the list
//
// Other parts of a pattern:
//
//	(the)        an optional slot
//	!LIST        the next word must not be in the list
//	<!LIST       the word before must not be in the list
//	/ not LIST   at the end of a pattern: the sentence must have no word of the list
//	/ with LIST  at the end of a pattern: the sentence must have a word of the list
//	#start #end  the borders of a sentence
//	#comma       a comma
//	#code        a piece of code
//	#caps        an acronym
//	#name        a name
//	#number      a number
//	#age         a number below 18
//	#minor       a number below 18 with a unit of years
//	#money       a sum of money

const (
	// maxGap is the largest number of words between two slots of a pattern.
	maxGap = 6
	// maxPhrase is the largest number of words in a phrase.
	maxPhrase = 8
	// maxPhrases is the largest number of phrases that an item stands for. maxEndings is the largest number of places
	// with endings in an item.
	maxPhrases = 20000
	maxEndings = 3
)

// ruleReader reads rule files.
type ruleReader struct {
	words    wordReader
	patterns []pattern
	// The field "lists" contains the word lists that have a name. ids contains the number of every list.
	lists map[string]*wordList
	ids   map[string]listID
	// The field "parts" has, for each list, the lists that it includes. The field "longest" has the number of
	// words in the longest phrase of each list.
	parts    [][]listID
	longest  []int
	common   map[wordID]bool
	category Category
	numbers  map[string]int32
	macros   map[string][]string
}

// wordList is a list of words and phrases. The field "own" has the phrases of the list itself. The field named
// parts has the names of the lists that it includes. The field "all" has the phrases of the list and of all
// included lists.
type wordList struct {
	own, all [][]wordID
	parts    []string
}

func newRuleReader() *ruleReader {
	r := &ruleReader{
		// The number 0 stands for no list.
		parts: [][]listID{nil}, longest: []int{1}, lists: map[string]*wordList{}, ids: map[string]listID{},
		common: map[wordID]bool{}, numbers: map[string]int32{}, macros: map[string][]string{},
	}
	r.words = newWordReader()
	return r
}

// compile() returns the compiled form of rule files.
func compile(names ...string) (string, error) {
	r := newRuleReader()
	for _, name := range names {
		text, err := os.ReadFile("rules/" + name + ".rules")
		if err != nil {
			return "", err
		}
		if err := r.read(string(text)); err != nil {
			return "", fmt.Errorf("%s.rules:%w", name, err)
		}
	}
	return r.encode()
}

// read() reads the text of a rule file.
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
		list, err := r.list(rest, ",")
		r.lists[words[1]] = list
		return err
	case words[0] == "fill" && len(words) == 1:
		list, err := r.list(rest, ",")
		r.lists["FILL"] = list
		return err
	case words[0] == "skip" && len(words) == 1:
		list, err := r.list(rest, ",")
		r.lists["SKIP"] = list
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
	list, err := r.list(rest, ",")
	for _, p := range list.all {
		r.common[p[0]] = true
	}
	return err
}

func (r *ruleReader) readAlias(short, rest string) error {
	var ids []wordID
	for _, word := range strings.Fields(rest) {
		ids = append(ids, r.words.add(word))
	}
	if len(ids) == 0 {
		return fmt.Errorf("the alias %s stands for nothing", short)
	}
	r.words.aliases[short] = ids
	if bare := strings.ReplaceAll(short, "'", ""); strings.HasSuffix(short, "n't") {
		r.words.aliases[bare] = ids
	}
	return nil
}

// pattern() reads a pattern or a benign context.
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
	id, known := r.numbers[key]
	if !known {
		id = int32(len(r.numbers))
		r.numbers[key] = id
	}
	p.id = id
	r.patterns = append(r.patterns, p)
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

// unfold() replaces each @NAME by the slots that it stands for.
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
	list, err := r.list(slot, "|")
	if err != nil {
		return 0, err
	}
	if len(list.own) == 0 && len(list.parts) == 1 {
		return r.listNamed(list.parts[0]), nil
	}
	return r.number(slot, list), nil
}

// listNamed returns the number of the list with the given name, which an earlier line has defined.
func (r *ruleReader) listNamed(name string) listID {
	if id, ok := r.ids[name]; ok {
		return id
	}
	return r.number(name, r.lists[name])
}

// number() gives a list its number.
func (r *ruleReader) number(name string, list *wordList) listID {
	var parts []listID
	for _, part := range list.parts {
		if id := r.listNamed(part); !slices.Contains(parts, id) {
			parts = append(parts, id)
		}
	}
	id, longest := listID(len(r.parts)), 1
	r.ids[name] = id
	for _, p := range list.own {
		r.words.enlist(p, id)
		longest = max(longest, len(p))
	}
	for _, part := range parts {
		longest = max(longest, r.longest[part])
	}
	r.parts, r.longest = append(r.parts, parts), append(r.longest, longest)
	return id
}

// list() parses items with a separator between them. An item is a word, a phrase or the name of another list.
func (r *ruleReader) list(text, separator string) (*wordList, error) {
	out := &wordList{}
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
			out.all = append(out.all, ids...)
			if isListName(phrase) && !strings.Contains(phrase, " ") {
				out.parts = append(out.parts, phrase)
			} else {
				out.own = append(out.own, ids...)
			}
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

// expand() returns an item with each of its endings.
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

// phrase() returns all versions of a phrase. If the phrase names a list, there is a version for every entry of the
// list.
func (r *ruleReader) phrase(text string) ([][]wordID, error) {
	out := [][]wordID{nil}
	for _, word := range strings.Fields(text) {
		var options [][]wordID
		if isListName(word) {
			list := r.lists[word]
			if list == nil {
				return nil, fmt.Errorf("there is no list %s before this line", word)
			}
			options = list.all
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
		if len(p) == 0 {
			return nil, fmt.Errorf("%q has no word", text)
		}
		if len(p) > maxPhrase {
			return nil, fmt.Errorf("the phrase %q has more than %d words", text, maxPhrase)
		}
	}
	return out, nil
}

// wordsOf returns the words into which the tokenizer would divide the given word, such as "can" and "not" for "can't".
func (r *ruleReader) wordsOf(word string) ([]wordID, error) {
	w := &r.words
	if ids := w.aliases[word]; ids != nil {
		return ids, nil
	}
	if id, ok := w.ids[word]; ok && (word[0] == '#' || word == "'s") {
		return []wordID{id}, nil
	}
	if owner, found := strings.CutSuffix(word, "'s"); found && isWord(owner) {
		return []wordID{w.add(owner), w.ids["'s"]}, nil
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

// wordReader collects the words of the rules.
type wordReader struct {
	names   []string
	ids     map[string]wordID
	aliases map[string][]wordID
	// The field "lists" has the lists of each word. The field "phrases" says which words begin a phrase.
	lists   [][]listID
	phrases []*treeNode
}

// treeNode is a node of the tree of phrases.
type treeNode struct {
	next  map[wordID]*treeNode
	lists []listID
}

func newWordReader() wordReader {
	w := wordReader{ids: map[string]wordID{}, aliases: map[string][]wordID{}}
	w.add("") // the number 0 stands for no word
	for _, sign := range new(words).signs() {
		w.add(sign.name)
	}
	return w
}

func (w *wordReader) add(word string) wordID {
	if id, ok := w.ids[word]; ok {
		return id
	}
	id := wordID(len(w.names))
	w.ids[word] = id
	w.names, w.lists, w.phrases = append(w.names, word), append(w.lists, nil), append(w.phrases, nil)
	return id
}

// enlist() adds a word or a phrase to a list.
func (w *wordReader) enlist(phrase []wordID, list listID) {
	first := phrase[0]
	if len(phrase) == 1 {
		w.lists[first] = appendNew(w.lists[first], list)
		return
	}
	node := &w.phrases[first]
	for _, id := range phrase[1:] {
		if *node == nil {
			*node = &treeNode{next: map[wordID]*treeNode{}}
		}
		next := (*node).next[id]
		if next == nil {
			next = &treeNode{next: map[wordID]*treeNode{}}
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

// sizes() returns a number for each list. The number is high if the list has many words or frequent words.
func (r *ruleReader) sizes() []int {
	size := make([]int, len(r.parts))
	for id, lists := range r.words.lists {
		for _, l := range lists {
			size[l] += 1 + r.costOf(wordID(id))
		}
		if node := r.words.phrases[id]; node != nil {
			node.each(func(l listID) { size[l]++ })
		}
	}
	for list, parts := range r.parts { // the parts of a list have smaller numbers than the list
		for _, part := range parts {
			size[list] += size[part]
		}
	}
	return size
}

// costOf returns a number that is high for frequent words.
func (r *ruleReader) costOf(id wordID) int {
	switch name := r.words.names[id]; {
	case r.common[id], name == "#start", name == "#end", name == "#comma", name == "'s":
		return 10000
	case name == "#name", name == "#caps", name == "#number", name == "#code", name == "#age":
		return 1000
	}
	return 0
}

func (n *treeNode) each(do func(listID)) {
	for _, l := range n.lists {
		do(l)
	}
	for _, next := range n.next {
		next.each(do)
	}
}

// encode() returns the rules in the form that readTable reads.
func (r *ruleReader) encode() (string, error) {
	skip, err := r.listOf("SKIP")
	if err != nil {
		return "", err
	}
	technical, err := r.listOf("SOFTWARE")
	if err != nil {
		return "", err
	}
	size := r.sizes()
	byAnchor, anchors := make([][]int32, len(r.parts)), make([][]listID, len(r.parts))
	for i := range r.patterns {
		p := &r.patterns[i]
		slices.SortStableFunc(p.needs, func(a, b listID) int { return size[a] - size[b] })
		p.needs = slices.Compact(p.needs)
		byAnchor[p.needs[0]] = append(byAnchor[p.needs[0]], int32(i))
	}
	for list := range byAnchor {
		if byAnchor[list] != nil {
			r.addAnchor(anchors, listID(list), listID(list))
		}
	}
	var t tableWriter
	r.words.encode(&t, anchors)
	addSets(&t, r.parts)
	addSets(&t, byAnchor)
	for _, n := range r.longest {
		if n > 1 {
			n += maxSkips
		}
		t.number(n)
	}
	t.number(int(skip))
	t.number(int(technical))
	r.encodePatterns(&t)
	if t.tooLarge {
		return "", errors.New("there are too many rules for numbers of two bytes")
	}
	return string(t.out), nil
}

// addAnchor adds an anchor to the entry of a list, and to the entries of all lists that this list includes. The anchor of
// a pattern is the rarest list of the pattern.
func (r *ruleReader) addAnchor(anchors [][]listID, list, anchor listID) {
	if !slices.Contains(anchors[list], anchor) {
		anchors[list] = append(anchors[list], anchor)
	}
	for _, part := range r.parts[list] {
		r.addAnchor(anchors, part, anchor)
	}
}

func (r *ruleReader) encodePatterns(t *tableWriter) {
	var names []string
	name := func(text string) int {
		if !slices.Contains(names, text) {
			names = append(names, text)
		}
		return slices.Index(names, text)
	}
	var rest tableWriter
	needs, not, steps := make([][]listID, len(r.patterns)), make([][]listID, len(r.patterns)), make([][]int32, len(r.patterns))
	for i, p := range r.patterns {
		needs[i], not[i] = p.needs, p.not
		for _, s := range p.steps {
			steps[i] = append(steps[i], int32(s.kind), int32(s.list), int32(s.most), int32(s.only), int32(s.without))
		}
		for _, n := range []int{
			name(string(p.category)), name(p.name), name(string(p.strength)), name(p.context), int(p.reach), int(p.id),
		} {
			rest.number(n)
		}
	}
	t.text(strings.Join(names, "\n"))
	addSets(t, needs)
	addSets(t, not)
	addSets(t, steps)
	t.out = append(t.out, rest.out...)
}

// encode() writes the words. For each list, the parameter "anchors" has the anchors of patterns that contain the
// words of the list.
func (w *wordReader) encode(t *tableWriter, anchors [][]listID) {
	shorts := slices.Sorted(maps.Keys(w.aliases))
	t.text(strings.Join(slices.Concat(w.names, shorts), "\n"))
	parts := make([][]wordID, len(shorts))
	for i, short := range shorts {
		parts[i] = w.aliases[short]
	}
	addSets(t, parts)
	tree, roots := w.tree()
	lists, following := slices.Clone(w.lists), make([][]wordID, len(tree))
	for i, node := range tree {
		lists = append(lists, node.lists)
		following[i] = slices.Sorted(maps.Keys(node.next))
	}
	addMembers(t, lists, anchors)
	t.number(len(w.names))
	for _, root := range roots {
		t.number(root)
	}
	addSets(t, following)
	t.number(1 + countOf(roots))
}

// tree returns the nodes of all phrases. The children of a node are consecutive and sorted by their words. roots[i] is
// the index of the node for word i, or 0.
func (w *wordReader) tree() (nodes []*treeNode, roots []int) {
	nodes, roots = []*treeNode{{}}, make([]int, len(w.names))
	for i, node := range w.phrases {
		if node != nil {
			roots[i] = len(nodes)
			nodes = append(nodes, node)
		}
	}
	for i := 0; i < len(nodes); i++ {
		for _, word := range slices.Sorted(maps.Keys(nodes[i].next)) {
			nodes = append(nodes, nodes[i].next[word])
		}
	}
	return nodes, roots
}

// countOf returns how many numbers are not zero.
func countOf(numbers []int) (n int) {
	for _, x := range numbers {
		if x != 0 {
			n++
		}
	}
	return n
}

// addMembers writes the lists of words or phrases, and their anchors.
func addMembers(t *tableWriter, lists, anchors [][]listID) {
	sorted, of := make([][]listID, len(lists)), make([][]listID, len(lists))
	for i := range lists {
		sorted[i] = slices.Sorted(slices.Values(lists[i]))
		for _, list := range lists[i] {
			of[i] = append(of[i], anchors[list]...)
		}
		slices.Sort(of[i])
		of[i] = slices.Compact(of[i])
	}
	addSets(t, sorted)
	addSets(t, of)
}

// tableWriter writes the compiled rules in the form that the type table reads.
type tableWriter struct {
	out []byte
	// tooLarge is set if a number does not fit into two bytes.
	tooLarge bool
}

func (t *tableWriter) number(n int) {
	t.tooLarge = t.tooLarge || n != int(uint16(n))
	t.out = binary.LittleEndian.AppendUint16(t.out, uint16(n))
}

func (t *tableWriter) size(n int) {
	t.out = binary.LittleEndian.AppendUint32(t.out, uint32(n))
}

func (t *tableWriter) text(text string) {
	t.size(len(text))
	t.out = append(t.out, text...)
}

func addSets[N ~int32](t *tableWriter, sets [][]N) {
	t.number(len(sets))
	for _, set := range sets {
		t.number(len(set))
	}
	for _, set := range sets {
		for _, n := range set {
			t.number(int(n))
		}
	}
}

var update = flag.Bool("update", false, "compile the rules")

// TestCompiledRulesAreCurrent fails if the compiled files do not agree with the rules. With -update, it writes them.
func TestCompiledRulesAreCurrent(t *testing.T) {
	for file, names := range map[string][]string{
		"rules/messages.gz": {
			"common", "self_harm", "violence", "illegal", "pii_extraction", "sexual_minors", "legal_advice_request",
			"financial_advice_request", "intents",
		},
		"rules/answers.gz": {"common", "gates", "meanings"},
	} {
		want, err := compile(names...)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := writePacked(file, []byte(want)); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := readPacked(file); err != nil || got != want {
			t.Errorf("%s does not agree with the rules (%v). Run `make generate`", file, err)
		}
	}
}

// writePacked writes the file that unpack() reads.
func writePacked(path string, numbers []byte) error {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(numbers); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o600)
}

// readPacked returns the numbers in a compressed file. Tests compare only these numbers, because another version of Go
// may compress the same numbers differently.
func readPacked(path string) (string, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return unpack(string(file)), nil
}
