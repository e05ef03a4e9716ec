// Package evaluator finds the guidelines that match a task context and combines their actions. A set of guidelines is
// compiled once and evaluated many times. Evaluation reads no files and no clock, so the same query always has the same
// result.
//
// Start with Compile. Set.Evaluate returns the combined result. Set.Match returns only the matching guidelines.
// Set.Explain says why each guideline matches or does not match.
package evaluator

import (
	"slices"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// Set is a compiled set of guidelines. It is safe for concurrent use.
type Set struct {
	// The field "rules" is sorted by descending priority, then by id.
	rules []rule
	// The field "index" is nil for a small set.
	index *index
}

// Query is a task context and the set of its fields that are still unknown.
type Query struct {
	guideline.Context
	// The field "Unknown" contains the fields that may have any value. The values in the context do not count for these
	// fields.
	Unknown guideline.Fields
	// OpenFacts is set if the facts of the call, such as the branch, are not known yet. A fact that the metadata states
	// counts as known.
	OpenFacts bool
	// Places are the paths that a tool call touches. If Places is not nil, it replaces the context's paths.
	Places []pattern.Path
	// The field "Looked" counts the guidelines that Match has checked for this query.
	Looked int
}

// Match is a guideline that matches a query, or that may match it if Residual is not empty.
type Match struct {
	Guideline *guideline.Guideline
	Allowed   []*pattern.Tool
	Denied    []*pattern.Tool
	Asked     []*pattern.Tool
	// The field "Matched" contains the fields of the condition that match.
	Matched guideline.Fields
	// Residual contains the fields of the condition that are unknown in the query.
	Residual guideline.Fields
}

// Guidelines returns all guidelines of the set, including disabled ones, sorted by descending priority and then by id.
func (s *Set) Guidelines() []guideline.Guideline {
	out := make([]guideline.Guideline, len(s.rules))
	for i := range s.rules {
		out[i] = *s.rules[i].guideline
	}
	return out
}

// NamesEvent reports whether an enabled guideline has one of the events in its condition.
func (s *Set) NamesEvent(events ...string) bool {
	return s.Any(func(g *guideline.Guideline) bool {
		return slices.ContainsFunc(events, func(event string) bool { return slices.Contains(g.Condition.Events, event) })
	})
}

// Any reports whether the function has() returns true for at least one enabled guideline.
func (s *Set) Any(has func(g *guideline.Guideline) bool) bool {
	for i := range s.rules {
		if g := s.rules[i].guideline; g.Enabled && has(g) {
			return true
		}
	}
	return false
}

// Match appends its results to the slice in the parameter "into", and returns the slice. The results are the guidelines
// that match or may match, sorted by descending priority and then by id.
func (s *Set) Match(q *Query, into []Match) []Match {
	p := newProbe(q)
	query := givenBy(q)
	if s.index == nil {
		q.Looked += len(s.rules)
		for i := range s.rules {
			into = s.rules[i].appendMatch(into, &p, &query)
		}
		return into
	}
	lists := s.index.candidates(&query)
	for number, ok := lists.next(); ok; number, ok = lists.next() {
		q.Looked++
		into = s.rules[number].appendMatch(into, &p, &query)
	}
	return into
}

func (r *rule) appendMatch(into []Match, p *probe, query *[columns]given) []Match {
	if !accepts(r.guideline, query) || !r.matchesRest(p) {
		return into
	}
	unknown := r.unknown(p.query)
	return append(into, Match{
		Guideline: r.guideline,
		Allowed:   r.allowed,
		Denied:    r.denied,
		Asked:     r.asked,
		Matched:   r.fields &^ unknown,
		Residual:  r.fields & unknown,
	})
}

// matchesRest reports whether the paths and the metadata match. The index does not cover these fields. Unknown fields
// are ignored.
func (r *rule) matchesRest(p *probe) bool {
	known := r.fields &^ p.query.Unknown
	if known.Has(guideline.FieldPaths) && p.firstMatch(r.paths) == nil {
		return false
	}
	return !known.Has(guideline.FieldMetadata) || r.matchesCustom(p.query)
}

// matchesCustom reports whether the query's metadata matches the condition. If the facts of the call, such as the
// branch, are not known yet, it reports whether the metadata may match.
func (r *rule) matchesCustom(q *Query) bool {
	custom := r.guideline.Condition.Custom
	if q.OpenFacts {
		return guideline.CustomMayMatch(custom, q.Metadata)
	}
	return guideline.CustomMatches(custom, q.Metadata)
}

// unknown() returns the query's unknown fields. The result includes the metadata if the rule depends on a fact of the
// call, such as the branch, that is not known yet.
func (r *rule) unknown(q *Query) guideline.Fields {
	custom := r.guideline.Condition.Custom
	if q.OpenFacts && len(custom) > 0 && guideline.HasOpenFact(custom, q.Metadata) {
		return q.Unknown | guideline.FieldMetadata
	}
	return q.Unknown
}

// NamesFact reports whether an enabled guideline has a fact of the call, such as the branch, in its condition.
func (s *Set) NamesFact() bool {
	return s.Any(func(g *guideline.Guideline) bool {
		return len(g.Condition.Custom) > 0 && guideline.HasOpenFact(g.Condition.Custom, nil)
	})
}
