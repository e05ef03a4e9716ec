package talk

import (
	"fmt"
	"strconv"
	"time"

	"guardrails/detect/advice"
	"guardrails/internal/document"
)

// Rumination is the input of CheckRumination.
type Rumination struct {
	Prompt string
	// History has the earlier prompts, oldest first.
	History       []Message
	WindowMinutes int
	Threshold     int
	Similarity    float64
	// The field "Now" is the time of Prompt. If the input does not give this time, the time of the newest item in History
	// counts as the present time.
	Now *advice.Time
}

// RuminationAnswer is the answer of CheckRumination.
type RuminationAnswer struct {
	Detected bool `json:"detected"`
	// SimilarPrompts are the newest prompts that match, oldest first. Count is the number of all prompts that match.
	SimilarPrompts []SimilarPrompt `json:"similar_prompts"`
	Count          int             `json:"count"`
	WindowSeconds  int             `json:"window_seconds"`
	Threshold      int             `json:"threshold"`
	advice.Common
}

// SimilarPrompt is an earlier prompt that is similar to the current one.
type SimilarPrompt struct {
	Text       string  `json:"text"`
	At         string  `json:"at"`
	Similarity float64 `json:"similarity"`
}

const maxSimilar = 50

// DecodeRumination reads an input from JSON. The error has the type advice.Problems.
func DecodeRumination(raw []byte) (Rumination, error) {
	in := Rumination{WindowMinutes: 90, Threshold: 3, Similarity: 0.55}
	err := advice.Read(raw, func(r *advice.Reader) []advice.Field {
		return []advice.Field{
			{Name: "current_prompt", Required: true, Read: text(r, &in.Prompt, maxPrompt)},
			{Name: "history", Required: true, Read: readMessages(r, maxHistory, true, &in.History)},
			{Name: "window_minutes", Read: whole(r, &in.WindowMinutes, 1, 1440, advice.WindowOutOfRange)},
			{Name: "threshold_count", Read: whole(r, &in.Threshold, 2, 50, advice.InputInvalid)},
			{Name: "similarity_threshold", Read: func(n *document.Node, path string) { in.Similarity = r.Number(n, path, 0, 1) }},
			{Name: "now", Others: []string{"at", "timestamp", "time", "ts"}, Read: func(n *document.Node, path string) {
				now := r.Time(n, path)
				in.Now = &now
			}},
		}
	}, in.checkOrder)
	return in, err
}

// checkOrder reports each item of the history that is earlier than the item before it. It also reports the field Now if
// Now is earlier than the newest item.
func (in *Rumination) checkOrder(r *advice.Reader) {
	for i := 1; i < len(in.History); i++ {
		if in.History[i].At.At.Before(in.History[i-1].At.At) {
			r.Add(advice.HistoryOutOfOrder, "history["+strconv.Itoa(i)+"].at", "is earlier than the item before it",
				"put the oldest item first")
		}
	}
	if n := len(in.History); n > 0 && in.Now != nil && in.Now.At.Before(in.History[n-1].At.At) {
		r.Add(advice.HistoryOutOfOrder, "now", "is earlier than the newest item of history",
			"give the time of current_prompt")
	}
}

// CheckRumination reports whether the current prompt repeats earlier prompts.
func CheckRumination(in *Rumination) *RuminationAnswer {
	a := newRuminationAnswer(in)
	a.conclude(in, a.findSimilar(in))
	return a
}

func newRuminationAnswer(in *Rumination) *RuminationAnswer {
	return &RuminationAnswer{
		SimilarPrompts: []SimilarPrompt{}, WindowSeconds: 60 * in.WindowMinutes, Threshold: in.Threshold,
	}
}

// conclude() completes an answer after all matching prompts were added. The parameter "sum" is the sum of the
// similarities of these prompts.
func (a *RuminationAnswer) conclude(in *Rumination, sum float64) {
	a.Count = len(a.SimilarPrompts)
	a.SimilarPrompts = a.SimilarPrompts[max(0, a.Count-maxSimilar):]
	confidence := 0.95
	if a.Count > 0 {
		confidence = 0.6*min(1, float64(a.Count)/float64(in.Threshold)) + 0.4*sum/float64(a.Count)
	}
	a.Detected = a.Count >= in.Threshold
	a.Common = advice.New(confidence, a.reason(in), "word_overlap_jaccard",
		"Counts the earlier prompts within the time window that are similar to the current prompt. The similarity is the "+
			`number of shared words divided by the number of all words. Frequent words such as "the" or "is" are ignored.`)
	if a.Detected {
		a.OverrideOptions = ruminationOptions()
	}
}

func (in *Rumination) window() time.Duration { return time.Duration(in.WindowMinutes) * time.Minute }

// findSimilar adds the matching prompts to an answer, and returns the sum of their similarities.
func (a *RuminationAnswer) findSimilar(in *Rumination) (sum float64) {
	if len(in.History) == 0 {
		return 0
	}
	now := in.History[len(in.History)-1].At.At
	if in.Now != nil {
		now = in.Now.At
	}
	compare := newComparison(in.Prompt)
	for i := range in.History {
		m := &in.History[i]
		if now.Sub(m.At.At) > in.window() {
			continue
		}
		similarity := compare.overlapWith(m.Text)
		if similarity < in.Similarity {
			continue
		}
		sum += similarity
		a.SimilarPrompts = append(a.SimilarPrompts, SimilarPrompt{m.Text, m.At.Text, similarity})
	}
	return sum
}

func (a *RuminationAnswer) reason(in *Rumination) string {
	prompts := "prompts"
	if a.Count == 1 {
		prompts = "prompt"
	}
	return fmt.Sprintf("%d earlier %s within %d minutes had similar words (overlap of at least %s); "+
		"the threshold is %d.",
		a.Count, prompts, in.WindowMinutes, strconv.FormatFloat(in.Similarity, 'g', 4, 64), in.Threshold)
}

func ruminationOptions() []advice.Option {
	return []advice.Option{
		{Token: advice.FreshContext, Description: "There is something new: forget the earlier prompts and count from here."},
		{Token: advice.OverrideOnce, Description: "Ignore this one time."},
		{Token: advice.DisableForSession, Description: "Switch this check off until the session ends."},
		{Token: advice.LowerSensitivity, Description: "Use the similarity threshold 0.75 for the rest of this session."},
	}
}

// comparison measures how similar texts are to one given text.
type comparison struct {
	wanted, found wordSet
	buffer        []byte
}

func newComparison(text string) *comparison {
	c := &comparison{}
	c.wanted.fill(fold(nil, text), nextContent)
	return c
}

// overlapWith returns the word overlap (Jaccard index) with another text.
func (c *comparison) overlapWith(text string) float64 {
	c.buffer = fold(c.buffer[:0], text)
	c.found.reset(c.buffer)
	common := 0
	for rest := c.buffer; ; {
		var word []byte
		if word, rest = nextContent(rest); len(word) == 0 {
			break
		}
		end := len(c.buffer) - len(rest)
		if c.found.add(end-len(word), end) && c.wanted.contains(word) {
			common++
		}
	}
	if c.wanted.words == 0 || c.found.words == 0 {
		return 0
	}
	return float64(common) / float64(c.wanted.words+c.found.words-common)
}
