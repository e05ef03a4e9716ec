package evaluator

import (
	"strconv"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// Override is a part of a guideline that has no effect because another guideline overrides it.
type Override struct {
	What   string `json:"what"`
	By     string `json:"by"`
	Reason string `json:"reason"`
}

// overrides() lists the parts of a matching guideline that other guidelines override.
func (r *resolution) overrides(rule *rule) []Override {
	var out []Override
	for _, p := range rule.allowed {
		if o := r.allowOverride(rule.guideline, p); o != nil {
			out = append(out, *o)
		}
	}
	if o := r.gateOverride(rule.guideline); o != nil {
		out = append(out, *o)
	}
	a := &rule.guideline.Action
	out = appendSetting(out, "max_files", rule.guideline, a.MaxFiles, r.maxFiles)
	out = appendSetting(out, "require_tests", rule.guideline, a.RequireTests, r.requireTests)
	return appendSetting(out, "require_review", rule.guideline, a.RequireReview, r.requireReview)
}

func (r *resolution) allowOverride(g *guideline.Guideline, p *pattern.Tool) *Override {
	what := "tools_allowed: " + p.String()
	if list, by := r.allower(p); by.Priority > g.Priority {
		return &Override{what, by.ID, "its allow list for " + list + " is " + above(by, g)}
	}
	for _, d := range r.deniers {
		if denies(d.pattern, p) {
			return &Override{what, d.by.ID, "it denies " + d.pattern.String() + ", and a denial always wins"}
		}
	}
	return nil
}

// denies() reports whether a denied pattern covers everything that an allowed pattern allows. A denied "*" does not
// count, because it denies only tools that are on no allow list.
func denies(denied, allowed *pattern.Tool) bool {
	if denied.String() == allowed.String() {
		return true
	}
	return denied.Spec == pattern.NoSpec && !denied.Everything() && denied.MatchTool(allowed.Name)
}

func (r *resolution) gateOverride(g *guideline.Guideline) *Override {
	by := r.gateBy[g.Action.GateType]
	if by == nil || by == g || len(g.Action.ToolsAsked) > 0 {
		return nil
	}
	what := "gate: " + g.Action.GateType
	threshold := by.Action.Threshold()
	switch {
	case by.Priority > g.Priority:
		return &Override{what, by.ID, "it requires this gate (" + string(threshold) + ") " + above(by, g)}
	case threshold != g.Action.Threshold():
		return &Override{what, by.ID, "at the same priority, a mandatory gate wins over an advisory one"}
	default:
		return &Override{what, by.ID, "it requires the same gate at the same priority, and its id comes first"}
	}
}

func above(by, g *guideline.Guideline) string {
	return "at priority " + strconv.Itoa(by.Priority) + ", above " + strconv.Itoa(g.Priority)
}

func appendSetting[T comparable](out []Override, name string, g *guideline.Guideline, value *T, decided setting[T]) []Override {
	if value == nil || *value == *decided.value {
		return out
	}
	reason := "it sets " + guideline.Show(*decided.value) + " " + above(decided.by, g)
	if decided.by.Priority == g.Priority {
		reason = "it sets the stricter value " + guideline.Show(*decided.value) + " at the same priority"
	}
	return append(out, Override{"constraint: " + name, decided.by.ID, reason})
}
