package screening

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"guardrails/detect/advice"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/policy"
	"guardrails/service/outputguard"
)

// Response is the input of check_response.
type Response struct {
	Common
	Text string
	// UserMessage is the message that the response is for, or "". MessageID is the caller's id of the response,
	// or "".
	UserMessage, MessageID string
	// If UserMessage is empty, Turn has the known facts about the message. Turn may be nil.
	Turn *safety.Turn
	// Intents lists the intents of the message. If Intents is nil, Check finds the intents in UserMessage.
	Intents []string
	// WithoutGates is set if only the output guard checks the response, and the gates and policies do not.
	WithoutGates bool
	// ToolsUsed is set if tools ran before the response.
	ToolsUsed bool
}

// DecodeResponse reads an input from JSON. The error has the type advice.Problems.
func DecodeResponse(raw []byte) (Response, error) {
	var in Response
	err := advice.Read(raw, func(r *advice.Reader) []advice.Field {
		return append([]advice.Field{
			{Name: "response", Required: true, Read: func(n *document.Node, path string) {
				in.Text = r.Text(n, path, 1, safety.MaxText)
			}},
			{Name: "user_message", Read: func(n *document.Node, path string) {
				in.UserMessage = r.Text(n, path, 1, safety.MaxText)
			}},
			{Name: "intents", Read: func(n *document.Node, path string) {
				in.Intents = []string{}
				r.List(n, path, maxNames, func(n *document.Node, path string) {
					in.Intents = append(in.Intents, r.Choice(n, path, document.Texts(safety.AllIntents())...))
				})
			}},
			{Name: "tools_used", Read: func(n *document.Node, path string) { in.ToolsUsed = r.Bool(n, path) }},
			{Name: "message_id", Read: func(n *document.Node, path string) { in.MessageID = r.Text(n, path, 1, maxUser) }},
		}, in.fields(r)...)
	}, nil)
	return in, err
}

// ResponseAnswer is the answer of check_response.
type ResponseAnswer struct {
	Answer
	// Gates has the gates that ran, in order.
	Gates []safety.GateResult `json:"gates"`
	// PIIScrub says which personal data was masked.
	PIIScrub []safety.Scrub `json:"pii_scrub"`
	// Response is the text to deliver: the response with personal data masked, or another text if the response is blocked.
	Response string `json:"response"`
	// Dependence says whether the responses have too often encouraged the user to depend on the model. If they have,
	// Context has the tone that the caller should ask the model to use.
	Dependence Dependence `json:"dependence_cooldown"`
	Context    Context    `json:"context"`
	// OutputAudit says whether the response is safe for the person who wrote the message. Metadata says whether the
	// response was replaced because it is not safe.
	OutputAudit outputguard.Audit `json:"output_audit"`
	Metadata    Metadata          `json:"metadata"`
}

// Metadata says whether the output guard replaced the response.
type Metadata struct {
	Intervention bool   `json:"safety_intervention,omitempty"`
	Reason       string `json:"safety_reason,omitempty"`
}

// Audited adds the result of the output guard. If the output guard intervenes, another text is delivered.
func (a *ResponseAnswer) Audited(audit outputguard.Audit) {
	a.OutputAudit = audit
	if audit.Intervened {
		a.Response, a.PIIScrub = audit.Grounding(), []safety.Scrub{}
		a.Metadata = Metadata{Intervention: true, Reason: audit.Reason}
	}
}

// HasPersonalData reports whether the response has personal data that the user did not write in the message.
func (a *ResponseAnswer) HasPersonalData() bool { return len(a.personal) > 0 }

// Dependence is the state of the cooldown of a user.
type Dependence struct {
	Active       bool `json:"active"`
	RecentCount  int  `json:"recent_count"`
	DelaySeconds int  `json:"delay_seconds,omitempty"`
}

// Context has instructions that the caller should pass to its model.
type Context struct {
	Tone string `json:"tone_dependence_modifier,omitempty"`
}

// Check checks a response. It calls the function trip() with an argument that says whether the response encourages the
// user to depend on the model. trip() returns the state of the cooldown.
func (in *Response) Check(s *Setup, trip func(bool) safety.Dependence) *ResponseAnswer {
	found := safety.Answer(in.Text, in.options(s))
	a := &ResponseAnswer{
		Answer:      newAnswer(s, found.Action, found.RiskScore, found.Flags, found.Gate),
		Gates:       found.Gates,
		OutputAudit: outputguard.Audit{Risks: []string{}, IsSafe: true},
	}
	a.Intents, a.personal = in.intents(), found.PII
	for i := range found.Gates {
		a.Analysis.Matched = append(a.Analysis.Matched, found.Gates[i].Matched...)
	}
	a.apply(s, in.Facts, func(facts *policy.Facts) {
		facts.Message, facts.Stage, facts.PII = &in.Text, policy.StageOutput, found.PII
	})
	a.deliver(found)
	a.depend(trip(found.DependenceTrip))
	return a
}

// deliver() sets the text to deliver. The text depends on the verdict that is left after the policies have run.
func (a *ResponseAnswer) deliver(found *safety.Output) {
	switch {
	case a.Safety.Action != policy.Block:
		a.Response, a.PIIScrub = found.Masked, found.PIIScrub
	case found.Action == safety.Block:
		a.Response, a.PIIScrub = safety.Fallback(found.Flags[0]), []safety.Scrub{}
	default:
		a.Response, a.PIIScrub = BlockedByPolicy, []safety.Scrub{}
	}
}

// BlockedByPolicy is delivered in place of a response that only a policy blocks.
const BlockedByPolicy = "The people who run this service have a rule against this answer. Ask them, or ask in another way."

func (in *Response) options(s *Setup) *safety.AnswerOptions {
	o := &safety.AnswerOptions{
		UserMessage: in.UserMessage, Turn: in.Turn, ToolsRan: in.ToolsUsed, Dissent: s.Dissent, Tenant: s.Tenant,
		MessageID: cmp.Or(in.MessageID, hashOf(in.Text)), PII: map[string]safety.Treatment{},
	}
	for _, gate := range safety.Gates() {
		if slices.Contains(s.Off, string(gate)) {
			o.OffGates = append(o.OffGates, gate)
		}
		if slices.Contains(s.Observed, string(gate)) {
			o.ObservedGates = append(o.ObservedGates, gate)
		}
	}
	for name, treatment := range s.PII {
		o.PII[name] = safety.Treatment(treatment)
	}
	return o
}

// hashOf returns a hash of an answer. It stands for the id of an answer without an id. Otherwise, all such answers would
// have the same noise.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (in *Response) intents() []string {
	if in.Intents != nil {
		return in.Intents
	}
	return document.Texts(safety.Intents(in.UserMessage))
}

func (a *ResponseAnswer) depend(d safety.Dependence) {
	a.Dependence = Dependence{Active: d.Active, RecentCount: d.RecentCount}
	if d.Active {
		a.Dependence.DelaySeconds = int(safety.CooldownDelay / time.Second)
		a.Context.Tone = safety.ToneBoundary
	}
}
