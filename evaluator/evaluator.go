// Package evaluator answers which guidelines hold for a task context and what they say together. A set of guidelines is
// compiled once and asked many times; asking reads no file and no clock and gives the same answer for the same question.
//
// Start with Compile; Set.Evaluate gives the whole answer, Set.Match only the guidelines that hold, Set.Explain why each
// guideline of the set does or does not.
package evaluator

import (
	"slices"

	"guardrails/guideline"
)

// Set is a compiled guideline set, safe for use by several goroutines at once.
type Set struct {
	rules []rule
	index *index
}

// Query is a task context, with what the caller does not know about it yet.
type Query struct {
	guideline.Context
	// Unknown names fields that may have any value; a value given for one of them is ignored.
	Unknown guideline.Fields
	// Places, when not nil, are what a tool call touches and stand in for the context's paths.
	Places []guideline.Path
}

// Match is one guideline that holds for a query, or that may hold when Residual is not empty.
type Match struct {
	Guideline *guideline.Guideline
	Allowed   []*guideline.ToolPattern
	Denied    []*guideline.ToolPattern
	// Matched are the condition's fields that are set and matched.
	Matched guideline.Fields
	// Residual are the condition's fields that are set and whose value in the context is unknown.
	Residual guideline.Fields
	// number is the guideline's place in the set.
	number int
}

// Guidelines lists the set, disabled guidelines included, highest priority first and then by id.
func (s *Set) Guidelines() []guideline.Guideline {
	out := make([]guideline.Guideline, len(s.rules))
	for i := range s.rules {
		out[i] = *s.rules[i].guideline
	}
	return out
}

// Match appends the guidelines that hold or may hold to into, highest priority first and then by id.
func (s *Set) Match(q *Query, into []Match) []Match {
	p := newProbe(q)
	before := len(into)
	for number := range s.index.candidates(q) {
		if r := &s.rules[number]; r.restHolds(&p) {
			into = append(into, r.match(number, q.Unknown))
		}
	}
	slices.SortFunc(into[before:], func(a, b Match) int { return a.number - b.number })
	return into
}

// restHolds checks the fields that the index does not know.
func (r *rule) restHolds(p *probe) bool {
	open := r.fields &^ p.query.Unknown
	if open.Has(guideline.FieldPaths) && p.hit(r.paths) == nil {
		return false
	}
	return !open.Has(guideline.FieldMetadata) || guideline.CustomMatches(r.guideline.Condition.Custom, p.query.Metadata)
}

func (r *rule) match(number int, unknown guideline.Fields) Match {
	return Match{
		Guideline: r.guideline,
		Allowed:   r.allowed,
		Denied:    r.denied,
		Matched:   r.fields &^ unknown,
		Residual:  r.fields & unknown,
		number:    number,
	}
}

// sortRules puts the highest priority first; the id decides between equals.
func sortRules(rules []rule) {
	slices.SortFunc(rules, func(a, b rule) int { return compareGuidelines(a.guideline, b.guideline) })
}
