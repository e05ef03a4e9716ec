package lint

import (
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
)

// Override is a part of a guideline that has no effect where another guideline applies too.
type Override struct {
	// ID is the id of the guideline that has the part without effect. The field "By" is the id of the guideline that
	// decides instead.
	ID     string `json:"id"`
	By     string `json:"by"`
	What   string `json:"what"`
	Reason string `json:"reason"`
}

// Overrides compares a guideline with other guidelines that may apply at the same time. It returns the parts of the
// other guidelines that this guideline overrides, and the parts of this guideline that the other guidelines override.
func Overrides(g *rules.Source, others []rules.Source) ([]Override, error) {
	out := []Override{}
	own := newSubject(g)
	for i := range others {
		other := &others[i]
		if !g.Enabled || !other.Enabled || other.ID == g.ID || !own.mayApplyWith(newSubject(other)) {
			continue // of several guidelines with the same id, a project has only one
		}
		found, err := between(&g.Guideline, &other.Guideline)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// If two guidelines both apply, one guideline can override parts of the other. between() returns these parts.
func between(a, b *guideline.Guideline) ([]Override, error) {
	always := []guideline.Guideline{*a, *b}
	for i := range always {
		always[i].Condition, always[i].TenantID = guideline.Condition{}, ""
	}
	set, err := evaluator.Compile(always)
	if err != nil {
		return nil, err
	}
	var out []Override
	for _, g := range set.Explain(&evaluator.Query{}).Guidelines {
		for _, o := range g.Overridden {
			if o.By != g.ID {
				out = append(out, Override{ID: g.ID, By: o.By, What: o.What, Reason: o.Reason})
			}
		}
	}
	return out, nil
}
