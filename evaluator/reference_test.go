package evaluator_test

import (
	"path"
	"slices"
	"strings"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// reference evaluates one guideline after the other, in the way that the documentation describes. It has no index and
// compiles nothing. It is slow, but easy to check by reading.
type reference struct {
	query *evaluator.Query
	// The field "listed" contains the guidelines that match or may match, the highest priority first.
	listed []listed
}

type listed struct {
	guideline.Guideline
	matched, residual guideline.Fields
}

func newReference(guidelines []guideline.Guideline, q *evaluator.Query) *reference {
	r := &reference{query: q}
	for _, g := range guidelines {
		if g.Enabled && (g.TenantID == "" || g.TenantID == q.TenantID) {
			r.consider(g)
		}
	}
	slices.SortFunc(r.listed, func(a, b listed) int {
		if a.Priority != b.Priority {
			return b.Priority - a.Priority
		}
		return strings.Compare(a.ID, b.ID)
	})
	return r
}

func (r *reference) consider(g guideline.Guideline) {
	l := listed{Guideline: g}
	for field, answer := range r.answers(&g.Condition) {
		switch {
		case !answer.set:
		case r.query.Unknown.Has(field):
			l.residual |= field
		case !answer.holds:
			return
		default:
			l.matched |= field
		}
	}
	r.listed = append(r.listed, l)
}

type answer struct{ set, holds bool }

func (r *reference) answers(c *guideline.Condition) map[guideline.Fields]answer {
	q := r.query
	text := func(wanted []string, value string) answer {
		return answer{len(wanted) > 0, value != "" && slices.Contains(wanted, value)}
	}
	return map[guideline.Fields]answer{
		guideline.FieldAgent:    text(c.Agents, q.Agent),
		guideline.FieldDomain:   text(c.Domains, q.Domain),
		guideline.FieldAction:   text(c.Actions, q.Action),
		guideline.FieldEvent:    text(c.Events, q.Event),
		guideline.FieldGateType: text(c.GateTypes, q.GateType),
		guideline.FieldPaths:    {len(c.Paths) > 0, r.anyPath(c.Paths)},
		guideline.FieldMetadata: {len(c.Custom) > 0, guideline.CustomMatches(c.Custom, q.Metadata)},
	}
}

func (r *reference) anyPath(patterns []string) bool {
	for _, text := range patterns {
		glob, err := pattern.CompileGlob(text)
		if err != nil {
			panic(err)
		}
		for _, place := range r.query.Places {
			if glob.MatchPath(place) {
				return true
			}
		}
		if r.query.Places != nil {
			continue
		}
		for _, p := range r.query.Paths {
			if referencePath(&p) && glob.Match(p) {
				return true
			}
		}
	}
	return false
}

// referencePath resolves ".." in a path. It returns false if no pattern can match the result.
func referencePath(p *string) bool {
	if slices.Contains(strings.Split(*p, "/"), "..") {
		rooted := pattern.IsRooted(*p)
		*p = path.Clean(*p)
		if *p == ".." || strings.HasPrefix(*p, "../") || strings.HasPrefix(*p, "~/..") || rooted && !pattern.IsRooted(*p) {
			return false
		}
	}
	return *p != ""
}

// inForce returns the guidelines that match for certain. It leaves out guidelines that only may match.
func (r *reference) inForce() []listed {
	return slices.DeleteFunc(slices.Clone(r.listed), func(l listed) bool { return l.residual != 0 })
}

func (r *reference) denied() []string {
	out := []string{}
	for _, l := range r.inForce() {
		for _, p := range l.Action.ToolsDenied {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

func (r *reference) allowed(denied []string) []string {
	out := []string{}
	for _, l := range r.inForce() {
		for _, p := range l.Action.ToolsAllowed {
			if l.Priority == r.highestAllowing(p) && !slices.Contains(denied, p) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// highestAllowing returns the highest priority among the guidelines whose allow lists restrict the given pattern.
func (r *reference) highestAllowing(pattern string) int {
	highest := -1
	for _, l := range r.inForce() {
		for _, p := range l.Action.ToolsAllowed {
			if toolOf(p) == toolOf(pattern) && !hasPath(pattern) || hasPath(p) && isWriter(p) && isWriter(pattern) {
				highest = max(highest, l.Priority)
			}
		}
	}
	return highest
}

// hasPath reports whether a pattern has a path and its tool writes files. A path applies to all tools that write.
func hasPath(pattern string) bool { return isWriter(pattern) && strings.HasSuffix(pattern, ")") }

func isWriter(pattern string) bool { return toolOf(pattern) == "Write" || toolOf(pattern) == "Edit" }

func toolOf(pattern string) string {
	name, _, _ := strings.Cut(pattern, "(")
	switch name {
	case "MultiEdit", "NotebookEdit":
		return "Edit"
	case "Task":
		return "Agent"
	}
	return name
}

func (r *reference) asked() []string {
	out := []string{}
	for _, l := range r.inForce() {
		for _, p := range l.Action.ToolsAsked {
			if l.Action.GateType != "" && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

func (r *reference) gates() []evaluator.Gate {
	out := []evaluator.Gate{}
	for _, l := range r.inForce() {
		kind := l.Action.GateType
		known := slices.ContainsFunc(out, func(g evaluator.Gate) bool { return g.GateType == kind })
		if kind != "" && len(l.Action.ToolsAsked) == 0 && !known {
			out = append(out, r.decidingGate(kind, l.Priority))
		}
	}
	return out
}

// decidingGate chooses between gates of one type. The guidelines of these gates have the same priority. decidingGate
// returns the first mandatory gate in the order of the guidelines' ids. If no gate is mandatory, it returns the first
// gate.
func (r *reference) decidingGate(kind string, priority int) evaluator.Gate {
	var candidates []listed
	for _, l := range r.inForce() {
		if l.Action.GateType == kind && l.Priority == priority && len(l.Action.ToolsAsked) == 0 {
			candidates = append(candidates, l)
		}
	}
	for _, l := range candidates {
		if l.Action.Threshold() == guideline.Mandatory {
			return evaluator.Gate{GateType: kind, Threshold: guideline.Mandatory, GuidelineID: l.ID}
		}
	}
	return evaluator.Gate{GateType: kind, Threshold: guideline.Advisory, GuidelineID: candidates[0].ID}
}

func (r *reference) constraints() evaluator.Constraints {
	return evaluator.Constraints{
		MaxFiles:      decide(r.inForce(), func(a *guideline.Action) *int { return a.MaxFiles }, func(x, y int) bool { return x < y }),
		RequireTests:  decide(r.inForce(), func(a *guideline.Action) *bool { return a.RequireTests }, func(x, y bool) bool { return x && !y }),
		RequireReview: decide(r.inForce(), func(a *guideline.Action) *bool { return a.RequireReview }, func(x, y bool) bool { return x && !y }),
	}
}

// decide() returns one of the values that the guidelines set. Only guidelines that set a value count, and of these only
// the guidelines with the highest priority. If the values of these guidelines differ, decide() returns the strictest
// value.
func decide[T any](list []listed, value func(*guideline.Action) *T, stricter func(x, y T) bool) *T {
	var best *T
	highest := -1
	for _, l := range list {
		if v := value(&l.Action); v != nil && l.Priority > highest {
			highest, best = l.Priority, v
		}
	}
	for _, l := range list {
		if v := value(&l.Action); v != nil && l.Priority == highest && stricter(*v, *best) {
			best = v
		}
	}
	return best
}
