package safety

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Check looks for the categories in a message. The parameter o may be nil.
func Check(message string, o *Options) *Input {
	found := findIn(message)
	in := &Input{Action: Proceed, Flags: []Category{}, Matched: []Match{}, Intents: found.intents()}
	plain := Proceed
	var flagged []*finding
	for _, c := range Categories() {
		f := found.inCategory(c)
		if o != nil && slices.Contains(o.Off, c) || len(f.hits) == 0 {
			continue
		}
		in.RiskScore = max(in.RiskScore, f.score)
		if f.context != "" && rank(f.plain) > rank(plain) {
			plain = f.plain
			in.Override = &Override{Kind: BenignContext, Name: f.context, From: f.plain, To: f.action}
		}
		if f.action != Proceed {
			flagged = append(flagged, f)
		}
		in.Matched = append(in.Matched, found.matches(f)...)
	}
	slices.SortStableFunc(flagged, func(a, b *finding) int { return cmp.Compare(b.score, a.score) })
	isObserved := func(f *finding) bool { return o != nil && slices.Contains(o.Observed, f.category) }
	in.decide(flagged, func(f *finding) bool { return !isObserved(f) })
	if rank(in.Action) < rank(Hold) {
		in.decide(flagged, isObserved)
	}
	for _, f := range flagged {
		in.Flags, in.Decisions = append(in.Flags, f.category), append(in.Decisions, f.action)
	}
	slices.SortStableFunc(in.Matched, func(a, b Match) int { return a.Start - b.Start })
	return in
}

// decide() sets the action to the strictest decision of the findings for which decides() returns true.
func (in *Input) decide(flagged []*finding, decides func(*finding) bool) {
	for _, f := range flagged {
		if decides(f) && rank(f.action) > rank(in.Action) {
			in.Action, in.Referral = f.action, Referral(f.category)
		}
	}
}

// rank() orders decisions by strictness.
func rank(a Action) int { return slices.Index(Actions(), a) }

// The type "findings" holds the hits in a message. A hit is a match of a pattern.
type findings struct {
	text   string
	tokens []token
	// The field "all" contains the tokens of the whole text, including code. If the text contains only prose, the fields
	// "all" and "tokens" are equal.
	all []token
	// The field "hits" has the hits in the tokens of the field "tokens". The field "inAll" has the hits in the tokens of
	// the field "all". The category SexualMinors uses the field "inAll", and all other categories use the field "hits".
	hits, inAll []hit
}

func findIn(message string) *findings {
	r, parts := messageRules(), readProse(message)
	f := &findings{text: message, tokens: tokenize(message, parts, &r.words, false)}
	isProse := !slices.ContainsFunc(parts, func(p part) bool { return !p.isProse })
	if isProse {
		f.all = f.tokens
		found, weighed := r.find(f.tokens, func(*pattern) bool { return true }), weighed(f.tokens, &r.words)
		f.inAll = slices.Concat(found, weighed)
		f.hits = append(inEnglish(found, f.tokens, &r.words), weighed...)
		return f
	}
	f.all = tokenize(message, parts, &r.words, true)
	found := r.find(f.tokens, func(p *pattern) bool { return p.category != SexualMinors })
	f.inAll = r.find(f.all, func(p *pattern) bool { return p.category == SexualMinors || p.category == "" })
	f.hits = append(inEnglish(found, f.tokens, &r.words), weighed(f.tokens, &r.words)...)
	f.inAll = append(f.inAll, messageWeights().hits(f.all, &r.words)...)
	return f
}

// weighed() returns the hits in a message that come from the weights of its words. weights.go describes these weights.
func weighed(tokens []token, words *words) []hit {
	return append(messageWeights().hits(tokens, words), moodWeights().hits(tokens, words)...)
}

// finding holds what was found for a category.
type finding struct {
	category Category
	hits     []hit
	score    float64
	action   Action
	// A benign context, such as an idiom, suggests that a match is harmless. The field "plain" is the decision without any
	// benign context. If a benign context made the decision milder, the field "context" is the name of this benign
	// context. Otherwise, the field is "".
	context string
	plain   Action
	tokens  []token
}

// inCategory returns what was found for a category.
func (f *findings) inCategory(c Category) *finding {
	hits, tokens := f.hits, f.tokens
	if c == SexualMinors {
		hits, tokens = f.inAll, f.all
	}
	out := &finding{category: c, action: Proceed, plain: Proceed, tokens: tokens}
	out.hits = apart(hits, c)
	if len(out.hits) == 0 {
		return out
	}
	contexts := make([]string, len(out.hits))
	for i := range out.hits {
		contexts[i] = contextOf(&out.hits[i], hits)
	}
	out.judge(contexts)
	return out
}

