package safety

import "math/bits"

// The type "hit" is a match of a pattern. A hit covers the tokens with indexes from "start" up to, but not including,
// "end".
type hit struct {
	pattern    *pattern
	start, end int
	sentence   int
}

// Sentences are searched in windows of tokens. A place is the position of a token in its window. A set of places is one
// number, in which bit i stands for token i.
const (
	window = 60
	stride = 30
	// maxHits is the largest number of hits that are kept for a pattern.
	maxHits = 8
	// maxJoined is the largest number of sentences that are also searched as a whole.
	maxJoined = 3
	// If a short text was searched as a whole, the hits have the number acrossSentences instead of the number of a
	// sentence.
	acrossSentences = -1
)

// matcher finds patterns in tokens. The anchor of a pattern is the rarest list that it needs. A pattern can match only
// if the window has a word of this list. This rules out most patterns, so the matcher looks up only the anchors that
// contain a word of the window. It finds the places of any other list only when a pattern needs them.
type matcher struct {
	rules  *rules
	tokens []token
	// The field "items" has the words and phrases of the rules that the window contains.
	items []item
	// The anchor of a pattern is its rarest list. The field "present" lists the anchors that have a word in the window.
	// found[list] is set if the list is in the field "present".
	present []listID
	found   []bool
	// The field "gathered" has the lists for which the matcher has already found the places of their words in the window.
	// number[list]-1 is the index of a list in the field "gathered", and number[list] is 0 for any other list. The field
	// "slab" has the places of the gathered lists.
	gathered []gathered
	number   []uint16
	slab     []uint64
	commas   uint64
	// The field "passed" has the places of the commas and of the words that a pattern may skip.
	passed uint64
	count  int
	hits   []hit
	// The field "counted" contains the number of hits of each pattern.
	counted []uint8
	chosen  func(*pattern) bool
}

// The type "item" is a word or a phrase of the rules that begins at one token of the window.
type item struct {
	of     int32
	length int
	at     uint64
	// The field "sum" is the entry of the word or phrase in words.sums.
	sum uint64
}

// The type "gathered" says where in the window the words and phrases of a list begin. slab[from:to] has one set of
// places for words, one for phrases of two words, and so on. The field "any" is the union of these sets.
type gathered struct {
	list     listID
	from, to int
	any      uint64
}

// find() returns all hits of the patterns for which chosen() returns true.
func (r *rules) find(tokens []token, chosen func(*pattern) bool) []hit {
	m := matcher{
		rules: r, tokens: tokens, chosen: chosen, found: make([]bool, len(r.longest)), number: make([]uint16, len(r.longest)),
		counted: make([]uint8, len(r.patterns)),
	}
	sentence := 0
	for at := 0; at < len(tokens); {
		end := at
		for tokens[end].word != r.words.end {
			end++
		}
		end++
		for start := at; ; start += stride {
			m.window(start, min(start+window, end), sentence)
			if start+window >= end {
				break
			}
		}
		at = end
		sentence++
	}
	if 1 < sentence && sentence <= maxJoined && len(tokens) <= window {
		m.window(0, len(tokens), acrossSentences)
	}
	return m.hits
}

// window() searches the tokens from the index "start" to the index "end".
func (m *matcher) window(start, end, sentence int) {
	m.count, m.commas, m.passed = end-start, 0, 0
	for i := range m.count {
		m.addPhrases(start, i)
	}
	for _, list := range m.present {
		for _, p := range m.rules.byAnchor.of(int(list)) {
			m.try(p, start, sentence)
		}
	}
	for _, list := range m.present {
		m.found[list] = false
	}
	for i := range m.gathered {
		m.number[m.gathered[i].list] = 0
	}
	m.items, m.present, m.gathered, m.slab = m.items[:0], m.present[:0], m.gathered[:0], m.slab[:0]
}

// addPhrases finds the words and phrases that begin with token i of the window, and adds them to m.items.
func (m *matcher) addPhrases(start, i int) {
	t := &m.tokens[start+i]
	if t.class != 0 {
		m.placeWord(t.class, start, i)
	}
	if t.word == 0 {
		return
	}
	if t.word == m.rules.words.comma {
		m.commas |= 1 << i
	}
	if t.word == m.rules.words.comma || m.rules.words.skipped[t.word] {
		m.passed |= 1 << i
	}
	m.placeWord(t.word, start, i)
}

