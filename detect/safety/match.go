package safety

import "math/bits"

// hit is a place where a pattern matches, as tokens.
type hit struct {
	pattern    *pattern
	start, end int
	sentence   int
}

// Sentences are searched in windows of tokens. A set of places in a window is one number: bit i stands for token i.
const (
	window = 60
	stride = 30
	// maxHits is the largest number of places that are kept for a pattern.
	maxHits = 8
)

// matcher finds patterns in tokens.
type matcher struct {
	rules  *rules
	tokens []token
	// places[rules.first[list]+n] are the places of a list's phrases of n+1 words. present has the lists of the window.
	places  []uint64
	present []listID
	seen    []bool
	commas  uint64
	count   int
	hits    []hit
	// counted has the number of hits of each line.
	counted []uint8
	chosen  func(*pattern) bool
}

// find returns all hits of the patterns for which chosen is true.
func (r *rules) find(tokens []token, chosen func(*pattern) bool) []hit {
	m := matcher{rules: r, tokens: tokens, chosen: chosen}
	m.places = make([]uint64, r.first[r.lists])
	m.seen = make([]bool, r.lists)
	m.counted = make([]uint8, len(r.patterns))
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
	return m.hits
}

// window searches the tokens from start to end.
func (m *matcher) window(start, end, sentence int) {
	m.count = end - start
	for i := range m.count {
		m.place(start, i)
	}
	for _, list := range m.present {
		for _, p := range m.rules.byAnchor[list] {
			m.try(p, start, sentence)
		}
	}
	for _, list := range m.present {
		clear(m.of(list))
		m.seen[list] = false
	}
	m.present, m.commas = m.present[:0], 0
}

// The method place marks token i of the window in each list that has this token.
func (m *matcher) place(start, i int) {
	w := m.rules.words
	t := &m.tokens[start+i]
	if t.class != 0 {
		m.placeWord(t.class, start, i)
	}
	if t.word == 0 {
		return
	}
	if t.word == w.comma {
		m.commas |= 1 << i
	}
	m.placeWord(t.word, start, i)
}

func (m *matcher) placeWord(id wordID, start, i int) {
	w := m.rules.words
	for _, list := range w.lists[id] {
		m.mark(list, 1, i)
	}
	if node := w.phrases[id]; node != nil {
		m.placePhrases(node, start, i, i+1)
	}
}

// placePhrases marks the phrases that begin with token i and continue with token next.
func (m *matcher) placePhrases(node *phraseNode, start, i, next int) {
	for _, list := range node.lists {
		m.mark(list, next-i, i)
	}
	if next >= m.count || len(node.next) == 0 {
		return
	}
	t := &m.tokens[start+next]
	if more := node.next[t.word]; more != nil && t.word != 0 {
		m.placePhrases(more, start, i, next+1)
	}
	if more := node.next[t.class]; more != nil && t.class != 0 {
		m.placePhrases(more, start, i, next+1)
	}
}

func (m *matcher) mark(list listID, length, i int) {
	m.of(list)[length-1] |= 1 << i
	if !m.seen[list] {
		m.seen[list] = true
		m.present = append(m.present, list)
	}
}

// try looks for a pattern in the window.
func (m *matcher) try(index int32, start, sentence int) {
	p := &m.rules.patterns[index]
	if m.counted[index] >= maxHits || !m.isPossible(p) || !m.chosen(p) {
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

// isPossible reports whether the window has all lists that a pattern needs, and none that it must not have.
func (m *matcher) isPossible(p *pattern) bool {
	for _, list := range p.needs {
		if !m.seen[list] {
			return false
		}
	}
	for _, list := range p.not {
		if m.seen[list] {
			return false
		}
	}
	return true
}

// maxSteps is the largest number of steps in a pattern.
const maxSteps = 24

// walk returns the places where a pattern ends. sets[i] are the places before step i.
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

// step returns the places after a step that begins at the given places.
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

// slot returns the places after the words of a list that begin at the given places, with or without a comma before.
func (m *matcher) slot(list listID, set uint64) (after uint64) {
	set |= (set & m.commas) << 1
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

// of returns the places of a list's phrases, by their numbers of words.
func (m *matcher) of(list listID) []uint64 {
	return m.places[m.rules.first[list]:m.rules.first[list+1]]
}

// all returns the places where any words of a list begin.
func (m *matcher) all(list listID) (set uint64) {
	for _, places := range m.of(list) {
		set |= places
	}
	return set
}

// beginning returns the place where a match begins. The match ends at the place end. sets are the places before each
// step.
func (m *matcher) beginning(p *pattern, sets *[maxSteps + 1]uint64, end int) int {
	at := end
	for i := len(p.steps) - 1; i >= 0; i-- {
		s := &p.steps[i]
		switch s.kind {
		case stepSlot, stepOptional:
			at = m.before(s, sets[i], at)
		case stepGap, stepNotNext:
			at = nearest(sets[i], at)
		}
	}
	return at
}

// The method before returns the place before a slot. The slot ends at the place end.
func (m *matcher) before(s *step, set uint64, end int) int {
	for n, places := range m.of(s.list) {
		from := end - n - 1
		if from < 0 || places&(1<<from) == 0 {
			continue
		}
		if set&(1<<from) != 0 {
			return from
		}
		if from > 0 && m.commas&(1<<(from-1)) != 0 && set&(1<<(from-1)) != 0 {
			return from - 1
		}
	}
	return end // only for a slot that may be missing
}

// nearest returns the last place of a set that is not after the given one.
func nearest(set uint64, at int) int {
	set &= uint64(1)<<(at+1) - 1
	if set == 0 {
		return at
	}
	return bits.Len64(set) - 1
}
