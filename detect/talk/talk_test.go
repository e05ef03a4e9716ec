package talk_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"guardrails/detect/advice"
	"guardrails/detect/talk"
)

// at() returns the time that is the given number of minutes after a fixed time.
func at(minutes int) advice.Time {
	t := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC).Add(time.Duration(minutes) * time.Minute)
	return advice.Time{Text: t.Format(time.RFC3339), At: t}
}

// prose returns English text of about the given size.
func prose(size int) string {
	const text = "Should we move the job queue into Postgres before the release, or keep the old broker until March? "
	return strings.Repeat(text, size/len(text)+1)[:size]
}

func history(size, items int) []talk.Message {
	out := make([]talk.Message, items)
	for i := range out {
		out[i] = talk.Message{Text: prose(size / items), At: at(0)}
	}
	return out
}

// detectors() returns, for each detector, a function that runs it on an input of about the given size.
func detectors(size int) map[string]func() {
	long := &talk.Rumination{
		Prompt: prose(min(size/2, 8000)), History: history(size/2, max(1, size/4000)), WindowMinutes: 90, Threshold: 3, Similarity: 0.55,
	}
	other := *long
	other.Prompt = "nothing like that"
	answer := &talk.Sycophancy{Response: prose(size)}
	asking := &talk.Sycophancy{Messages: history(size, max(1, size/2000))}
	time := &talk.Hyperfocus{
		Session: &talk.OpenSession{ID: "s", Intent: "i", ElapsedSeconds: 7000}, Now: at(0), Ladder: talk.Ladder{Gentle: 60, Nudge: 90, Hard: 120},
	}
	return map[string]func(){
		"rumination that matches": func() { talk.CheckRumination(long) },
		"rumination":              func() { talk.CheckRumination(&other) },
		"answer":                  func() { talk.CheckSycophancy(answer) },
		"reassurance":             func() { talk.CheckSycophancy(asking) },
		"hyperfocus":              func() { talk.CheckHyperfocus(time) },
	}
}

func BenchmarkTalk(b *testing.B) {
	for _, size := range []int{2 << 10, 100 << 10} {
		for name, run := range detectors(size) {
			b.Run(name+" "+map[bool]string{true: "2 KiB", false: "100 KiB"}[size < 9000], func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run()
				}
			})
		}
	}
}

// A text with fifty times as many words may need more memory, but not one allocation for each word.
func TestWordsThatDoNotMatchAreNotAllocated(t *testing.T) {
	for name, run := range detectors(100 << 10) {
		const most = 64 // the text has 17,000 words
		if got := testing.AllocsPerRun(5, run); got > most {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

func TestEveryAnswerHasAReasonAndAWayToDismissIt(t *testing.T) {
	for level, seconds := range map[talk.Level]int{"none": 0, "gentle": 3600, "nudge": 5400, "hard": 1 << 40} {
		end := 0
		a := talk.CheckHyperfocus(&talk.Hyperfocus{
			Session: &talk.OpenSession{ID: "s", Intent: strings.Repeat("i", 500), ElapsedSeconds: seconds}, Now: at(0),
			EndOfDay: &end, Ladder: talk.Ladder{Gentle: 60, Nudge: 90, Hard: 120},
		})
		checkCommon(t, string(level), a.Level != talk.LevelNone, &a.Common)
	}
	for _, text := range []string{"Yes, do it.", "Perfect!", "a genius, flawless plan", "Keep it up", "Absolutely, but no", "no"} {
		a := talk.CheckSycophancy(&talk.Sycophancy{Response: text})
		checkCommon(t, text, a.Detected, &a.Common)
		if (a.CounterPrompt != "") != a.Detected || utf8.RuneCountInString(a.CounterPrompt) > 1000 {
			t.Errorf("%s: the counter prompt is %q", text, a.CounterPrompt)
		}
	}
}

func checkCommon(t *testing.T, name string, detected bool, c *advice.Common) {
	t.Helper()
	if c.Reason == "" || utf8.RuneCountInString(c.Reason) > 280 || utf8.RuneCountInString(c.Heuristic.Description) > 500 ||
		c.Confidence < 0 || c.Confidence > 1 || c.FeedbackPath == "" || detected != (len(c.OverrideOptions) > 0) {
		t.Errorf("%s: %+v", name, c)
	}
	for _, o := range c.OverrideOptions {
		if o.Description == "" || utf8.RuneCountInString(o.Description) > 200 {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestTheSameInputGivesTheSameAnswer(t *testing.T) {
	in := &talk.Rumination{Prompt: prose(500), History: history(4000, 8), WindowMinutes: 90, Threshold: 3, Similarity: 0.2}
	first, _ := json.Marshal(talk.CheckRumination(in))
	for range 20 {
		if again, _ := json.Marshal(talk.CheckRumination(in)); string(again) != string(first) {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}

func TestSyntaxErrorsAndDuplicateKeysAreInvalid(t *testing.T) {
	for _, text := range []string{
		"", "{", "[]", "null", `"x"`, `{"history":[],"history":[],"current_prompt":"x"}`, "{\"current_prompt\":\"\xff\",\"history\":[]}",
	} {
		if _, err := talk.DecodeRumination([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "INPUT_INVALID: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzTalk(f *testing.F) {
	f.Add("Yes, it’s perfect, genius, because main.go:12", "is this ok?")
	f.Add("ΟΔΟΣ İstanbul e\u0301", "नमस्ते२ 2fa")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) < 1<<10 { // the plain rules are slow
			checkPlain(t, a, b)
		}
		if x, y := talk.Similarity(a, b), talk.Similarity(b, a); x != y || x < 0 || x > 1 {
			t.Errorf("%q %q: %v and %v", a, b, x, y)
		}
		if len(talk.Words(a)) > 0 && talk.Similarity(a, a) != 1 {
			t.Errorf("%q is not similar to itself", a)
		}
		answer := talk.CheckSycophancy(&talk.Sycophancy{Response: a, Messages: []talk.Message{{Text: b}, {Text: b}, {Text: b}}, Decision: a})
		checkCommon(t, a, answer.Detected, &answer.Common)
		for _, decode := range []string{"check_rumination", "check_hyperfocus", "check_sycophancy"} {
			_, _ = call(decode, []byte(a))
		}
	})
}
