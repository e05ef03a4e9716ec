package talk_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"guardrails/detect/talk"
	"guardrails/internal/fortests/corpus"
)

// thread is a list of prompts of one person, with the time of each prompt. Its label is "looping", "paraphrase" or
// "progressing".
type thread struct {
	corpus.Header
	Prompts []prompt
}

type prompt struct {
	Text    string
	Minutes int
}

func (x thread) text() string {
	var out strings.Builder
	for _, p := range x.Prompts {
		out.WriteString(p.Text + "\n")
	}
	return out.String()
}

// repeated() returns the first prompt that repeats earlier prompts. If there is none, it returns the last prompt and
// false.
func (x thread) repeated() (prompt string, found bool) {
	var earlier []talk.Message
	for _, p := range x.Prompts {
		now := at(p.Minutes)
		in := talk.Rumination{
			Prompt: p.Text, History: earlier, WindowMinutes: 90, Threshold: 3, Similarity: 0.55, Now: &now,
		}
		if talk.CheckRumination(&in).Detected {
			return p.Text, true
		}
		earlier = append(earlier, talk.Message{Text: p.Text, At: now})
	}
	return x.Prompts[len(x.Prompts)-1].Text, false
}

// shown() reports whether the hooks show a line about the thread.
func (x thread) shown() bool {
	hash := func(word []byte) uint64 {
		h := fnv.New64a()
		_, _ = h.Write(word)
		return h.Sum64()
	}
	in := &talk.Rumination{WindowMinutes: 90, Threshold: 3, Similarity: 0.55}
	var earlier []talk.Digest
	for _, p := range x.Prompts {
		d := talk.NewDigest(p.Text, at(p.Minutes).At, hash)
		if !d.IsShort() && talk.CheckRepetition(in, &d, earlier).Detected {
			return true
		}
		earlier = append(earlier, d)
	}
	return false
}

func TestThreadsOfPrompts(t *testing.T) {
	threads := corpus.Load[thread](t, "testdata/corpus/rumination")
	if len(threads) < corpus.ThreadsOfPrompts {
		t.Errorf("the corpus has %d threads, want %d", len(threads), corpus.ThreadsOfPrompts)
	}
	corpus.CheckTwins(t, threads, thread.text)
	var all, shown corpus.Measure
	for _, x := range threads {
		prompt, found := x.repeated()
		all.Add(x.Header, x.Category, x.Label != "progressing", found, prompt)
		shown.Add(x.Header, x.Category, x.Label != "progressing", x.shown(), prompt)
	}
	all.Report(t, corpus.Rumination(), "testdata/corpus/rumination/known.json")
	shown.Check(t, corpus.ShownThreads())
}

// answer is an answer of a model, with the messages of the user before it. If Answer is empty, only the messages are
// judged. The label of the answer is "sycophantic" or "ordinary". Field says what the answer is about: "coding" or
// "everyday".
type answer struct {
	corpus.Header
	Field    string
	Messages []string
	Answer   string
}

func (x answer) text() string { return strings.Join(append(x.Messages, x.Answer), "\n") }

func (x answer) isFlattery() bool {
	in := talk.Sycophancy{Response: x.Answer}
	for _, text := range x.Messages {
		in.Messages = append(in.Messages, talk.Message{Text: text})
	}
	return talk.CheckSycophancy(&in).Detected
}

func TestAnswersOfModels(t *testing.T) {
	answers := corpus.Load[answer](t, "testdata/corpus/sycophancy")
	checkSizes(t, answers)
	corpus.CheckTwins(t, answers, answer.text)
	var all, counted corpus.Measure
	for _, x := range answers {
		wanted, found, what := x.Label == "sycophantic", x.isFlattery(), fmt.Sprintf("%.200q", x.text())
		all.Add(x.Header, x.Category, wanted, found, what)
		if x.Answer != "" {
			counted.Add(x.Header, x.Category, wanted, found && !talk.GivesReason(x.Answer), what)
		}
	}
	all.Report(t, corpus.Sycophancy(), "testdata/corpus/sycophancy/known.json")
	counted.Check(t, corpus.CountedAnswers())
}

func checkSizes(t *testing.T, answers []answer) {
	t.Helper()
	all, coding := 0, 0
	for _, x := range answers {
		if x.Answer != "" {
			all++
		}
		if x.Field == "coding" {
			coding++
		}
	}
	if all < corpus.Answers || 2*coding < all {
		t.Errorf("the corpus has %d answers, %d about code; want %d, half of them about code", all, coding, corpus.Answers)
	}
}

// TestSessionsOfACodingAgent draws the final answers of sessions from the corpus. The hooks show a line if at least
// 3 of the last 10 final answers agree without a reason.
func TestSessionsOfACodingAgent(t *testing.T) {
	answers := corpus.Load[answer](t, "testdata/corpus/sycophancy")
	for _, c := range corpus.Sessions() {
		train, test := share(pool(answers, c, "train")), share(pool(answers, c, "test"))
		fmt.Fprintf(t.Output(), "%s: share of sessions that show a detection: train %.4f, test %.4f\n", c.Name, train, test)
		if test < c.Least || test > c.Most {
			t.Errorf("%s: a detection is shown in %.4f of the sessions, want %v to %v", c.Name, test, c.Least, c.Most)
		}
	}
}

// pool returns one item for each answer that can be drawn for a session. The item is true if the answer is detected.
func pool(answers []answer, gate corpus.SessionGate, split string) (detected []bool) {
	for _, x := range answers {
		if x.Split == split && x.Field == "coding" && x.Label == gate.Label {
			detected = append(detected, x.isFlattery() && !talk.GivesReason(x.Answer))
		}
	}
	return detected
}

// share() returns the share of sessions in which the hooks show a detection. A session has 10 to 20 answers of the
// pool.
func share(pool []bool) float64 {
	const sessions = 5000
	random := rand.New(rand.NewPCG(1, 2))
	shown := 0
	for range sessions {
		random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		if isShown(pool[:10+random.IntN(11)]) {
			shown++
		}
	}
	return float64(shown) / sessions
}

func isShown(session []bool) bool {
	for i := range session {
		detected := 0
		for _, d := range session[max(0, i-9) : i+1] {
			if d {
				detected++
			}
		}
		if detected >= 3 {
			return true
		}
	}
	return false
}
