package evaluator

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

type rule struct {
	guideline *guideline.Guideline
	fields    guideline.Fields
	paths     []*pattern.Glob
	allowed   []*pattern.Tool
	denied    []*pattern.Tool
	asked     []*pattern.Tool
}

// Compile prepares guidelines for evaluation and reports all errors in them together. Disabled guidelines are kept for
// explanations only. After the call, the caller must not change the slices and maps of the guidelines.
func Compile(guidelines []guideline.Guideline) (*Set, error) {
	var errs []error
	seen := make(map[string]bool, len(guidelines))
	owned := append([]guideline.Guideline(nil), guidelines...)
	rules := make([]*rule, len(owned))
	for i := range owned {
		g := &owned[i]
		if seen[g.ID] {
			errs = append(errs, invalid{of: g.ID, what: "the id is used twice in the set; rename one of the two"})
		}
		seen[g.ID] = true
		r, err := compileRule(g)
		errs = append(errs, err...)
		rules[i] = r
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return newSet(rules), nil
}

// newSet sorts the rules and returns a set of them. It sorts pointers and not values, because hooks link the code that
// sorts pointers anyway.
func newSet(rules []*rule) *Set {
	slices.SortStableFunc(rules, func(a, b *rule) int { return compareGuidelines(a.guideline, b.guideline) })
	s := &Set{rules: make([]rule, len(rules))}
	for number, r := range rules {
		s.rules[number] = *r
	}
	if len(rules) > smallSet {
		s.index = newIndex(s.rules)
	}
	return s
}

func compareGuidelines(a, b *guideline.Guideline) int {
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.ID, b.ID))
}

func compileRule(g *guideline.Guideline) (*rule, []error) {
	c := compiler{id: g.ID}
	r := &rule{guideline: g, fields: fieldsSet(&g.Condition)}
	r.paths = compileEach(&c, "condition.paths", g.Condition.Paths, pattern.CompileGlob)
	r.allowed = compileEach(&c, "action.tools_allowed", g.Action.ToolsAllowed, pattern.CompileTool)
	r.denied = compileEach(&c, "action.tools_denied", g.Action.ToolsDenied, pattern.CompileTool)
	r.asked = compileEach(&c, "action.tools_asked", g.Action.ToolsAsked, pattern.CompileTool)
	return r, c.errs
}

type compiler struct {
	id   string
	errs []error
}

func compileEach[T any](c *compiler, field string, patterns []string, compile func(string) (*T, error)) []*T {
	if len(patterns) == 0 {
		return nil
	}
	out := make([]*T, len(patterns))
	for i, text := range patterns {
		compiled, err := compile(text)
		if err != nil {
			c.errs = append(c.errs, invalid{of: c.id, what: field + "[" + strconv.Itoa(i) + "]: " + err.Error(), cause: err})
		}
		out[i] = compiled
	}
	return out
}

type invalid struct {
	of, what string
	cause    error
}

func (e invalid) Error() string { return "guideline " + strconv.Quote(e.of) + ": " + e.what }

func (e invalid) Unwrap() error { return e.cause }