func (m *matcher) placeWord(id wordID, start, i int) {
	m.add(int32(id), 1, i)
	if node := m.rules.words.roots[id]; node != 0 {
		m.placePhrases(node, start, i, i+1, maxSkips)
	}
}

// At most maxSkips words are skipped in a phrase, and at most maxSkips words before a slot.
const maxSkips = 2

// placePhrases adds phrases to m.items. Each of these phrases begins with the words from token i of the window up to
// the token before the index "next". The parameter "node" stands for these words. placePhrases looks for the rest of
// the phrase from the token at "next" on. On the way, it skips at most as many words as the parameter "skips" says.
func (m *matcher) placePhrases(node int32, start, i, next, skips int) {
	w := &m.rules.words
	m.add(int32(len(w.roots))+node, next-i, i)
	if next >= m.count || len(w.following.of(int(node))) == 0 {
		return
	}
	for ; next < m.count; next++ {
		if m.placeMore(node, start, i, next, skips) || skips == 0 || !w.skipped[m.tokens[start+next].word] {
			return
		}
		skips--
	}
}

// placeMore does the same as placePhrases, but it does not skip the token whose index is the parameter "next". It
// finds only phrases that contain this token. It reports whether there are any.
func (m *matcher) placeMore(node int32, start, i, next, skips int) (found bool) {
	t := &m.tokens[start+next]
	for _, word := range [2]wordID{t.word, t.class} {
		if word == 0 {
			continue
		}
		if more := m.rules.words.next(node, word); more != 0 {
			found = true
			m.placePhrases(more, start, i, next+1, skips)
		}
	}
	return found
}

// add() adds a word or a phrase to the items of the window. It also adds the anchors that contain this word or phrase
// to the field "present".
func (m *matcher) add(of int32, length, i int) {
	w := &m.rules.words
	if len(w.lists.of(int(of))) == 0 {
		return
	}
	m.items = append(m.items, item{of, length, 1 << i, w.sums[of]})
	for _, anchor := range w.anchors.of(int(of)) {
		if !m.found[anchor] {
			m.found[anchor] = true
			m.present = append(m.present, anchor)
		}
	}
}

// gather() returns the places in the window at which words and phrases of a list begin. It finds these places only once
// for each window.
func (m *matcher) gather(list listID) *gathered {
	if n := m.number[list]; n != 0 {
		return &m.gathered[n-1]
	}
	g := gathered{list: list, from: len(m.slab), to: len(m.slab) + int(m.rules.longest[list])}
	for range g.to - g.from {
		m.slab = append(m.slab, 0)
	}
	bit := uint64(1) << (list % 64)
	for i := range m.items {
		if it := &m.items[i]; it.sum&bit != 0 && m.rules.words.has(it.of, list) {
			m.slab[g.from+it.length-1] |= it.at
			g.any |= it.at
		}
	}
	for _, part := range m.rules.parts.of(int(list)) {
		of := m.gather(part)
		g.any |= of.any
		for n := range of.to - of.from {
			m.slab[g.from+n] |= m.slab[of.from+n]
		}
	}
	m.gathered = append(m.gathered, g)
	m.number[list] = uint16(len(m.gathered))
	return &m.gathered[len(m.gathered)-1]
}

// try() looks for a pattern in the window.
func (m *matcher) try(index int32, start, sentence int) {
	p := &m.rules.patterns[index]
	if sentence == acrossSentences && p.strength == Strong {
		return
	}
	if m.counted[index] >= maxHits || !m.chosen(p) || !m.isPossible(p) {
		return
	}
	var sets [maxSteps + 1]uint64
	ends := m.walk(p, &sets)
	last := -1
	for ends != 0 && m.counted[index] < maxHits {
		end := bits.TrailingZeros64(ends)
		ends &= ends - 1
		from := m.beginning(p, &sets, end)
		if from < last {
			continue
		}
		last = end
		m.counted[index]++
		m.hits = append(m.hits, hit{p, start + from, start + end, sentence})
	}
}