// judge() sets the score and the decision. The parameter "contexts" has the benign context of each hit, or "".
func (f *finding) judge(contexts []string) {
	strengths, benign, context := distinct(f.hits, contexts)
	f.score, f.action = Score(f.category, strengths, benign)
	_, f.plain = Score(f.category, strengths, false)
	if f.plain != f.action {
		f.context = context
	}
}

// distinct() returns the strengths of the patterns that match, one for each pattern. If a single pattern matches and
// benign contexts cover all its hits, the result "benign" is true, and the result "context" is the first of these
// contexts.
func distinct(hits []hit, contexts []string) (strengths []Strength, benign bool, context string) {
	var known []int32
	for _, h := range hits {
		if !slices.Contains(known, h.pattern.id) {
			known, strengths = append(known, h.pattern.id), append(strengths, h.pattern.strength)
		}
	}
	benign = len(known) == 1 && !slices.Contains(contexts, "")
	if benign {
		context = contexts[0]
	}
	return strengths, benign, context
}

// The constant "broad" is the name of patterns that look for a general meaning. The name of any other pattern says
// more precisely what was found.
const broad = "broad"

// apart() returns the hits of a category that do not overlap. If two hits overlap, it keeps the stronger hit. If both
// hits are equally strong, it keeps the hit whose pattern is not broad. If this rule does not decide, it keeps the
// longer hit.
func apart(hits []hit, c Category) (out []hit) {
	for _, h := range hits {
		if h.pattern.category == c && h.pattern.context == "" {
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.pattern.strength.weight(), a.pattern.strength.weight()),
			cmp.Compare(vagueness(&a), vagueness(&b)), cmp.Compare(b.end-b.start, a.end-a.start), cmp.Compare(a.start, b.start))
	})
	kept := out[:0]
	for _, h := range out {
		if !slices.ContainsFunc(kept, func(k hit) bool { return k.start < h.end && h.start < k.end }) {
			kept = append(kept, h)
		}
	}
	return kept
}

func vagueness(h *hit) int {
	if h.pattern.name == broad || h.pattern.name == byWords {
		return 1
	}
	return 0
}

// contextOf returns the name of the first benign context that covers a hit, or "".
func contextOf(h *hit, hits []hit) string {
	isInput := slices.Contains(Categories(), h.pattern.category)
	if slices.ContainsFunc(hits, func(o hit) bool { return o.pattern.isSure && o.pattern.category == h.pattern.category }) {
		return ""
	}
	for _, c := range hits {
		p := c.pattern
		if p.context == "" || p.category != h.pattern.category && (p.category != "" || isAdvice(h.pattern.category) && p.reach != reachMessage) {
			continue
		}
		if p.context == byWords && h.pattern.strength == Strong {
			// A benign context that the weights establish applies to a medium pattern, but never to a strong one.
			continue
		}
		if p.reach == reachSentence && !isInput {
			// For answers and intents, a word such as "king" or "book" in the same sentence does not count as a benign context.
			continue
		}
		if p.reach == reachMessage || c.sentence == h.sentence && (p.reach == reachSentence || c.start < h.end && h.start < c.end) {
			return p.context
		}
	}
	return ""
}

// isAdvice reports whether a category is about advice. For such a category, a word such as "film" does not make a
// request harmless: a person who asks about their own case may mention a film in the same sentence.
func isAdvice(c Category) bool { return c == LegalAdvice || c == FinancialAdvice }

// matches() returns the hits of a finding as parts of the text.
func (f *findings) matches(found *finding) []Match {
	out := make([]Match, len(found.hits))
	for i, h := range found.hits {
		first, last := h.start, h.end-1
		for first < last && found.tokens[first].start == found.tokens[first].end {
			first++
		}
		start, end := int(found.tokens[first].start), int(found.tokens[last].end)
		out[i] = Match{
			Phrase: slice(f.text, start, end), Category: h.pattern.category,
			Pattern: string(h.pattern.category) + "." + h.pattern.name, Strength: h.pattern.strength, Start: start, End: end,
		}
	}
	return out
}

// slice() returns the part of a text between two positions, which are counted in code points.
func slice(text string, start, end int) string {
	from := offset(text, start)
	return text[from : from+offset(text[from:], end-start)]
}

// offset() converts a position in code points to an offset in bytes.
func offset(text string, point int) int {
	at := 0
	for range point {
		if at >= len(text) {
			break
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}
