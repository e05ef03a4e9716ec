package talk

import (
	"fmt"
	"slices"
	"time"

	"guardrails/detect/advice"
	"guardrails/internal/document"
)

// Digest is a prompt without its text: it has hashes of the words that the detectors compare. A program that keeps
// digests instead of prompts can use CheckRepetition and CheckReassurance.
type Digest struct {
	At time.Time
	// Words has the hashes of the words that count for rumination, sorted.
	Words []uint64
	// The field "Asks" is set if the prompt asks for reassurance. The field "Subject" then has the sorted hashes of the
	// words that say what the prompt is about.
	Asks    bool
	Subject []uint64
}

// NewDigest returns the digest of a prompt. It reads only as much of the prompt as DecodeRumination accepts.
func NewDigest(text string, at time.Time, hash func(word []byte) uint64) Digest {
	folded := fold(nil, document.First(text, maxPrompt))
	d := Digest{At: at, Words: hashes(folded, nextContent, hash), Asks: asks(folded)}
	if d.Asks {
		d.Subject = hashes(folded, nextSubject, hash)
	}
	return d
}

// IsShort reports whether a prompt has at most one word that counts. People have good reasons to repeat such prompts,
// for example "continue", so hooks do not check them.
func (d *Digest) IsShort() bool { return len(d.Words) < 2 }

// hashes() returns the hashes of the different words of a text that fold() has prepared.
func hashes(text []byte, next func([]byte) ([]byte, []byte), hash func([]byte) uint64) []uint64 {
	var out []uint64
	for rest := text; ; {
		var word []byte
		if word, rest = next(rest); len(word) == 0 {
			slices.Sort(out)
			return slices.Compact(out)
		}
		out = append(out, hash(word))
	}
}

// CheckRepetition is CheckRumination for digests. It does not use the fields Prompt and History of the input. The
// SimilarPrompts of the answer have times but no texts.
func CheckRepetition(in *Rumination, current *Digest, history []Digest) *RuminationAnswer {
	a := newRuminationAnswer(in)
	sum := 0.0
	for i := range history {
		d := &history[i]
		if current.At.Sub(d.At) > in.window() {
			continue
		}
		if similarity := overlap(current.Words, d.Words); similarity >= in.Similarity {
			sum += similarity
			a.SimilarPrompts = append(a.SimilarPrompts, SimilarPrompt{At: d.At.Format(time.RFC3339), Similarity: similarity})
		}
	}
	a.conclude(in, sum)
	return a
}

// overlap() returns the Jaccard index of two sorted lists of hashes.
func overlap(a, b []uint64) float64 {
	common := shared(a, b)
	if common == 0 {
		return 0
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// shared() returns the number of hashes that two sorted lists have in common.
func shared(a, b []uint64) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n, a, b = n+1, a[1:], b[1:]
		}
	}
	return n
}

// CheckReassurance is CheckSycophancy for the digests of what a user wrote, oldest first. The Spans of the answer have
// times but no texts.
func CheckReassurance(messages []Digest) *SycophancyAnswer {
	var asking []*Digest
	var anchor []uint64
	for i := range messages {
		if d := &messages[i]; d.Asks {
			asking = append(asking, d)
			if len(d.Subject) > 0 {
				anchor = d.Subject
			}
		}
	}
	var spans []Span
	for _, d := range asking {
		same := len(d.Subject) == 0 || 2*shared(d.Subject, anchor) >= min(len(d.Subject), len(anchor))
		if same {
			spans = append(spans, Span{Source: fromMessages, At: d.At.Format(time.RFC3339)})
		}
	}
	return reassuring(spans[max(0, len(spans)-maxSpans):], len(spans))
}

// reassuring() returns the answer for a number of messages that ask for reassurance about one decision.
func reassuring(spans []Span, n int) *SycophancyAnswer {
	if n < minAsking {
		return notFound("")
	}
	return found(PatternReassurance, min(0.7+0.05*float64(n-minAsking), 0.95),
		fmt.Sprintf("The user asked for reassurance about the same decision %d times.", n), spans)
}

// Moment returns a time in the form that the detectors read.
func Moment(t time.Time) advice.Time {
	_, offset := t.Zone()
	return advice.Time{Text: t.Format(time.RFC3339), At: t.UTC(), Offset: time.Duration(offset) * time.Second}
}
