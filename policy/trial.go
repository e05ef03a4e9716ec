package policy

import (
	"time"

	"guardrails/internal/document"
)

// ParseTrial does the same as DecodeTrial, but for YAML text and without a limit on regular expressions.
func ParseTrial(file string, text []byte, yaml YAML) (*Facts, *Set, document.Problems) {
	tree, problems := oneTree(file, text, yaml, `the field "facts"`)
	if tree == nil {
		return nil, nil, problems
	}
	facts, set, wrong := DecodeTrial(file, tree, 0)
	return facts, set, joined(problems, wrong)
}

// DecodeTrial reads an object with the field "facts" and, optionally, the field "rules". Without rules, the set is nil.
// The parameter "limit" is the maximum total size of all regular expressions, or 0 for no limit. With a limit on
// regular expressions, the work of the trial is limited, too (see mostWork).
func DecodeTrial(file string, n *document.Node, limit int) (*Facts, *Set, document.Problems) {
	d := &document.Decoder{File: file}
	var facts *Facts
	var set *Set
	size := 0
	d.Object(n, "", []document.Spec{
		{Name: "facts", Required: true, Read: func(n *document.Node, path string) {
			var wrong document.Problems
			facts, wrong = DecodeFacts(file, n, path)
			d.Problems = append(d.Problems, wrong...)
		}},
		{Name: "rules", Read: func(n *document.Node, _ string) {
			var wrong document.Problems
			set, size, wrong = decodeRules(file, n, limit)
			d.Problems = append(d.Problems, wrong...)
		}},
	})
	if limit > 0 && set != nil {
		d.Problems = append(d.Problems, tooMuchWork(file, size, facts)...)
	}
	return facts, set, d.Problems
}

// Try applies the rules to facts, and fires no event.
func (s *Set) Try(facts *Facts) *Traced {
	var cooldowns Cooldowns
	return s.Trace(facts, cooldowns.Sender("", "", time.Time{}, true))
}
