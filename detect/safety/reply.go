package safety

import (
	"slices"
	"strings"
	"unicode/utf8"

	"guardrails/detect/pii"
)

// The categories of gates.rules that are parts of other categories.
const (
	celebration Category = "celebration"
	sorrow      Category = "sorrow"
	hedge       Category = "hedge"
	refusal     Category = "refusal"
	offer       Category = "offer"
	asking      Category = "asking"
	yesOrNo     Category = "yes_or_no"
)

// The type "reply" holds an answer and what was found in this answer.
type reply struct {
	text    string
	options *AnswerOptions
	findings
	hasCode bool
	found   []pii.Finding
	// The field "message" has what was found in the user's message. The field is nil until it is needed.
	message *findings
}

func newReply(text string, o *AnswerOptions) *reply {
	parts := readProse(text)
	rules := answerRules()
	r := &reply{text: text, options: o, found: findPersonal(text, o)}
	r.hasCode = slices.ContainsFunc(parts, func(p part) bool { return !p.isProse })
	tokens := tokenize(text, parts, &rules.words, false)
	hits := append(rules.find(tokens, func(*pattern) bool { return true }), answerWeights().hits(tokens, &rules.words)...)
	r.findings = findings{text: text, tokens: tokens, hits: withoutVows(withoutQuoted(hits, tokens, text))}
	return r
}

// withoutVows returns the hits without the overclaims in sentences in which the assistant promises to stay for ever. "I
// promise that I will never leave you" is a promise of permanence, not a guarantee about the user's matter.
func withoutVows(hits []hit) []hit {
	var vows []int
	for i := range hits {
		if p := hits[i].pattern; p.category == PermanencePromise && p.name != byWords {
			vows = append(vows, hits[i].sentence)
		}
	}
	return slices.DeleteFunc(hits, func(h hit) bool {
		return slices.Contains(vows, h.sentence) && slices.Contains(OverclaimGate.Categories(), h.pattern.category)
	})
}

// userMessage returns what was found in the user's message.
func (r *reply) userMessage() *findings {
	if r.message == nil {
		r.message = readMessage(r.options.UserMessage)
	}
	return r.message
}

// readMessage returns what the gates look for in a user's message.
func readMessage(text string) *findings {
	rules := answerRules()
	tokens := tokenize(text, readProse(text), &rules.words, false)
	return &findings{text: text, tokens: tokens, hits: rules.find(tokens, func(*pattern) bool { return true })}
}

// category() returns the score of a category, and what matched.
func (r *reply) category(c Category) (float64, []Match) {
	switch c {
	case ThirdPartyPII:
		if found := r.thirdParty(); len(found) > 0 {
			return Strong.weight(), found
		}
		return 0, nil
	case ToneMismatch:
		return r.toneMismatch()
	case ShortResponse:
		return r.shortResponse()
	case ExcessiveHedging:
		return r.hedging()
	case RefusalToEngage:
		return r.refusing()
	}
	f := r.inCategory(c)
	return f.score, r.matches(f)
}

// The constant "laughs" lists emojis that stand for laughing or celebrating.
const laughs = "😂🤣😆😄😁😹🎉🥳🎂🎈🎊🙌💃🕺🍾🥂🚀🔥🤩"

// toneMismatch finds a cheerful answer to a sad message.
func (r *reply) toneMismatch() (float64, []Match) {
	if r.options.UserMessage == "" && r.options.Turn == nil {
		return 0, nil
	}
	happy := r.inCategory(celebration)
	isHappy := len(happy.hits) > 0 || strings.Count(r.text, "!") >= 2 || strings.ContainsAny(r.text, laughs)
	if !isHappy || !r.isSad() {
		return 0, nil
	}
	matched := r.matches(happy)
	if len(matched) == 0 {
		matched = []Match{r.whole(ToneMismatch, "marks")}
	}
	for i := range matched {
		matched[i].Category, matched[i].Strength = ToneMismatch, Medium
	}
	return Medium.weight(), matched
}

// isSad reports whether the user's message speaks of death, illness, the loss of a job or self-harm.
func (r *reply) isSad() bool {
	return r.options.UserMessage != "" && r.userMessage().isSad() || r.options.Turn != nil && r.options.Turn.Sad
}

const (
	// An answer with fewer than fewWords words or fewCharacters characters is short. A message with at least manyWords
	// words is long.
	fewWords, fewCharacters, manyWords = 4, 20, 12
)

