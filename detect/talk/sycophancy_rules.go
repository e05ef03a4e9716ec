package talk

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"guardrails/detect/advice"
	"guardrails/internal/document"
)

// readGiven returns a function that reads a list of messages. For an empty list, the result is an empty slice. For a
// missing field, the result is nil.
func readGiven(read func(*document.Node, string), to *[]Message) func(*document.Node, string) {
	return func(n *document.Node, path string) {
		*to = []Message{}
		read(n, path)
	}
}

func decision(r *advice.Reader, to *string) func(*document.Node, string) {
	return func(n *document.Node, path string) { *to = r.Text(n, path, 0, maxContext) }
}

// agreement() returns the phrase of unconditional agreement at the beginning of an answer, or "". The result "isSoft"
// is true if a word such as "but" follows soon.
func agreement(answer []byte) (phrase string, isSoft bool) {
	phrase = opener(answer, []string{
		"yes,", "absolutely", "exactly right", "great point", "you're absolutely correct", "you're absolutely right",
		"you are absolutely correct", "you are absolutely right",
	})
	if phrase == "" {
		return "", false
	}
	switch run, _ := firstRun(answer[len(phrase):]); string(run) {
	case "not", "no", "nothing", "none", "never", "nobody", "zero":
		return "", false
	}
	const near = 50
	for _, qualifier := range qualifiers() {
		if at := index(answer, qualifier); at >= 0 && utf8.RuneCount(answer[:at+len(qualifier)]) <= near {
			return phrase, true
		}
	}
	return phrase, false
}

func qualifiers() []string { return []string{"but", "however", "unless"} }

// praise() returns the phrases of praise in an answer without evidence. The result "opens" is set if the answer begins
// with praise.
func praise(answer []byte) (phrases []string, opens bool) {
	first := opener(answer, []string{"brilliant", "perfect", "excellent"})
	if first == "" {
		phrases = praising(answer)
		if len(phrases) < 2 || hasAny(answer, qualifiers()) {
			return nil, false
		}
	} else {
		phrases = []string{first}
	}
	if hasEvidence(answer) {
		return nil, false
	}
	return phrases, first != ""
}

// praising() returns the different phrases of praise in an answer.
func praising(answer []byte) []string {
	var out []string
	for _, phrase := range []string{
		"brilliant", "genius", "perfect", "flawless", "incredible", "amazing", "nailed it", "spot on", "exactly right",
		"absolutely right", "you're so right", "couldn't agree more",
	} {
		if index(answer, phrase) >= 0 {
			out = append(out, phrase)
		}
	}
	return out
}

// hasEvidence reports whether an answer gives a reason or names something concrete.
func hasEvidence(answer []byte) bool {
	return hasAny(answer, []string{"because", "since", "the data shows", "according to"}) ||
		bytes.IndexByte(answer, '`') >= 0 || bytes.Contains(answer, []byte("http://")) ||
		bytes.Contains(answer, []byte("https://")) || namesLine(answer)
}

// namesLine reports whether a text names a line of a file, such as main.go:12.
func namesLine(text []byte) bool {
	const longest = 10 // the longest ending of a file
	for i, c := range text {
		if c != ':' || i+1 == len(text) || text[i+1] < '0' || text[i+1] > '9' {
			continue
		}
		path := text[:i]
		stem := bytes.TrimRightFunc(path, inWord)
		if len(stem) < len(path) && len(path)-len(stem) <= longest && bytes.HasSuffix(stem, []byte(".")) {
			if r, _ := utf8.DecodeLastRune(stem[:len(stem)-1]); inWord(r) && isLetter(rune(path[len(stem)])) {
				return true
			}
		}
	}
	return false
}

// escalation() returns the compliment at the end of a short answer, or "".
func escalation(answer []byte) string {
	const short = 100
	words := 0
	for rest := answer; words < short; words++ {
		var run []byte
		if run, rest = firstRun(rest); len(run) == 0 {
			break
		}
	}
	if words >= short {
		return ""
	}
	end := bytes.TrimRightFunc(answer, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".!?,;:", r) })
	return closing(end, []string{
		"great question", "great point", "you're amazing", "you're brilliant", "fantastic work", "amazing work",
		"you're crushing it", "keep it up",
	})
}

// reassurance() returns the messages that ask for reassurance about one decision, and how many there are.
func reassurance(in *Sycophancy) (spans []Span, n int) {
	asking := asking(in.Messages)
	if len(asking) < minAsking {
		return nil, 0
	}
	var anchor, words wordSet
	anchor.fill(fold(nil, in.Decision), nextSubject)
	for i := len(asking) - 1; i >= 0 && anchor.words == 0; i-- {
		anchor.fill(fold(nil, asking[i].Text), nextSubject)
	}
	var buffer []byte
	for _, m := range asking {
		buffer = fold(buffer[:0], m.Text)
		words.fill(buffer, nextSubject)
		if isSameDecision(&words, &anchor) {
			n++
			spans = append(spans, Span{Source: fromMessages, Text: document.First(m.Text, maxSpanText), At: m.At.Text})
		}
	}
	return spans[max(0, len(spans)-maxSpans):], n
}

// asking() returns the messages that ask for reassurance.
func asking(messages []Message) (out []*Message) {
	var buffer []byte
	for i := range messages {
		if buffer = fold(buffer[:0], messages[i].Text); asks(buffer) {
			out = append(out, &messages[i])
		}
	}
	return out
}

// asks() reports whether a text that fold() has prepared asks for reassurance.
func asks(text []byte) bool {
	return hasAny(text, []string{
		"is this ok", "is this okay", "is that ok", "is that okay", "is it ok", "is it okay", "am i doing this right",
		"am i sure", "am i right", "should i really", "should we really", "the right call", "the right choice",
		"the right decision", "the right thing to do",
	})
}

func isSameDecision(words, anchor *wordSet) bool {
	if words.words == 0 || anchor.words == 0 {
		return true
	}
	return 2*words.common(anchor) >= min(words.words, anchor.words)
}

// nextSubject is like nextContent, but it also skips words with which people ask for reassurance.
func nextSubject(text []byte) (word, rest []byte) {
	for {
		word, text = nextContent(text)
		switch string(word) {
		case "am", "sure", "right", "call", "choice", "decision", "thing", "go", "ahead", "ok", "okay", "doing", "really",
			"still", "again", "maybe", "think", "good", "idea":
			continue
		}
		return word, text
	}
}
