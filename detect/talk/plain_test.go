package talk_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"guardrails/detect/talk"
)

// The functions with plain in their names implement the rules of the detectors a second time, in the shortest and
// slowest way. Tests compare both implementations.

func plainFold(text string) string {
	lower := cases.Lower(language.Und).String(norm.NFC.String(text))
	return strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'").Replace(lower)
}

var plainWord = regexp.MustCompile(`\p{L}[\p{L}\p{M}\p{Nd}_']*`)

const plainStopWords = "a an and any are as at be been but by can could did do does for from had has have he her here his " +
	"how i if in into is it its just me my no not of on or our out really she should so such than that the their them " +
	"then there these they this those to too us was we were what when where which who why will with would you your"

const plainReassuranceWords = "am sure right call choice decision thing go ahead ok okay doing really still again maybe " +
	"think good idea"

func plainSet(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

var (
	plainStops    = plainSet(plainStopWords)
	plainSubjects = plainSet(plainStopWords + " " + plainReassuranceWords)
)

func plainWords(text string, without map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, word := range plainWord.FindAllString(plainFold(text), -1) {
		if !without[word] {
			out[word] = true
		}
	}
	return out
}

func plainCommon(a, b map[string]bool) (n int) {
	for word := range a {
		if b[word] {
			n++
		}
	}
	return n
}

func plainSimilarity(a, b string) float64 {
	x, y := plainWords(a, plainStops), plainWords(b, plainStops)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both := plainCommon(x, y)
	return float64(both) / float64(len(x)+len(y)-both)
}

// plainHas reports whether a phrase occurs between word boundaries in a text that plainFold has prepared.
func plainHas(text, phrase string) bool {
	for i := range text {
		if strings.HasPrefix(text[i:], phrase) && plainWhole(text, i, i+len(phrase)) {
			return true
		}
	}
	return false
}

func plainWhole(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !plainInWord(before) && !plainInWord(after)
}

func plainInWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func plainCount(text, phrases string) (n int) {
	for phrase := range strings.SplitSeq(phrases, "|") {
		if plainHas(text, phrase) {
			n++
		}
	}
	return n
}

func plainOpens(text, phrases string) (rest string, opens bool) {
	for phrase := range strings.SplitSeq(phrases, "|") {
		if strings.HasPrefix(text, phrase) && plainWhole(text, 0, len(phrase)) {
			return text[len(phrase):], true
		}
	}
	return "", false
}

const (
	plainAgreement = "yes,|absolutely|exactly right|great point|you're absolutely correct|you're absolutely right|" +
		"you are absolutely correct|you are absolutely right"
	plainPraise = "brilliant|genius|perfect|flawless|incredible|amazing|nailed it|spot on|exactly right|absolutely right|" +
		"you're so right|couldn't agree more"
	plainClosing = "great question|great point|you're amazing|you're brilliant|fantastic work|amazing work|" +
		"you're crushing it|keep it up"
	plainMarkers = "is this ok|is this okay|is that ok|is that okay|is it ok|is it okay|am i doing this right|am i sure|" +
		"am i right|should i really|should we really|the right call|the right choice|the right decision|" +
		"the right thing to do"
	plainQualifiers = "but|however|unless"
	plainReasons    = "because|since|the data shows|according to"
)

// plainRun is a run of letters, digits and underscores.
var plainRun = regexp.MustCompile(`[\p{L}\p{Nd}_]+`)

func plainPattern(answer string) talk.Pattern {
	text := strings.TrimLeftFunc(plainFold(answer), unicode.IsSpace)
	switch {
	case plainAgrees(text):
		return talk.PatternAgreement
	case plainPraises(text):
		return talk.PatternPraise
	case plainCloses(text):
		return talk.PatternEscalation
	}
	return talk.PatternNone
}

func plainAgrees(text string) bool {
	rest, opens := plainOpens(text, plainAgreement)
	denials := []string{"not", "no", "nothing", "none", "never", "nobody", "zero"}
	if !opens || slices.Contains(denials, plainRun.FindString(rest)) {
		return false
	}
	// A qualifier, such as "but", counts only if it ends within the first 50 characters.
	for at := range text {
		for qualifier := range strings.SplitSeq(plainQualifiers, "|") {
			end := at + len(qualifier)
			if strings.HasPrefix(text[at:], qualifier) && plainWhole(text, at, end) && utf8.RuneCountInString(text[:end]) <= 50 {
				return false
			}
		}
	}
	return true
}

// plainPlace is a place in a file, such as main.go:12.
var plainPlace = regexp.MustCompile(`[\p{L}\p{Nd}_]\.[a-z][\p{L}\p{Nd}_]{0,9}:[0-9]`)

func plainPraises(text string) bool {
	if plainCount(text, plainReasons) > 0 || strings.Contains(text, "`") || strings.Contains(text, "http://") ||
		strings.Contains(text, "https://") || plainPlace.MatchString(text) {
		return false
	}
	_, opens := plainOpens(text, "brilliant|perfect|excellent")
	return opens || plainCount(text, plainPraise) > 1 && plainCount(text, plainQualifiers) == 0
}

func plainCloses(text string) bool {
	if len(plainRun.FindAllString(text, -1)) >= 100 {
		return false
	}
	end := strings.TrimRightFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".!?,;:", r) })
	for phrase := range strings.SplitSeq(plainClosing, "|") {
		if strings.HasSuffix(end, phrase) && plainWhole(end, len(end)-len(phrase), len(end)) {
			return true
		}
	}
	return false
}

