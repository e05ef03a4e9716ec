package evaluator

import (
	"slices"

	"guardrails/guideline"
)

// few is how many guidelines are looked at one by one: for a process that asks once or twice, which a hook is, making an
// index of them would take longer than it saves.
const few = wordSize

// marks is a set of guidelines' numbers.
type marks []uint64

func (m marks) add(number int) { m[number/wordSize] |= 1 << (number % wordSize) }

// candidates are the guidelines that fit a query's text fields and tenant.
func (s *Set) candidates(q *Query, found marks) marks {
	if s.index != nil {
		s.index.find(q, found)
		return found
	}
	given := textsOf(&q.Context)
	for number := range s.rules {
		if g := s.rules[number].guideline; g.Enabled && suits(g, &given, q.Unknown) {
			found.add(number)
		}
	}
	return found
}

func suits(g *guideline.Guideline, given *texts, unknown guideline.Fields) bool {
	for i, values := range textConditions(g) {
		if len(values) > 0 && !unknown.Has(textField(i)) && (given[i] == "" || !slices.Contains(values, given[i])) {
			return false
		}
	}
	return true
}
