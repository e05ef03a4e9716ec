package talk_test

import (
	"hash/fnv"
	"math/rand/v2"
	"testing"
	"time"

	"guardrails/detect/talk"
)

func hashOf(word []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(word)
	return h.Sum64()
}

// Digests must give the same answers as the texts that they are made of.
func TestDigestsAreJudgedLikeTexts(t *testing.T) {
	texts := []string{
		"is the migration safe to run on prod?", "so the migration is safe to run on prod?", "is this ok?", "am I sure about the RFC?",
		"is shipping the RFC today the right call?", "should we really ship the RFC", "Ist die Migration wirklich sicher?",
		"fix the login", "Is THIS okay for the css colour?", "naïve café", "", "123 456", "移行は安全ですか", "don't stop v2 foo_bar",
	}
	random := rand.New(rand.NewPCG(1, 2))
	began := time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)
	for range 500 {
		in := talk.Rumination{WindowMinutes: 1 + random.IntN(90), Threshold: 2 + random.IntN(3), Similarity: random.Float64()}
		var digests []talk.Digest
		at := began
		for range random.IntN(12) {
			at = at.Add(time.Duration(random.IntN(20)) * time.Minute)
			text := texts[random.IntN(len(texts))]
			in.History = append(in.History, talk.Message{Text: text, At: talk.Moment(at)})
			digests = append(digests, talk.NewDigest(text, at, hashOf))
		}
		now := talk.Moment(at)
		in.Prompt, in.Now = texts[random.IntN(len(texts))], &now
		current := talk.NewDigest(in.Prompt, at, hashOf)
		got, want := talk.CheckRepetition(&in, &current, digests), talk.CheckRumination(&in)
		if got.Detected != want.Detected || got.Count != want.Count || got.Confidence != want.Confidence || got.Reason != want.Reason {
			t.Fatalf("%+v: got %+v, want %+v", in, got, want)
		}
		said, meant := talk.CheckReassurance(digests), talk.CheckSycophancy(&talk.Sycophancy{Messages: in.History})
		if said.Pattern != meant.Pattern || said.Confidence != meant.Confidence || len(said.MatchedSpans) != len(meant.MatchedSpans) {
			t.Fatalf("%+v: got %+v, want %+v", in.History, said, meant)
		}
	}
}
