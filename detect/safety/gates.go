package safety

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"guardrails/detect/advice"
)

// Gate is one of the six checks of an answer.
type Gate string

// The gates, in the order in which they run. InputCheck is the name of the check of messages.
const (
	InputCheck              Gate = "InputCheck"
	ValuesBoundary          Gate = "ValuesBoundary"
	SocialRisk              Gate = "SocialRisk"
	InactionGuard           Gate = "InactionGuard"
	OverclaimGate           Gate = "OverclaimGate"
	EmotionalDependenceGate Gate = "EmotionalDependenceGate"
	DissentGate             Gate = "DissentGate"
)

// Gates returns the gates of answers, in the order in which they run.
func Gates() []Gate {
	return []Gate{ValuesBoundary, SocialRisk, InactionGuard, OverclaimGate, EmotionalDependenceGate, DissentGate}
}

// Verdict returns what the gate decides if it triggers.
func (g Gate) Verdict() Action {
	switch g {
	case ValuesBoundary:
		return Block
	case SocialRisk, InactionGuard:
		return Hold
	case OverclaimGate, EmotionalDependenceGate:
		return Flag
	}
	return Proceed
}

// threshold() returns the lowest score at which the gate triggers.
func (g Gate) threshold() float64 {
	switch g.Verdict() {
	case Block:
		return blockAt
	case Hold:
		return holdAt
	}
	return flagAt
}

// The categories of the gates.
const (
	TherapeuticClaim      Category = "therapeutic_claim"
	MedicalPrescription   Category = "medical_prescription"
	LegalOpinion          Category = "legal_advice"
	FinancialOpinion      Category = "financial_advice"
	SelfHarmEncouragement Category = "self_harm_encouragement"
	ThirdPartyPII         Category = "third_party_pii"
	ToneMismatch          Category = "tone_mismatch"
	FrequencyPressure     Category = "frequency_pressure"
	PowerDynamics         Category = "power_dynamics"
	ShortResponse         Category = "short_response"
	ExcessiveHedging      Category = "excessive_hedging"
	RefusalToEngage       Category = "refusal_to_engage"
	Guarantee             Category = "guarantee"
	Certainty             Category = "certainty"
	OutcomePrediction     Category = "outcome_prediction"
	PermanencePromise     Category = "permanence_promise"
	ExclusiveAvailability Category = "exclusive_availability"
	IdentityMerging       Category = "identity_merging"
)

// Categories returns the categories of the gate.
func (g Gate) Categories() []Category {
	switch g {
	case InputCheck:
		return Categories()
	case ValuesBoundary:
		return []Category{
			SelfHarmEncouragement, ThirdPartyPII, MedicalPrescription, TherapeuticClaim, LegalOpinion, FinancialOpinion,
		}
	case SocialRisk:
		return []Category{ToneMismatch, FrequencyPressure, PowerDynamics}
	case InactionGuard:
		return []Category{ShortResponse, ExcessiveHedging, RefusalToEngage}
	case OverclaimGate:
		return []Category{Guarantee, Certainty, OutcomePrediction}
	case EmotionalDependenceGate:
		return []Category{PermanencePromise, ExclusiveAvailability, IdentityMerging}
	}
	return nil
}

// AnswerOptions are the options of Answer. With the zero value, Answer runs all gates except DissentGate.
type AnswerOptions struct {
	// UserMessage is the message that the answer is for. It is empty if the message is unknown.
	UserMessage string
	// If UserMessage is empty, Turn has the known facts about the message. Turn may be nil.
	Turn *Turn
	// ToolsRan is set if tools ran before the answer. A short answer is then normal.
	ToolsRan bool
	// OffGates and OffCategories list the gates and categories that are switched off.
	OffGates      []Gate
	OffCategories []Category
	// ObservedGates lists gates whose decision counts only if no other gate decides on Hold or Block.
	ObservedGates []Gate
	// PII maps the name of a category of personal data to its treatment. A category that is not in the map is masked,
	// except for ip, which stays as it is.
	PII map[string]Treatment
	// Dissent switches DissentGate on. Tenant and MessageID determine the noise that DissentGate adds to its score.
	Dissent           bool
	Tenant, MessageID string
}

// Output is what Answer found in an answer.
type Output struct {
	Action    Action  `json:"action"`
	RiskScore float64 `json:"risk_score"`
	// Flags are the categories of all gates that triggered. The categories of the gate that decided on HOLD or BLOCK come
	// first.
	Flags []Category `json:"flags"`
	// Gate is the gate that made the decision. If several gates made the same decision, the field names the first of these
	// gates. The field is empty if no gate triggered.
	Gate  Gate         `json:"gate,omitempty"`
	Gates []GateResult `json:"gates"`
	// Masked is the answer with markers in place of personal data, and PIIScrub has the markers. If the action is BLOCK, a
	// caller delivers the text of Fallback instead of Masked.
	Masked   string  `json:"masked"`
	PIIScrub []Scrub `json:"pii_scrub"`
	// PII has the categories of personal data in the answer, masked or not.
	PII []string `json:"pii"`
	// DependenceTrip is set if EmotionalDependenceGate triggered. Cooldown counts such answers.
	DependenceTrip bool `json:"dependence_trip"`
}