// isPossible reports whether a pattern can match in the window. The window must have a word or phrase of every list
// that the pattern needs. The window must have no word or phrase of a list that the pattern excludes.
func (m *matcher) isPossible(p *pattern) bool {
	for _, list := range p.needs {
		if m.all(list) == 0 {
			return false
		}
	}
	for _, list := range p.not {
		if m.all(list) != 0 {
			return false
		}
	}
	return true
}

// maxSteps is the largest number of steps in a pattern.
const maxSteps = 24

// walk() returns the places where a pattern ends. It stores in sets[i] the places at which step i can begin.
func (m *matcher) walk(p *pattern, sets *[maxSteps + 1]uint64) uint64 {
	set := uint64(1)<<m.count - 1
	for i := range p.steps {
		sets[i] = set
		if set = m.step(&p.steps[i], set); set == 0 {
			return 0
		}
	}
	sets[len(p.steps)] = set
	return set
}

// step() returns the places where a step can end if it begins at one of the given places.
func (m *matcher) step(s *step, set uint64) uint64 {
	switch s.kind {
	case stepSlot:
		return m.slot(s.list, set)
	case stepOptional:
		return set | m.slot(s.list, set)
	case stepGap:
		return m.gap(s, set)
	case stepNotNext:
		set |= (set & m.commas) << 1
		return set &^ m.all(s.list)
	case stepNotBefore:
		before := uint64(0)
		for n, places := range m.of(s.list) {
			before |= places << (n + 1)
		}
		return set &^ before
	}
	return 0
}

// slot() looks for words and phrases of a list that begin at one of the given places, and returns the places after
// them. At most maxSkips commas or skipped words may come before each of them.
func (m *matcher) slot(list listID, set uint64) (after uint64) {
	for range maxSkips {
		set |= (set & m.passed) << 1
	}
	for n, places := range m.of(list) {
		after |= (places & set) << (n + 1)
	}
	return after
}

func (m *matcher) gap(s *step, set uint64) uint64 {
	pass := ^uint64(0)
	if s.only != 0 {
		pass = m.of(s.only)[0]
	}
	if s.without != 0 {
		pass &^= m.all(s.without)
	}
	edge := uint64(1)<<(m.count+1) - 1
	for range s.most {
		set |= (set & m.commas) << 1
		set |= (set & pass) << 1
	}
	return set & edge
}

// of() returns the places where the phrases of a list begin. Index i of the result has the places of phrases with i+1
// words.
func (m *matcher) of(list listID) []uint64 {
	g := m.gather(list)
	return m.slab[g.from:g.to]
}

// all() returns the places where any phrase of a list begins.
func (m *matcher) all(list listID) uint64 { return m.gather(list).any }

// beginning() returns the place where a match begins. The argument "end" is the place where the match ends. sets[i] are
// the places at which step i can begin.
func (m *matcher) beginning(p *pattern, sets *[maxSteps + 1]uint64, end int) int {
	at := end
	for i := len(p.steps) - 1; i >= 0; i-- {
		s := &p.steps[i]
		switch s.kind {
		case stepSlot, stepOptional:
			at = m.placeBefore(s, sets[i], at)
		case stepGap, stepNotNext:
			at = nearest(sets[i], at)
		}
	}
	return at
}

// placeBefore returns the place where a step begins. The argument "end" is the place where the step ends.
func (m *matcher) placeBefore(s *step, set uint64, end int) int {
	for n, places := range m.of(s.list) {
		from := end - n - 1
		if from < 0 || places&(1<<from) == 0 {
			continue
		}
		for skips := 0; ; skips++ {
			if set&(1<<from) != 0 {
				return from
			}
			if skips == maxSkips || from == 0 || m.passed&(1<<(from-1)) == 0 {
				break
			}
			from--
		}
	}
	return end // this happens only for an optional slot
}

// nearest() returns the last place in a set that is at or before the given place. If there is none, it returns the
// given place.
func nearest(set uint64, at int) int {
	set &= uint64(1)<<(at+1) - 1
	if set == 0 {
		return at
	}
	return bits.Len64(set) - 1
}
