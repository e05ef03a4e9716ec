package policy

// Facts contains the facts that rules can use in their conditions. A fact that is nil is absent.
type Facts struct {
	Message          *string  `json:"message,omitempty"`
	Mood             *float64 `json:"mood,omitempty"`
	Trust            *float64 `json:"trust,omitempty"`
	InteractionCount *float64 `json:"interaction_count,omitempty"`
	RiskScore        *float64 `json:"risk_score,omitempty"`
	// SinceLastSeen is in seconds.
	SinceLastSeen    *float64 `json:"since_last_seen,omitempty"`
	DetectedEmotions []string `json:"detected_emotions,omitempty"`
	Flags            []string `json:"flags,omitempty"`
	PII              []string `json:"pii,omitempty"`
	// Stage is "input" or "output".
	Stage    string   `json:"stage,omitempty"`
	Decision string   `json:"decision,omitempty"`
	Gate     string   `json:"gate,omitempty"`
	Tags     []string `json:"tags,omitempty"`
}

// The fields that the condition of a rule (its field "when") can have.
const (
	fieldAll      = "all"
	fieldAny      = "any"
	fieldNot      = "not"
	fieldContains = "message_contains"
	fieldMatches  = "message_matches"
	fieldMood     = "mood"
	fieldTrust    = "trust"
	fieldCount    = "interaction_count"
	fieldScore    = "risk_score"
	fieldSince    = "since_last_seen"
	fieldEmotions = "detected_emotions_include"
	fieldFlag     = "flag"
	fieldPII      = "pii"
	fieldStage    = "stage"
	fieldDecision = "decision"
	fieldGate     = "gate"
	fieldTag      = "tag"
)

// The stages at which a text is checked.
const (
	StageInput  = "input"
	StageOutput = "output"
)

// Stages returns all stages.
func Stages() []string { return []string{StageInput, StageOutput} }

func (f *Facts) number(field string) *float64 {
	switch field {
	case fieldMood:
		return f.Mood
	case fieldTrust:
		return f.Trust
	case fieldCount:
		return f.InteractionCount
	case fieldScore:
		return f.RiskScore
	}
	return f.SinceLastSeen
}

// names() returns the names of a fact, and whether the fact is known.
func (m *moment) names(field string) ([]string, bool) {
	switch field {
	case fieldEmotions:
		return m.facts.DetectedEmotions, m.facts.DetectedEmotions != nil
	case fieldFlag:
		return m.facts.Flags, m.facts.Flags != nil
	case fieldPII:
		return m.facts.PII, m.facts.PII != nil
	case fieldStage:
		return []string{m.facts.Stage}, m.facts.Stage != ""
	case fieldDecision:
		return []string{m.facts.Decision}, m.facts.Decision != ""
	case fieldGate:
		return []string{m.facts.Gate}, m.facts.Gate != ""
	}
	return m.tags, true
}
