package policy

import (
	"time"

	"guardrails/internal/document"
)

// DecodeTrial reads an object with the field "facts" and, optionally, the field "rules". Without rules, the set is nil.
func DecodeTrial(file string, n *document.Node) (*Facts, *Set, document.Problems) {
	d := &document.Decoder{File: file}
	var facts *Facts
	var set *Set
	d.Object(n, "", []document.Spec{
		{Name: "facts", Required: true, Read: func(n *document.Node, path string) {
			var wrong document.Problems
			facts, wrong = DecodeFacts(file, n, path)
			d.Problems = append(d.Problems, wrong...)
		}},
		{Name: "rules", Read: func(n *document.Node, _ string) {
			var wrong document.Problems
			set, wrong = DecodeRules(file, n)
			d.Problems = append(d.Problems, wrong...)
		}},
	})
	return facts, set, d.Problems
}

// Try applies the rules to facts, and fires no event.
func (s *Set) Try(facts *Facts) *Traced {
	var cooldowns Cooldowns
	return s.Trace(facts, cooldowns.Sender("", "", time.Time{}, true))
}
