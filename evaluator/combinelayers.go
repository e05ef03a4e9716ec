package evaluator

import (
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// Part contains the guidelines of one layer and the query for them. The query contains the layer's own context.
type Part struct {
	Set   *Set
	Query *Query
}

// EvaluateAll evaluates each layer on its own and combines the results. A layer can only make the combined result
// stricter. If one layer denies a tool, the tool is denied. If one layer asks about a tool or requires a gate, the
// combined result also asks about the tool or requires the gate. A tool is allowed if the allow lists of all layers
// allow it. Of two gates or limits, the stricter one applies.
func EvaluateAll(parts []Part) *Result {
	if len(parts) == 1 {
		return parts[0].Set.Evaluate(parts[0].Query)
	}
	out := &Result{
		Success: true, ToolsAllowed: []string{}, ToolsDenied: []string{}, ToolsAsked: []string{},
		GatesRequired: []Gate{},
	}
	found := matchEach(parts)
	matches := merged(found)
	out.Count, out.MatchedCount, out.Guidelines = len(matches), len(matches), applied(matches)
	out.CombinedInstruction, out.Omitted = combine(matches)
	var lists []*resolution
	for _, own := range found {
		r := resolve(own)
		lists = append(lists, r)
		out.ToolsDenied = appendNew(out.ToolsDenied, r.denied)
		out.ToolsAsked = appendNew(out.ToolsAsked, r.asked)
		for _, gate := range r.gates() {
			out.require(gate)
		}
		out.Constraints.tighten(r.constraints())
	}
	out.allowIn(lists)
	return out
}

// MatchAll returns, from all layers, the guidelines that match or may match, sorted by descending priority. Among
// guidelines with the same priority, the guidelines of an earlier layer come first.
func MatchAll(parts []Part) []Match {
	if len(parts) == 1 {
		return parts[0].Set.Match(parts[0].Query, nil)
	}
	return merged(matchEach(parts))
}

func matchEach(parts []Part) [][]Match {
	out := make([][]Match, len(parts))
	for i, p := range parts {
		out[i] = p.Set.Match(p.Query, nil)
	}
	return out
}

func merged(found [][]Match) []Match {
	known := map[*guideline.Guideline]bool{}
	out := slices.DeleteFunc(slices.Concat(found...), func(m Match) bool {
		before := known[m.Guideline]
		known[m.Guideline] = true
		return before
	})
	slices.SortStableFunc(out, func(a, b Match) int { return b.Guideline.Priority - a.Guideline.Priority })
	return out
}

// ExplainAll explains each layer on its own. The guidelines of an earlier layer come first.
func ExplainAll(parts []Part) *Explanation {
	out := &Explanation{Guidelines: []Explained{}}
	for _, p := range parts {
		out.Guidelines = append(out.Guidelines, p.Set.Explain(p.Query).Guidelines...)
	}
	return out
}

func appendNew(list, more []string) []string {
	for _, text := range more {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// require() adds a gate to the result. If there is already a gate of the same type, the result keeps only one of the
// two gates, and it prefers a mandatory gate.
func (r *Result) require(gate Gate) {
	for i := range r.GatesRequired {
		have := &r.GatesRequired[i]
		if have.GateType != gate.GateType {
			continue
		}
		if have.Threshold != guideline.Mandatory && gate.Threshold == guideline.Mandatory {
			*have = gate
		}
		return
	}
	r.GatesRequired = append(r.GatesRequired, gate)
}

func (c *Constraints) tighten(other Constraints) {
	if other.MaxFiles != nil && (c.MaxFiles == nil || *other.MaxFiles < *c.MaxFiles) {
		c.MaxFiles = other.MaxFiles
	}
	for _, v := range []struct{ into, from **bool }{
		{&c.RequireTests, &other.RequireTests}, {&c.RequireReview, &other.RequireReview},
	} {
		if *v.from != nil && (*v.into == nil || **v.from) {
			*v.into = *v.from
		}
	}
}

// allowIn adds to r.ToolsAllowed each pattern that all layers allow. It ignores layers without an allow list for the
// tools of the pattern. If several layers have such a list, but no pattern remains, allowIn denies the tools.
func (r *Result) allowIn(layers []*resolution) {
	restrict := map[string]int{}
	for _, layer := range layers {
		for key := range layer.allowBy {
			restrict[key]++
		}
	}
	left := map[string]bool{}
	for i, layer := range layers {
		for _, p := range patterns(layer.allowed) {
			key := allowKey(p)
			if allowedByOthers(p, key, layers, i) && !slices.Contains(r.ToolsDenied, p.String()) {
				left[key] = true
				r.ToolsAllowed = appendNew(r.ToolsAllowed, []string{p.String()})
			}
		}
	}
	for _, layer := range layers {
		for _, p := range patterns(layer.allowed) {
			if key := allowKey(p); !left[key] && restrict[key] > 1 {
				r.ToolsDenied = appendNew(r.ToolsDenied, []string{p.Name})
			}
		}
	}
}

// allowedByOthers reports whether the other layers allow a pattern too. It checks only layers that have an allow list
// with the same key.
func allowedByOthers(p *pattern.Tool, key string, layers []*resolution, own int) bool {
	for i, layer := range layers {
		if i == own || layer.allowBy[key] == nil {
			continue
		}
		if !slices.ContainsFunc(patterns(layer.allowed), func(other *pattern.Tool) bool {
			return allowKey(other) == key && coversAll(other, p)
		}) {
			return false
		}
	}
	return true
}

func patterns(texts []string) []*pattern.Tool {
	var out []*pattern.Tool
	for _, text := range texts {
		if p, err := pattern.CompileTool(text); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// coversAll reports whether the pattern "wide" certainly allows everything that the pattern "narrow" allows.
func coversAll(wide, narrow *pattern.Tool) bool {
	_, inside, _ := strings.Cut(strings.TrimSuffix(narrow.String(), ")"), "(")
	switch {
	case wide.String() == narrow.String():
		return true
	case wide.Spec == pattern.NoSpec:
		return wide.MatchTool(narrow.Name)
	case wide.Spec != narrow.Spec || wide.Family() != narrow.Family():
		return false
	case wide.Spec == pattern.PathSpec:
		return wide.CoversPath(pattern.Path{Name: strings.TrimPrefix(inside, "./"), Glob: true})
	case wide.Spec == pattern.CommandSpec:
		return wide.MatchCommand(inside)
	case wide.Spec == pattern.HostSpec:
		return wide.MatchHost(strings.TrimPrefix(inside, "domain:"))
	}
	return wide.Name == narrow.Name && wide.MatchName(inside)
}
