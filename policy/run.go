package policy

import (
	"slices"
	"time"
)

// Result is what a set of rules does with a verdict.
type Result struct {
	// Action is the verdict after all rules.
	Action string `json:"action"`
	// Matched are the names of the rules that applied.
	Matched []string `json:"matched"`
	// Events are the events that were fired. Suppressed are the events that were not fired, because their cooldown is
	// not over.
	Events      []string     `json:"events"`
	Suppressed  []string     `json:"suppressed"`
	Annotations []Annotation `json:"annotations"`
	Override    *Override    `json:"override"`
	// The field "Fired" contains the events that were fired, each with its rule.
	Fired []Fired `json:"-"`
	// StoppedBy is the name of the rule whose action stopped the rules after it, or nil.
	StoppedBy *string `json:"stopped_by"`
}

// Fired describes an event, and names the rule that fired it.
type Fired struct {
	Rule  string `json:"rule"`
	Event string `json:"event"`
}

// Annotation is a note that a rule added.
type Annotation struct {
	Tag    string `json:"tag"`
	Detail string `json:"detail"`
}

// Override says which rule changed the verdict. To is the new verdict. The new verdict can be stricter than the verdict
// in the rule, because rules cannot loosen every verdict.
type Override struct {
	Rule string `json:"rule"`
	From string `json:"from"`
	To   string `json:"to"`
	// The field "Kept" is set if the rule wanted a milder verdict, but was not allowed to set it.
	Kept bool `json:"-"`
}

// Sender says whether an event of a rule may be sent now. If it returns false, the cooldown of the event is not over.
type Sender func(rule, event string, cooldown time.Duration) bool

// The type "moment" is one run of the rules.
type moment struct {
	facts  *Facts
	folded *message
	tags   []string
	result *Result
	// onlyStricter is set if rules cannot make the verdict milder.
	onlyStricter bool
	// keptStrict is set if a rule wanted to loosen the verdict, but floor() allowed no milder verdict.
	keptStrict bool
	// The field "trace" has the value of each condition, if a trace is made.
	trace *[]Step
}

// value() returns the value of a condition, and adds it to the trace.
func (m *moment) value(c *placed) truth {
	if !m.traced() {
		return c.holds(m)
	}
	at := len(*m.trace)
	*m.trace = append(*m.trace, Step{Path: c.path})
	value := c.holds(m)
	(*m.trace)[at].Value = value.String()
	return value
}

func (m *moment) traced() bool { return m.trace != nil }

// Run applies the rules to facts.
func (s *Set) Run(facts *Facts, send Sender) *Result {
	m := s.newMoment(facts)
	for i := range s.all() {
		if rule := &s.rules[i]; m.applies(rule) == yes && m.act(rule, send) {
			break
		}
	}
	return m.result
}

func (s *Set) newMoment(facts *Facts) *moment {
	m := &moment{facts: facts, onlyStricter: s != nil && s.onlyStricter, tags: slices.Clone(facts.Tags), result: &Result{
		Action: facts.Decision, Matched: []string{}, Events: []string{}, Suppressed: []string{}, Annotations: []Annotation{},
	}}
	if m.result.Action == "" {
		m.result.Action = Proceed
	}
	if facts.Message != nil {
		m.folded = newMessage(*facts.Message)
	}
	return m
}

func (m *moment) applies(rule *Rule) truth {
	if rule.when == nil {
		return yes
	}
	return m.value(rule.when)
}

// act() runs the actions of a rule. It returns true if no further rule may run.
func (m *moment) act(rule *Rule, send Sender) (stopped bool) {
	m.result.Matched = append(m.result.Matched, rule.Name)
	for i := range rule.actions {
		switch a := &rule.actions[i]; a.kind {
		case OverrideSafety:
			m.override(rule.Name, a.verdict)
		case FireEvent:
			if send(rule.Name, a.event, a.cooldown) {
				m.result.Events = append(m.result.Events, a.event)
				m.result.Fired = append(m.result.Fired, Fired{rule.Name, a.event})
			} else {
				m.result.Suppressed = append(m.result.Suppressed, a.event)
			}
		case Annotate:
			m.tags = append(m.tags, a.tag)
			m.result.Annotations = append(m.result.Annotations, Annotation{a.tag, a.detail})
		case Stop:
			m.result.StoppedBy = &rule.Name
			return true
		}
	}
	return false
}

// override() changes the verdict, unless an earlier rule has already changed the verdict. If a rule wants to loosen the
// verdict but is not allowed to, override() records the attempt. A later rule can then still make the verdict stricter.
func (m *moment) override(rule, verdict string) {
	if m.result.Override != nil && !m.keptStrict {
		return
	}
	from := m.result.Action
	to := stricter(verdict, m.floor(from))
	if to == from && m.keptStrict {
		return
	}
	m.keptStrict = to == from && verdict != from
	m.result.Action = to
	m.result.Override = &Override{Rule: rule, From: from, To: to, Kept: m.keptStrict}
}

// floor() returns the mildest verdict that a rule can set. No rule loosens a verdict about minors. If a verdict about
// self-harm is Hold or Block, no rule can make it milder than Hold.
func (m *moment) floor(from string) string {
	switch {
	case m.onlyStricter, slices.Contains(m.facts.Flags, "sexual_minors"):
		return from
	case from != Proceed && slices.Contains(m.facts.Flags, "self_harm"):
		return Hold
	}
	return Proceed
}

func verdicts() []string { return []string{Proceed, Hold, Block} }

func stricter(a, b string) string {
	if slices.Index(verdicts(), a) < slices.Index(verdicts(), b) {
		return b
	}
	return a
}
