package guidelinefiles

import (
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
)

// Decode reads a list of guidelines from a server or a snapshot. If one guideline is invalid, Decode returns an error
// and no guidelines.
func Decode(list *document.Node, path, origin string) ([]rules.Source, error) {
	d := &document.Decoder{}
	seen := map[string]bool{}
	var out []rules.Source
	for i, item := range list.Items {
		at := document.Index(path, i)
		g := guideline.Decode(d, item, at)
		if seen[g.ID] && g.ID != "" {
			d.Report(item, document.Join(at, "id"), document.Excerpt(g.ID)+" is used twice", "give one of them another id")
		}
		seen[g.ID] = true
		out = append(out, rules.Source{Guideline: g, Origin: rules.Origin{File: origin}})
	}
	if len(d.Problems) > 0 {
		p := d.Problems[0]
		p.Line = 0
		return nil, p
	}
	return out, nil
}
