// Package evaluator answers which guidelines hold for a task context and what they say together. A set of guidelines is
// compiled once and asked many times; asking reads no file and no clock and gives the same answer for the same question.
//
// Start with Compile; Set.Evaluate gives the whole answer, Set.Match only the guidelines that hold, Set.Explain why each
// guideline of the set does or does not.
package evaluator

import (
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// Set is a compiled guideline set, safe for use by several goroutines at once.
type Set struct {
	// rules stand in order: the highest priority first, and then by id.
	rules []rule
	// index is nil where there are few rules.
	index *index
}

// Query is a task context, with what the caller does not know about it yet.
type Query struct {
	guideline.Context
	// Unknown names fields that may have any value; a value given for one of them is ignored.
	Unknown guideline.Fields
	// Places, when not nil, are what a tool call touches and stand in for the context's paths.
	Places []pattern.Path
}

// Match is one guideline that holds for a query, or that may hold when Residual is not empty.
type Match struct {
	Guideline *guideline.Guideline
	Allowed   []*pattern.Tool
	Denied    []*pattern.Tool
	// Matched are the condition's fields that are set and matched.
	Matched guideline.Fields
	// Residual are the condition's fields that are set and whose value in the context is unknown.
	Residual guideline.Fields
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
	query := givenBy(q)
	if s.index == nil {
		for i := range s.rules {
			into = s.rules[i].appendMatch(into, &p, &query)
		}
		return into
	}
	lists := s.index.candidates(&query)
	for number, ok := lists.next(); ok; number, ok = lists.next() {
		into = s.rules[number].appendMatch(into, &p, &query)
	}
	return into
}

func (r *rule) appendMatch(into []Match, p *probe, query *[columns]given) []Match {
	if !accepts(r.guideline, query) || !r.restHolds(p) {
		return into
	}
	unknown := p.query.Unknown
	return append(into, Match{
		Guideline: r.guideline,
		Allowed:   r.allowed,
		Denied:    r.denied,
		Matched:   r.fields &^ unknown,
		Residual:  r.fields & unknown,
	})
}

// restHolds reports whether the known fields that are not columns match.
func (r *rule) restHolds(p *probe) bool {
	known := r.fields &^ p.query.Unknown
	if known.Has(guideline.FieldPaths) && p.hit(r.paths) == nil {
		return false
	}
	return !known.Has(guideline.FieldMetadata) || guideline.CustomMatches(r.guideline.Condition.Custom, p.query.Metadata)
}
