package screening

import (
	"slices"
	"strings"

	"guardrails/detect/pii"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/policy"
)

// Answer is the part of the answer that both tools have in common.
type Answer struct {
	ID string `json:"id"`
	// Mode says what hooks would do with the verdict: off, observe or enforce. Check does not set Mode. The caller of
	// Check sets Mode afterwards, because the mode depends on the gate or rule that decided.
	Mode     string   `json:"mode"`
	Safety   Safety   `json:"safety"`
	Analysis Analysis `json:"analysis"`
	Intents  []string `json:"intents"`
	// Referral says where a person can find help. It is absent if the message may pass.
	Referral string   `json:"referral,omitempty"`
	Policy   Policies `json:"policy"`
	// Notices say what is wrong with the setup, for example that the policy file has a mistake.
	Notices []string `json:"notices,omitempty"`

	// The field "decisions" has, for each flag of a message, the verdict that this flag alone would cause. The field
	// "isByRule" is set if a policy wants a verdict that is at least as strict as the verdict of the gate.
	decisions []string
	isByRule  bool
	// The field "personal" lists the kinds of personal data in a response. It leaves out data that the user wrote in
	// the message.
	personal []string
}

// Deciding is a method that returns certain categories of a message. Each of them would by itself cause a verdict at
// least as strict as the verdict of the message. If a policy wants this verdict, Deciding returns no categories.
func (a *Answer) Deciding() (out []string) {
	if a.isByRule {
		return nil
	}
	for i, verdict := range a.decisions {
		if rank(verdict) >= rank(a.Safety.Action) {
			out = append(out, a.Safety.Flags[i])
		}
	}
	return out
}

func rank(verdict string) int {
	return slices.Index([]string{policy.Proceed, policy.Hold, policy.Block}, verdict)
}

// IsByRule reports whether a policy wants a verdict that is at least as strict as the verdict of the gate. Then the
// policy decided.
func (a *Answer) IsByRule() bool { return a.isByRule }

// IsSetByRule reports whether a policy decided, or made the verdict milder. It returns false for a rule that was not
// allowed to make the verdict milder.
func (a *Answer) IsSetByRule() bool {
	o := a.Analysis.Override
	return a.isByRule || o != nil && o.Kind == byPolicy && o.From != o.To
}

// IsRecorded reports whether the audit must keep the check, because something was found or a policy applied.
func (a *Answer) IsRecorded() bool {
	return len(a.Safety.Flags) > 0 || len(a.Policy.Matched) > 0 || len(a.personal) > 0
}

// Why is a method that returns one line. This line says what decided the verdict: the gate with its categories, or the
// rules of the policy. The line also has the patterns that were found. If nothing decided, it has the kinds of personal
// data. The line has no part of the text.
func (a *Answer) Why() string {
	decided, by := "policy", slices.Concat(a.Safety.Flags, a.Policy.Matched)
	switch {
	case a.isByRule:
		by = []string{a.Analysis.Override.Name}
	case a.Safety.Gate != nil:
		decided, by = *a.Safety.Gate, a.causes()
	case len(by) == 0:
		decided, by = "personal data", a.personal
	}
	text := decided + ": " + strings.Join(by, ", ")
	var patterns []string
	for _, m := range a.Analysis.Matched {
		if !slices.Contains(patterns, m.Pattern) && slices.Contains(by, string(m.Category)) {
			patterns = append(patterns, m.Pattern)
		}
	}
	if len(patterns) == 0 {
		return text
	}
	return text + " (" + strings.Join(patterns, ", ") + ")"
}

// causes() returns the flags that decided the verdict: the flags that Deciding returns or, if there are none, the flags
// of the gate.
func (a *Answer) causes() []string {
	if deciding := a.Deciding(); len(deciding) > 0 {
		return deciding
	}
	of := document.Texts(safety.Gate(*a.Safety.Gate).Categories())
	return slices.DeleteFunc(slices.Clone(a.Safety.Flags), func(flag string) bool { return !slices.Contains(of, flag) })
}

// Details has additional facts that the audit keeps about a check.
type Details struct {
	RiskScore float64   `json:"risk_score"`
	Mode      string    `json:"mode"`
	Gate      string    `json:"gate,omitempty"`
	Flags     []string  `json:"flags,omitempty"`
	Override  *Override `json:"override,omitempty"`
	// PII lists the kinds of personal data in a response, masked or not.
	PII []string `json:"pii,omitempty"`
	// Length is the length of the text in characters.
	Length   int      `json:"length"`
	Policies []string `json:"policies,omitempty"`
	// The field "Events" lists the events that policies fired. The field "Fired" lists the same events, each with the rule
	// that caused it.
	Events []string       `json:"events,omitempty"`
	Fired  []policy.Fired `json:"fired,omitempty"`
	// User is a keyed hash of the user's name.
	User string `json:"user,omitempty"`
	// Preview is the beginning of the text, with secrets and personal data masked. It is kept only if the settings ask
	// for it.
	Preview string `json:"preview,omitempty"`
}

