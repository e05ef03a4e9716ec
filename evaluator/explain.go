package evaluator

// Explanation says of every guideline of a set why it holds for a query or does not.
type Explanation struct {
	Guidelines []Explained `json:"guidelines"`
}

// Explained is one guideline of a set, seen from a query.
type Explained struct {
	ID       string  `json:"id"`
	Priority int     `json:"priority"`
	Outcome  Outcome `json:"outcome"`
	// DecidedBy is the first condition field that made a guideline not match.
	DecidedBy string           `json:"decided_by,omitempty"`
	Fields    []ExplainedField `json:"fields"`
	// Overridden is what the guideline says in vain, because others have the last word.
	Overridden []Override `json:"overridden,omitempty"`
}

// ExplainedField is one condition field that a guideline sets.
type ExplainedField struct {
	Field   string   `json:"field"`
	Outcome Outcome  `json:"outcome"`
	Wanted  []string `json:"wanted"`
	// Got is the context's value; nil when it is absent or unknown.
	Got any `json:"got,omitempty"`
	// Hit is the value or pattern that matched.
	Hit string `json:"hit,omitempty"`
}

// Outcome is what came of a guideline or of one field of its condition.
type Outcome string

// The outcomes. Residual, disabled and other_tenant are said of guidelines, absent and unknown of fields.
const (
	Matched     Outcome = "matched"
	NotMatched  Outcome = "not_matched"
	Residual    Outcome = "residual"
	Disabled    Outcome = "disabled"
	OtherTenant Outcome = "other_tenant"
	Absent      Outcome = "absent"
	Unknown     Outcome = "unknown"
)

// Explain says why each guideline of the set holds for the query or does not, and what overrode what it says.
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
		e.take(&field)
	}
	switch {
	case !g.Enabled:
		e.Outcome, e.DecidedBy = Disabled, ""
	case g.TenantID != "" && g.TenantID != p.query.TenantID:
		e.Outcome, e.DecidedBy = OtherTenant, ""
	}
	return e
}

// take lets a field's outcome count for the guideline: one that did not match outweighs one that is unknown.
func (e *Explained) take(f *ExplainedField) {
	switch {
	case e.Outcome == NotMatched || f.Outcome == Matched:
	case f.Outcome == Unknown:
		e.Outcome = Residual
	default:
		e.Outcome, e.DecidedBy = NotMatched, f.Field
	}
}
