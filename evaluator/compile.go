package evaluator

import (
	"cmp"
	"errors"
	"strconv"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
	"guardrails/internal/document"
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
	owned := append([]guideline.Guideline(nil), guidelines...)
	shared := make([]*guideline.Guideline, len(owned))
	for i := range owned {
		shared[i] = &owned[i]
	}
	return CompileShared(shared)
}

// CompileShared is like Compile, but makes no copy of the guidelines. After the call, the caller must not change these
// guidelines.
func CompileShared(guidelines []*guideline.Guideline) (*Set, error) {
	var errs []error
	seen := make(map[string]bool, len(guidelines))
	rules := make([]*rule, len(guidelines))
	known := compiled{globs: map[string]*pattern.Glob{}, tools: map[string]*pattern.Tool{}}
	for i, g := range guidelines {
		if seen[g.ID] {
			errs = append(errs, invalid{of: g.ID, what: "the id is used twice in the set; rename one of the two guidelines"})
		}
		seen[g.ID] = true
		r, err := compileRule(g, &known)
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
	document.Sort(rules, func(a, b *rule) int { return compareGuidelines(a.guideline, b.guideline) })
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

// The type "compiled" has the patterns of a set. Guidelines with the same pattern share the compiled pattern.
type compiled struct {
	globs map[string]*pattern.Glob
	tools map[string]*pattern.Tool
}

func compileRule(g *guideline.Guideline, known *compiled) (*rule, []error) {
	c := compiler{id: g.ID}
	r := &rule{guideline: g, fields: fieldsSet(&g.Condition)}
	r.paths = compileEach(&c, "condition.paths", g.Condition.Paths, known.globs, pattern.CompileGlob)
	r.allowed = compileEach(&c, "action.tools_allowed", g.Action.ToolsAllowed, known.tools, pattern.CompileTool)
	r.denied = compileEach(&c, "action.tools_denied", g.Action.ToolsDenied, known.tools, pattern.CompileTool)
	r.asked = compileEach(&c, "action.tools_asked", g.Action.ToolsAsked, known.tools, pattern.CompileTool)
	return r, c.errs
}

type compiler struct {
	id   string
	errs []error
}

func compileEach[T any](
	c *compiler, field string, patterns []string, known map[string]*T, compile func(string) (*T, error),
) []*T {
	if len(patterns) == 0 {
		return nil
	}
	out := make([]*T, len(patterns))
	for i, text := range patterns {
		if out[i] = known[text]; out[i] != nil {
			continue
		}
		compiled, err := compile(text)
		if err != nil {
			c.errs = append(c.errs, invalid{of: c.id, what: field + "[" + strconv.Itoa(i) + "]: " + err.Error(), cause: err})
		}
		out[i], known[text] = compiled, compiled
	}
	return out
}

type invalid struct {
	of, what string
	cause    error
}

func (e invalid) Error() string { return "guideline " + strconv.Quote(e.of) + ": " + e.what }

func (e invalid) Unwrap() error { return e.cause }
