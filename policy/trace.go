package policy

// Traced is the result of a run, with the value of every condition.
type Traced struct {
	*Result
	Trace []RuleTrace `json:"trace"`
}

// RuleTrace says why a rule did or did not apply. If a rule stops the run, the rules after it have no RuleTrace.
type RuleTrace struct {
	Rule string `json:"rule"`
	// Value is "true", "false" or "unknown". The rule applied if Value is "true".
	Value      string `json:"value"`
	Conditions []Step `json:"conditions"`
}

// Step is the value of a condition.
type Step struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Trace applies the rules as Run does. It also returns the value of every condition.
func (s *Set) Trace(facts *Facts, send Sender) *Traced {
	m := s.newMoment(facts)
	out := &Traced{Result: m.result, Trace: []RuleTrace{}}
	for i := range s.all() {
		rule := &s.rules[i]
		steps := []Step{}
		m.trace = &steps
		value := m.applies(rule)
		out.Trace = append(out.Trace, RuleTrace{rule.Name, value.String(), steps})
		if value == yes && m.act(rule, send) {
			break
		}
	}
	return out
}