// shortResponse finds a very short answer to a long question.
func (r *reply) shortResponse() (float64, []Match) {
	text := strings.TrimSpace(r.text)
	words := count(r.tokens)
	if r.options.ToolsRan || r.hasCode || words >= fewWords && utf8.RuneCountInString(text) >= fewCharacters {
		return 0, nil
	}
	if !r.isAskedAtLength() {
		return 0, nil
	}
	return 0.70 - 0.05*float64(words), []Match{r.whole(ShortResponse, "length")}
}

// isAskedYesOrNo reports whether the user's message is known and can be answered with yes or no.
func (r *reply) isAskedYesOrNo() bool {
	return strings.Contains(r.options.UserMessage, "?") && !asks(r.userMessage())
}

// isAskedAtLength reports whether the user's message is long and asks for more than yes or no.
func (r *reply) isAskedAtLength() bool {
	return r.options.UserMessage != "" && r.userMessage().asksAtLength() || r.options.Turn != nil && r.options.Turn.AsksAtLength
}

// isSad reports whether a message speaks of death, illness, the loss of a job or self-harm.
func (f *findings) isSad() bool {
	if len(f.inCategory(sorrow).hits) > 0 {
		return true
	}
	message := findIn(f.text)
	return message.inCategory(SelfHarm).score >= flagAt || len(message.inCategory(sorrow).hits) > 0
}

// asksAtLength reports whether a message is long and asks for more than yes or no.
func (f *findings) asksAtLength() bool { return count(f.tokens) >= manyWords && asks(f) }

// asks() reports whether a message asks for more than yes or no.
func asks(message *findings) bool {
	isQuestion := strings.Contains(message.text, "?")
	if isQuestion && len(message.inCategory(yesOrNo).hits) > 0 && len(message.inCategory(asking).hits) == 0 {
		return false
	}
	return isQuestion || len(message.inCategory(asking).hits) > 0
}

// hedging() finds an answer that is full of words such as "maybe". It also finds an answer with fewer such words if the
// weights of its words mark it as hedging.
func (r *reply) hedging() (float64, []Match) {
	const least, wordsEach = 3, 15
	f := r.inCategory(hedge)
	var kinds []int32
	for _, h := range f.hits {
		if !slices.Contains(kinds, h.pattern.id) {
			kinds = append(kinds, h.pattern.id)
		}
	}
	if len(kinds) < least || len(f.hits)*wordsEach < count(r.tokens) {
		f = r.inCategory(ExcessiveHedging)
		return f.score, r.matches(f)
	}
	matched := r.matches(f)
	for i := range matched {
		matched[i].Category = ExcessiveHedging
	}
	return min(0.30+0.08*float64(len(kinds)), 0.90), matched
}

// refusing() finds an answer that refuses and offers nothing else. Such an answer begins with a refusal, or the weights
// of its words mark it as a refusal. A "no" is no refusal if the user asked for yes or no.
func (r *reply) refusing() (float64, []Match) {
	if r.hasCode || len(r.inCategory(offer).hits) > 0 || count(r.tokens) < fewWords && r.isAskedYesOrNo() {
		return 0, nil
	}
	if f := r.inCategory(RefusalToEngage); len(f.hits) > 0 {
		return f.score, r.matches(f)
	}
	f := r.inCategory(refusal)
	if !slices.ContainsFunc(f.hits, func(h hit) bool { return h.sentence <= 1 }) {
		return 0, nil
	}
	matched := r.matches(f)
	for i := range matched {
		matched[i].Category = RefusalToEngage
	}
	return Medium.weight(), matched
}

// whole() returns a match that is the whole answer.
func (r *reply) whole(c Category, pattern string) Match {
	return Match{
		Phrase: r.text, Category: c, Pattern: string(c) + "." + pattern, Strength: Medium,
		End: utf8.RuneCountInString(r.text),
	}
}

// count() returns the number of words. A short form such as "can't" counts as one word, although it stands for two.
func count(tokens []token) (n int) {
	last := int32(-1)
	for i := range tokens {
		if tokens[i].sum != 0 && tokens[i].start != last {
			last = tokens[i].start
			n++
		}
	}
	return n
}

// pointOf converts an offset in bytes to a position in code points.
func pointOf(text string, offset int) int { return utf8.RuneCountInString(text[:offset]) }

// EncouragesSelfHarm reports whether the words of an answer encourage self-harm.
func EncouragesSelfHarm(answer string) bool {
	score, _ := newReply(answer, &AnswerOptions{}).category(SelfHarmEncouragement)
	return score >= ValuesBoundary.threshold()
}