// plainReassurance returns how many messages ask for reassurance about one decision.
func plainReassurance(messages []talk.Message, decision string) (n int) {
	var asking []map[string]bool
	anchor := plainWords(decision, plainSubjects)
	for _, m := range messages {
		if plainCount(plainFold(m.Text), plainMarkers) > 0 {
			asking = append(asking, plainWords(m.Text, plainSubjects))
		}
	}
	for _, words := range slices.Backward(asking) {
		if len(anchor) == 0 {
			anchor = words
		}
	}
	for _, words := range asking {
		if len(words) == 0 || len(anchor) == 0 || 2*plainCommon(words, anchor) >= min(len(words), len(anchor)) {
			n++
		}
	}
	return n
}

// checkPlain fails if the detectors and the plain rules give different answers.
func checkPlain(t *testing.T, a, b string) {
	t.Helper()
	if got, want := talk.Similarity(a, b), plainSimilarity(a, b); got != want {
		t.Errorf("the similarity of %q and %q is %v, want %v", a, b, got, want)
	}
	if got, want := talk.CheckSycophancy(&talk.Sycophancy{Response: a}).Pattern, plainPattern(a); got != want {
		t.Errorf("the pattern of %q is %s, want %s", a, got, want)
	}
	in := talk.Sycophancy{Messages: []talk.Message{{Text: a}, {Text: b}, {Text: b}, {Text: a + " " + b}}}
	for _, in.Decision = range []string{"", b} {
		got := talk.CheckSycophancy(&in)
		want := plainReassurance(in.Messages, in.Decision)
		if found := got.Pattern == talk.PatternReassurance; found != (want >= 3) || found && len(got.MatchedSpans) != want {
			t.Errorf("reassurance in %q, then twice %q, then both, about %q: %+v, want %d", a, b, in.Decision, got, want)
		}
	}
}

// pieces() returns parts of texts in which every rule has something to find.
func pieces() []string {
	out := strings.Split(strings.Join([]string{
		plainAgreement, plainPraise, plainClosing, plainMarkers, plainQualifiers, plainReasons,
	}, "|"), "|")
	return append(append(out, strings.Fields(plainReassuranceWords+" "+plainStopWords)...),
		"excellent", "deploy", "Ship", "schéma", "sche\u0301ma", "ΟΔΟΣ", "οδος", "İZMİR", "миграция", "迁移", "नमस्ते२", "don’t", "2fa",
		"foo_bar", "`x`", "https://a.b", "main.go:12", "a.b:c", "not", "!", "?", ",", ".", ":", ";", "\n", "\t", "'", "_", "7", "", "", "\u00a0")
}

func TestDetectorsAnswerAsThePlainRulesDo(t *testing.T) {
	const pairs = 2000
	random, all := rand.New(rand.NewPCG(1, 2)), pieces()
	text := func() string {
		var out strings.Builder
		for range random.IntN(9) {
			piece := all[random.IntN(len(all))]
			if random.IntN(4) == 0 {
				piece = strings.ToUpper(piece)
			}
			out.WriteString(piece)
			if random.IntN(8) > 0 {
				out.WriteByte(' ')
			}
		}
		return out.String()
	}
	for range pairs {
		checkPlain(t, text(), text())
	}
}

func TestDetectorsAnswerAsThePlainRulesDoAtTheLimits(t *testing.T) {
	for n := range 5 {
		checkPlain(t, strings.Repeat("word ", 95+n)+"keep it up", "")
		checkPlain(t, "yes, "+strings.Repeat("x", 39+n)+" but", "")
		checkPlain(t, "is this ok: "+strings.Join(strings.Fields("deploy server table queue")[:n], " "), "is this ok: deploy cache index")
	}
}
