package evaluator

import (
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// Explanation says whether each guideline of a set matches a query, and why.
type Explanation struct {
	Guidelines []Explained `json:"guidelines"`
}

// Explained says whether one guideline matches, and why.
type Explained struct {
	ID       string  `json:"id"`
	Priority int     `json:"priority"`
	Outcome  Outcome `json:"outcome"`
	// DecidedBy is the first field of the condition that does not match.
	DecidedBy string           `json:"decided_by,omitempty"`
	Fields    []ExplainedField `json:"fields"`
	// The field "Overridden" lists the parts of the guideline that have no effect because another guideline overrides
	// them.
	Overridden []Override `json:"overridden,omitempty"`
}

// ExplainedField says whether one field of a condition matches, and why.
type ExplainedField struct {
	Field   string   `json:"field"`
	Outcome Outcome  `json:"outcome"`
	Wanted  []string `json:"wanted"`
	// The field "Got" is the value in the context. It is nil if the field is absent or unknown.
	Got any `json:"got,omitempty"`
	// The field "Hit" is the value or pattern that matched.
	Hit string `json:"hit,omitempty"`
}

// Outcome says whether a guideline, or one field of its condition, matches.
type Outcome string

// The outcomes. Only guidelines have the outcomes Residual, Disabled and OtherTenant. Only fields have the outcomes
// Absent and Unknown.
const (
	Matched     Outcome = "matched"
	NotMatched  Outcome = "not_matched"
	Residual    Outcome = "residual"
	Disabled    Outcome = "disabled"
	OtherTenant Outcome = "other_tenant"
	Absent      Outcome = "absent"
	Unknown     Outcome = "unknown"
)

// Explain says, for each guideline of the set, whether the guideline matches the query, and why. It also says which
// parts of the guideline are overridden by other guidelines.
func (s *Set) Explain(q *Query) *Explanation {
	p := newProbe(q)
	matches := s.Match(q, nil)
	r := resolve(matches)
	out := &Explanation{Guidelines: make([]Explained, len(s.rules))}
	for i := range s.rules {
		e := s.rules[i].explain(&p)
		if e.Outcome == Matched {
			e.Overridden = r.overrides(&s.rules[i])
		}
		out.Guidelines[i] = e
	}
	return out
}

func (r *rule) explain(p *probe) Explained {
	g := r.guideline
	e := Explained{ID: g.ID, Priority: g.Priority, Outcome: Matched, Fields: []ExplainedField{}}
	for _, f := range conditionFields() {
		if !r.fields.Has(f.bit) {
			continue
		}
		field := ExplainedField{Field: f.name, Wanted: f.wanted(&g.Condition)}
		field.Got, field.Hit, field.Outcome = r.explainField(p, f.bit, field.Wanted)
		e.Fields = append(e.Fields, field)
		e.add(&field)
	}
	switch {
	case !g.Enabled:
		e.Outcome, e.DecidedBy = Disabled, ""
	case g.TenantID != "" && g.TenantID != p.query.TenantID:
		e.Outcome, e.DecidedBy = OtherTenant, ""
	}
	return e
}

// add() updates the guideline's outcome with the outcome of one field. If a field does not match, the guideline does
// not match, even if other fields are unknown.
func (e *Explained) add(f *ExplainedField) {
	switch {
	case e.Outcome == NotMatched || f.Outcome == Matched:
	case f.Outcome == Unknown:
		e.Outcome = Residual
	default:
		e.Outcome, e.DecidedBy = NotMatched, f.Field
	}
}

func (r *rule) explainField(p *probe, field guideline.Fields, wanted []string) (got any, hit string, outcome Outcome) {
	if p.query.Unknown.Has(field) || r.unknown(p.query).Has(field) && r.matchesCustom(p.query) {
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
	names := p.query.shownPaths()
	if len(names) == 0 {
		return nil, ""
	}
	if glob := p.firstMatch(r.paths); glob != nil {
		hit = glob.String()
	}
	return names, hit
}

// shownPaths returns the paths to show for a query: the names of its Places or, if Places is nil, the context's
// paths.
func (q *Query) shownPaths() []string {
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

// customHit names the values that a custom condition and the metadata have in common. It returns "" if they have no
// common value for one of the keys.
func customHit(custom, metadata map[string]any) string {
	var hits []string
	for _, key := range document.SortedKeys(custom) {
		hit := ""
		if !guideline.CustomMatches(map[string]any{key: custom[key]}, metadata) {
			return ""
		}
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
