package policy

import (
	"strconv"

	"guardrails/internal/document"
)

// longestMessage is the length of the longest message in characters.
const longestMessage = 32768

// DecodeFacts reads facts. Most fields have the same names as in the condition of a rule. The fields
// "detected_emotions", "flags", "pii" and "tags" are lists. DecodeFacts reports all mistakes, not only the first one.
func DecodeFacts(file string, n *document.Node, path string) (*Facts, document.Problems) {
	r := &reader{Decoder: document.Decoder{File: file}}
	f := &Facts{}
	r.Object(n, path, []document.Spec{
		{Name: "message", Read: func(n *document.Node, path string) { f.Message = r.message(n, path) }},
		r.numberFact(fieldMood, &f.Mood), r.numberFact(fieldTrust, &f.Trust), r.numberFact(fieldCount, &f.InteractionCount),
		r.numberFact(fieldScore, &f.RiskScore), r.numberFact(fieldSince, &f.SinceLastSeen),
		r.namesFact("detected_emotions", &f.DetectedEmotions), r.namesFact("flags", &f.Flags),
		r.namesFact(fieldPII, &f.PII), r.namesFact("tags", &f.Tags),
		{Name: fieldStage, Read: func(n *document.Node, path string) { f.Stage = r.Choice(n, path, Stages()) }},
		{Name: fieldDecision, Read: func(n *document.Node, path string) { f.Decision = r.Choice(n, path, verdicts()) }},
		{Name: fieldGate, Read: func(n *document.Node, path string) { f.Gate = r.text(n, path, longestTag) }},
	})
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return f, nil
}

func (r *reader) message(n *document.Node, path string) *string {
	if n.Kind != document.String {
		r.String(n, path, true)
		return nil
	}
	if length := len([]rune(n.Text)); length > longestMessage {
		r.Report(n, path, "has "+strconv.Itoa(length)+" characters", "use at most "+strconv.Itoa(longestMessage))
	}
	return &n.Text
}

func (r *reader) numberFact(name string, into **float64) document.Spec {
	return document.Spec{Name: name, Read: func(n *document.Node, path string) {
		v, ok := readNumber(n.Text)
		switch {
		case n.Kind != document.Number:
			r.Report(n, path, "is "+n.Kind.String()+" where a number is expected", "write a number")
		case !ok:
			r.Report(n, path, document.Excerpt(n.Text)+" is not a number that can be compared", "write a decimal number")
		default:
			*into = &v
		}
	}}
}

// namesFact reads a list of names. An empty list is also a known fact.
func (r *reader) namesFact(name string, into *[]string) document.Spec {
	return document.Spec{Name: name, Read: func(n *document.Node, path string) {
		if *into = r.Strings(n, path); *into == nil {
			*into = []string{}
		}
	}}
}