// Details returns the details that the audit keeps about the answer.
func (a *Answer) Details() Details {
	gate := ""
	if a.Safety.Gate != nil {
		gate = *a.Safety.Gate
	}
	return Details{
		Gate: gate, Flags: a.Safety.Flags, PII: a.personal,
		RiskScore: a.Safety.RiskScore, Mode: a.Mode, Override: a.Analysis.Override, Policies: a.Policy.Matched,
		Events: a.Policy.Events, Fired: a.Policy.fired,
	}
}

// Masked is a function that returns a text with personal data of all kinds masked.
func Masked(text string) string { return pii.Mask(text, pii.Default) }

// Safety is the verdict.
type Safety struct {
	Action    string   `json:"action"`
	RiskScore float64  `json:"risk_score"`
	Flags     []string `json:"flags"`
	// Gate is the gate that decided, or nil.
	Gate *string `json:"gate"`
}

// Analysis says how the verdict was found.
type Analysis struct {
	Matched    []safety.Match `json:"safety_matched"`
	Override   *Override      `json:"safety_override"`
	Confidence string         `json:"safety_confidence"`
}

// Override says why the verdict differs from the verdict that follows from the matches alone.
type Override struct {
	// Kind is "benign_context" or "policy".
	Kind string `json:"kind"`
	Name string `json:"name"`
	// The field "From" is the decision before the change, and To is the decision after it. Both can also be FLAG.
	From string `json:"from"`
	To   string `json:"to"`
}

// byPolicy is the kind of an Override that a policy caused.
const byPolicy = "policy"

// Policies says which policies applied, and what they did.
type Policies struct {
	Matched     []string            `json:"matched"`
	Events      []string            `json:"events"`
	Suppressed  []string            `json:"suppressed"`
	Annotations []policy.Annotation `json:"annotations"`
	StoppedBy   *string             `json:"stopped_by"`

	fired []policy.Fired
}

// The constant "heuristic" is the confidence of a verdict that is based on words.
const heuristic = "heuristic"

// Setup has everything that a check depends on, except the input.
type Setup struct {
	// ID identifies the check.
	ID string
	// The field "Off" lists the categories and gates that are switched off. The field Observed lists the categories and
	// gates in the mode "observe". A category or gate in this mode decides only if no other category or gate holds or
	// blocks the text.
	Off, Observed []string
	// PII says what happens to kinds of personal data in responses: mask, flag or off.
	PII map[string]string
	// If Dissent is set, the gate DissentGate is switched on. This gate adds a small number (noise) to its score. The
	// noise depends on Tenant, among other things.
	Dissent  bool
	Tenant   string
	Policies *policy.Set
	Send     policy.Sender
}

// verdictOf returns the name that the tools use for a decision. A flag becomes policy.Proceed, because a flagged text
// may pass.
func verdictOf(a safety.Action) string {
	if a == safety.Flag {
		return policy.Proceed
	}
	return string(a)
}

// newAnswer returns the answer to a check, without the changes that policies will make. The parameter "gate" is
// empty if no gate decided.
func newAnswer(s *Setup, action safety.Action, score float64, flags []safety.Category, gate safety.Gate) Answer {
	a := Answer{
		ID: s.ID, Safety: Safety{Action: verdictOf(action), RiskScore: score, Flags: document.Texts(flags)},
		Analysis: Analysis{Matched: []safety.Match{}, Confidence: heuristic},
		Policy:   Policies{Matched: []string{}, Events: []string{}, Suppressed: []string{}, Annotations: []policy.Annotation{}},
	}
	if gate != "" {
		name := string(gate)
		a.Safety.Gate = &name
	}
	return a
}

// apply() lets the policies change the verdict. The argument "complete" is a function that adds the facts about the
// text to the caller's facts.
func (a *Answer) apply(s *Setup, facts policy.Facts, complete func(*policy.Facts)) {
	if s.Policies.Rules() == 0 {
		return
	}
	complete(&facts)
	facts.Decision, facts.Flags, facts.RiskScore = a.Safety.Action, a.Safety.Flags, &a.Safety.RiskScore
	if a.Safety.Gate != nil {
		facts.Gate = *a.Safety.Gate
	}
	result := s.Policies.Run(&facts, s.Send)
	a.Policy = Policies{result.Matched, result.Events, result.Suppressed, result.Annotations, result.StoppedBy, result.Fired}
	a.Safety.Action = result.Action
	if o := result.Override; o != nil && (o.From != policy.Proceed || o.To != policy.Proceed) {
		a.Analysis.Override = &Override{byPolicy, o.Rule, o.From, o.To}
		a.isByRule = !o.Kept && rank(o.To) >= rank(o.From)
	}
}
