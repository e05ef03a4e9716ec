package evaluator

import (
	"slices"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// The type "resolution" combines the actions of matching guidelines and records which guideline decided each part.
type resolution struct {
	allowed []string
	denied  []string
	asked   []string
	// allowBy maps the key of each allow list to the guideline that decides the list. If other guidelines have the same
	// priority, their patterns are added to the list.
	allowBy map[string]*guideline.Guideline
	deniers []denial
	// gateBy maps each gate type to the guideline that decides about it. gateTypes has the types in the order of the
	// matches.
	gateBy        map[string]*guideline.Guideline
	gateTypes     []string
	maxFiles      setting[int]
	requireTests  setting[bool]
	requireReview setting[bool]
}

type denial struct {
	pattern *pattern.Tool
	by      *guideline.Guideline
}

// resolve() combines the actions of matches, which must be sorted by priority. It ignores guidelines that only may
// match.
func resolve(matches []Match) *resolution {
	r := &resolution{
		allowed: []string{}, denied: []string{}, asked: []string{},
		allowBy: map[string]*guideline.Guideline{}, gateBy: map[string]*guideline.Guideline{},
	}
	denied := map[string]bool{}
	for i := range matches {
		if m := &matches[i]; m.Residual == 0 {
			r.deny(m, denied)
			r.gate(m.Guideline)
			r.constrain(m.Guideline)
		}
	}
	seen := denied // A pattern that is denied is not listed as allowed.
	for i := range matches {
		if m := &matches[i]; m.Residual == 0 {
			r.allow(m, seen)
		}
	}
	return r
}

func (r *resolution) deny(m *Match, seen map[string]bool) {
	for _, p := range m.Denied {
		if text := p.String(); !seen[text] {
			seen[text] = true
			r.denied = append(r.denied, text)
			r.deniers = append(r.deniers, denial{p, m.Guideline})
		}
	}
}

func (r *resolution) allow(m *Match, seen map[string]bool) {
	for _, p := range m.Allowed {
		if tool := allowKey(p); r.allowBy[tool] == nil {
			r.allowBy[tool] = m.Guideline
		}
		_, by := r.allower(p)
		if text := p.String(); by.Priority == m.Guideline.Priority && !seen[text] {
			seen[text] = true
			r.allowed = append(r.allowed, text)
		}
	}
}

// allower() returns the guideline whose allow list decides about a pattern, and the key of this list.
func (r *resolution) allower(p *pattern.Tool) (list string, by *guideline.Guideline) {
	list = allowKey(p)
	by = r.allowBy[list]
	if paths := pathKey(p); paths != "" {
		if higher := r.allowBy[paths]; higher != nil && higher.Priority > by.Priority {
			return paths, higher
		}
	}
	return list, by
}

// allowKey returns the key of the allow list that a pattern belongs to. All path patterns of tools that read share one
// list, and all path patterns of tools that write share another list. Any other pattern belongs to the list of its
// tool. MultiEdit and NotebookEdit share the list of Edit.
func allowKey(p *pattern.Tool) string {
	switch {
	case p.Spec == pattern.PathSpec:
		return pathKey(p)
	case p.Name == "MultiEdit" || p.Name == "NotebookEdit":
		return "Edit"
	}
	return p.Name
}

// pathKey takes a pattern with a path. It returns the key of the allow list for the pattern. It returns "" if the tool
// of the pattern neither reads nor writes files.
func pathKey(p *pattern.Tool) string {
	switch p.Family() {
	case pattern.ReadFamily:
		return "reading"
	case pattern.WriteFamily:
		return "writing"
	}
	return ""
}

func (r *resolution) gate(g *guideline.Guideline) {
	name := g.Action.GateType
	switch {
	case name == "":
		return
	case len(g.Action.ToolsAsked) > 0:
		r.ask(g)
		return
	}
	by := r.gateBy[name]
	if by == nil {
		r.gateTypes = append(r.gateTypes, name)
	} else if by.Priority > g.Priority || by.Action.Threshold() == guideline.Mandatory ||
		g.Action.Threshold() != guideline.Mandatory {
		return
	}
	r.gateBy[name] = g
}

// ask() adds the patterns of a guideline to r.asked. The gate of the guideline asks only about calls that match these
// patterns.
func (r *resolution) ask(g *guideline.Guideline) {
	for _, pattern := range g.Action.ToolsAsked {
		if !slices.Contains(r.asked, pattern) {
			r.asked = append(r.asked, pattern)
		}
	}
}

func (r *resolution) gates() []Gate {
	out := make([]Gate, len(r.gateTypes))
	for i, name := range r.gateTypes {
		by := r.gateBy[name]
		out[i] = Gate{GateType: name, Threshold: by.Action.Threshold(), GuidelineID: by.ID}
	}
	return out
}

func (r *resolution) constrain(g *guideline.Guideline) {
	fewer := func(value, than int) bool { return value < than }
	required := func(value, than bool) bool { return value && !than }
	r.maxFiles.offer(g.Action.MaxFiles, g, fewer)
	r.requireTests.offer(g.Action.RequireTests, g, required)
	r.requireReview.offer(g.Action.RequireReview, g, required)
}

func (r *resolution) constraints() Constraints {
	return Constraints{
		MaxFiles: r.maxFiles.value, RequireTests: r.requireTests.value,
		RequireReview: r.requireReview.value,
	}
}

// The type "setting" is the value of one constraint, and the guideline that decided it.
type setting[T any] struct {
	value *T
	by    *guideline.Guideline
}

// offer() sets the value of a constraint if there is none yet. It replaces an existing value if the new value is
// stricter and the guidelines of both values have the same priority.
func (s *setting[T]) offer(value *T, by *guideline.Guideline, stricter func(value, than T) bool) {
	if value == nil {
		return
	}
	if s.value == nil || by.Priority == s.by.Priority && stricter(*value, *s.value) {
		s.value, s.by = value, by
	}
}