// GateResult is what one gate decided.
type GateResult struct {
	Gate       Gate       `json:"gate"`
	Verdict    Action     `json:"verdict"`
	Score      float64    `json:"score"`
	Categories []Category `json:"categories"`
	Matched    []Match    `json:"matched"`
	// Noise is what DissentGate added to the score. It is nil if DissentGate is off.
	Noise *float64 `json:"noise,omitempty"`
}

// Answer runs the gates over an answer, in order. After a HOLD or BLOCK, it runs no further gate. But if an observed
// gate decided on the HOLD or BLOCK, the gates that are not observed still run. The parameter o may be nil.
func Answer(response string, o *AnswerOptions) *Output {
	if o == nil {
		o = &AnswerOptions{}
	}
	r := newReply(response, o)
	out := &Output{Action: Proceed, Flags: []Category{}, Gates: []GateResult{}, PII: r.personal()}
	isObserved := func(gate Gate) bool { return slices.Contains(o.ObservedGates, gate) }
	ended := false
	for _, gate := range Gates() {
		if slices.Contains(o.OffGates, gate) || gate == DissentGate && !o.Dissent || ended && isObserved(gate) {
			continue
		}
		result := r.run(gate)
		r.maskMatches(result.Matched)
		out.add(&result)
		if rank(result.Verdict) < rank(Hold) {
			continue
		}
		if ended = true; !isObserved(gate) {
			break
		}
	}
	out.decide(func(gate Gate) bool { return !isObserved(gate) })
	if rank(out.Action) < rank(Hold) {
		out.decide(isObserved)
	}
	out.setFlags()
	out.Masked, out.PIIScrub = r.masked()
	return out
}

func (out *Output) add(result *GateResult) {
	out.Gates = append(out.Gates, *result)
	out.RiskScore = max(out.RiskScore, result.Score)
	out.DependenceTrip = out.DependenceTrip || result.Gate == EmotionalDependenceGate && result.Verdict == Flag
}

// decide() sets the action to the strictest verdict of the gates for which decides() returns true.
func (out *Output) decide(decides func(Gate) bool) {
	for i := range out.Gates {
		if g := &out.Gates[i]; decides(g.Gate) && rank(g.Verdict) > rank(out.Action) {
			out.Action, out.Gate = g.Verdict, g.Gate
		}
	}
}

// setFlags sets the flags to the categories of the gates that triggered.
func (out *Output) setFlags() {
	for i := range out.Gates {
		switch g := &out.Gates[i]; {
		case g.Verdict == Proceed:
		case g.Gate == out.Gate && rank(out.Action) >= rank(Hold):
			out.Flags = append(slices.Clone(g.Categories), out.Flags...)
		default:
			out.Flags = append(out.Flags, g.Categories...)
		}
	}
}

// run() runs one gate.
func (r *reply) run(gate Gate) GateResult {
	result := GateResult{Gate: gate, Verdict: Proceed, Categories: []Category{}, Matched: []Match{}}
	if r.options.Dissent && (gate == SocialRisk || gate == InactionGuard || gate == DissentGate) {
		noise := noiseOf(r.options.Tenant, r.options.MessageID)
		result.Noise = &noise
	}
	rest := 1.0
	for _, c := range gate.Categories() {
		if slices.Contains(r.options.OffCategories, c) {
			continue
		}
		score, matched := r.category(c)
		if score == 0 {
			continue
		}
		rest *= 1 - score
		if result.withNoise(score) >= gate.threshold() {
			result.Categories = append(result.Categories, c)
		}
		result.Matched = append(result.Matched, matched...)
	}
	if result.Score = advice.Round(1 - rest); gate != DissentGate {
		result.Score = result.withNoise(result.Score)
	}
	if len(result.Categories) > 0 && result.Score >= gate.threshold() {
		result.Verdict = gate.Verdict()
	}
	return result
}

// withNoise adds the noise of DissentGate to a score. The noise can raise a score above the threshold or lower it below
// the threshold.
func (g *GateResult) withNoise(score float64) float64 {
	if g.Noise == nil {
		return advice.Round(score)
	}
	return advice.Round(min(max(score+*g.Noise, 0), 1))
}

// noiseOf returns the noise for a message: a number between -0.05 and 0.05. The number is always the same for the same
// message of a tenant.
func noiseOf(tenant, message string) float64 {
	const most = 0.05
	sum := sha256.Sum256([]byte(tenant + "\x00" + message))
	return advice.Round(2*most*(float64(binary.BigEndian.Uint64(sum[:]))/(1<<64)) - most)
}
