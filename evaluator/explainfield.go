package evaluator

import (
	"maps"
	"slices"
	"strings"

	"guardrails/guideline"
)

func (r *rule) explainField(p *probe, field guideline.Fields, wanted []string) (got any, hit string, outcome Outcome) {
	if p.query.Unknown.Has(field) {
		return nil, "", Unknown
	}
	switch field {
	case guideline.FieldPaths:
		got, hit = r.explainPaths(p)
	case guideline.FieldMetadata:
		got, hit = r.explainCustom(p)
	default:
		got, hit = explainText(&p.query.Context, field, wanted)
	}
	switch {
	case got == nil:
		return nil, "", Absent
	case hit == "":
		return got, "", NotMatched
	default:
		return got, hit, Matched
	}
}

func explainText(c *guideline.Context, field guideline.Fields, wanted []string) (got any, hit string) {
	value := map[guideline.Fields]string{
		guideline.FieldAgent: c.Agent, guideline.FieldDomain: c.Domain, guideline.FieldAction: c.Action,
		guideline.FieldEvent: c.Event, guideline.FieldGateType: c.GateType,
	}[field]
	if value == "" {
		return nil, ""
	}
	if slices.Contains(wanted, value) {
		hit = value
	}
	return value, hit
}

func (r *rule) explainPaths(p *probe) (got any, hit string) {
	names := p.query.names()
	if len(names) == 0 {
		return nil, ""
	}
	if glob := p.hit(r.paths); glob != nil {
		hit = glob.String()
	}
	return names, hit
}

// names lists the paths or places of a query.
func (q *Query) names() []string {
	if q.Places == nil {
		return slices.DeleteFunc(slices.Clone(q.Paths), func(name string) bool { return name == "" })
	}
	var names []string
	for _, place := range q.Places {
		names = append(names, place.Name)
	}
	return names
}

func (r *rule) explainCustom(p *probe) (got any, hit string) {
	custom := r.guideline.Condition.Custom
	given := map[string]any{}
	for key := range custom {
		if value, ok := p.query.Metadata[key]; ok {
			given[key] = value
		}
	}
	if len(given) == 0 {
		return nil, ""
	}
	return given, customHit(custom, given)
}

// customHit says which values of a custom condition the metadata has, or nothing when one of its keys does not match.
func customHit(custom, metadata map[string]any) string {
	var hits []string
	for _, key := range slices.Sorted(maps.Keys(custom)) {
		hit := ""
		for _, value := range alternatives(custom[key]) {
			if guideline.CustomMatches(map[string]any{key: []any{value}}, metadata) {
				hit = key + " is " + guideline.Show(value)
				break
			}
		}
		if hit == "" {
			return ""
		}
		hits = append(hits, hit)
	}
	return strings.Join(hits, "; ")
}
