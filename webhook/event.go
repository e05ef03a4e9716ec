package webhook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/store"
)

// Event is something that happened in a tenant.
type Event struct {
	// Name is the name of the event. Filters select events by this name.
	Name string
	// Body is the envelope as JSON.
	Body []byte
	// The field "source" is the audit entry that the event is about.
	source string
}

// The type "envelope" is what endpoints with the format "json" receive.
type envelope struct {
	ID     string          `json:"id"`
	Event  string          `json:"event"`
	Time   time.Time       `json:"timestamp"`
	Tenant string          `json:"tenant_id"`
	Data   json.RawMessage `json:"data"`
}

// safetyData is the data of events of the safety gate. Fields without a value are null, and lists are never null.
type safetyData struct {
	Stage     string   `json:"stage"`
	Gate      *string  `json:"gate"`
	Action    string   `json:"action"`
	RiskScore float64  `json:"risk_score"`
	Flags     []string `json:"flags"`
	// Policy has the names of the policy rules that applied.
	Policy  []string `json:"policy"`
	Session *string  `json:"session_id"`
	Agent   *string  `json:"agent"`
	Project *string  `json:"project"`
	// User is a hash of the user's name.
	User *string `json:"user"`
	// Preview is the beginning of the text, with personal data masked. It is null unless the settings ask for a preview.
	Preview *string `json:"preview"`
}

// decisionData is the data of events about tool calls and detectors.
type decisionData struct {
	Action    string  `json:"action"`
	Tool      *string `json:"tool"`
	Guideline *string `json:"guideline_id"`
	Reason    *string `json:"reason"`
	Session   *string `json:"session_id"`
	Agent     *string `json:"agent"`
	Project   *string `json:"project"`
}

// outputData is the data of events of the output guard. The fields have the same meaning as those of safetyData.
type outputData struct {
	Stage   string   `json:"stage"`
	Gate    string   `json:"gate"`
	Action  string   `json:"action"`
	Risks   []string `json:"risks"`
	Session *string  `json:"session_id"`
	Agent   *string  `json:"agent"`
	Project *string  `json:"project"`
	User    *string  `json:"user"`
	Preview *string  `json:"preview"`
}

// The type "details" has the values that events take from the metadata of an audit entry.
type details struct {
	RiskScore  float64  `json:"risk_score"`
	Mode       string   `json:"mode"`
	Gate       string   `json:"gate"`
	Flags      []string `json:"flags"`
	Policies   []string `json:"policies"`
	Events     []string `json:"events"`
	User       string   `json:"user"`
	Preview    string   `json:"preview"`
	Risks      []string `json:"risks"`
	Intervened bool     `json:"intervened"`
}

// The events and results of audit entries. Only entries with these events become events of webhooks.
const (
	entryInput    = "safety_input"
	entryOutput   = "safety_output"
	entryAudit    = "output_audit"
	entryDecision = "decision"
	entryDetector = "detector"

	// outputGuard is the name of the gate in the events of the output guard.
	outputGuard = "OutputGuard"

	stageInput  = "input"
	stageOutput = "output"

	resultUnsafe       = "unsafe"
	resultFailedClosed = "failed_closed"

	resultBlock = "block"
	resultHold  = "hold"
	resultDeny  = "deny"
	resultAsk   = "ask"
)

// Events returns the events of an audit entry. The same entry always has the same events with the same ids. If another
// computer has sent the entry, somebody who may log decisions could have made it up. So for such an entry, Events
// returns only events about denied calls and about questions to a person.
func Events(e *store.Entry) []Event {
	if e.Decision == nil || e.IsSent() && e.Event != entryDecision {
		return nil
	}
	var out []Event
	switch e.Event {
	case entryInput, entryOutput:
		d := detailsOf(e)
		for _, name := range append(safetyEvent(e, &d), d.Events...) {
			out = append(out, newEvent(name, e, newSafetyData(e, &d)))
		}
	case entryAudit:
		switch d := detailsOf(e); {
		case d.Intervened:
			out = append(out, newEvent(OutputIntervened, e, outputData{
				stageOutput, outputGuard, text(e.Decision.Result), texts(d.Risks), present(e.Session), present(agentOf(e)),
				present(e.ProjectID), present(d.User), present(d.Preview),
			}))
		case d.Mode == config.Observe && (e.Decision.Result == resultUnsafe || e.Decision.Result == resultFailedClosed):
			d.Gate, d.Flags = outputGuard, d.Risks
			data := newSafetyData(e, &d)
			data.Action = strings.ToUpper(resultBlock) // the action that the gate would have taken in the mode "enforce"
			out = append(out, newEvent(SafetyObserved, e, data))
		}
	case entryDecision:
		switch e.Decision.Result {
		case resultDeny:
			out = append(out, newEvent(DecisionDenied, e, newDecisionData(e)))
		case resultAsk:
			out = append(out, newEvent(DecisionAsked, e, newDecisionData(e)))
		}
	case entryDetector:
		out = append(out, newEvent(detectorPrefix+detectorOf(e), e, newDecisionData(e)))
	}
	return out
}

// safetyEvent returns the names of the events for a verdict of the safety gate. It returns nil if the verdict lets the
// message pass. In the mode "observe", the message passes in any case, and the event is SafetyObserved.
func safetyEvent(e *store.Entry, d *details) []string {
	switch {
	case e.Decision.Result != resultBlock && e.Decision.Result != resultHold:
		return nil
	case d.Mode == config.Observe:
		return []string{SafetyObserved}
	case e.Decision.Result == resultBlock:
		return []string{SafetyBlocked}
	}
	return []string{SafetyHold}
}

// detectorOf returns the name of the detector that an entry is about.
func detectorOf(e *store.Entry) string {
	if e.Context != nil {
		if events, _ := e.Context.Metadata["events"].([]any); len(events) == 1 {
			if name, _ := events[0].(string); name != "" && strings.Trim(name, eventCharacters) == "" {
				return name
			}
		}
	}
	return "other"
}

func detailsOf(e *store.Entry) (d details) {
	if e.Context == nil {
		return d
	}
	raw, err := json.Marshal(e.Context.Metadata["details"])
	if err == nil {
		_ = json.Unmarshal(raw, &d) // values of an unexpected type are left out of the event
	}
	return d
}

func newSafetyData(e *store.Entry, d *details) safetyData {
	stage := stageInput
	if e.Event != entryInput {
		stage = stageOutput
	}
	return safetyData{
		Stage: stage, Gate: present(d.Gate), Action: strings.ToUpper(text(e.Decision.Result)), RiskScore: d.RiskScore,
		Flags: texts(d.Flags), Policy: texts(d.Policies), Session: present(e.Session), Agent: present(agentOf(e)),
		Project: present(e.ProjectID), User: present(d.User), Preview: present(d.Preview),
	}
}

func newDecisionData(e *store.Entry) decisionData {
	return decisionData{
		Action: text(e.Decision.Result), Tool: present(e.Decision.Tool), Guideline: present(e.Guideline),
		Reason: present(e.Decision.Reason), Session: present(e.Session), Agent: present(agentOf(e)), Project: present(e.ProjectID),
	}
}

func agentOf(e *store.Entry) string {
	if e.Context == nil {
		return ""
	}
	return e.Context.Agent
}

// The limits of texts and lists keep every envelope below MaxBody.
const (
	maxText  = 500
	maxTexts = 20
	maxItem  = 100
	// MaxBody is the largest size of a body in bytes.
	MaxBody = 64 << 10
)

// text() returns the beginning of a text that can be long.
func text(s string) string { return first(s, maxText) }

// present() returns the beginning of a text, or nil if the text is empty.
func present(s string) *string {
	if s == "" {
		return nil
	}
	s = text(s)
	return &s
}

func texts(list []string) []string {
	out := slices.Clone(list[:min(len(list), maxTexts)])
	for i := range out {
		out[i] = first(out[i], maxItem)
	}
	if out == nil {
		return []string{}
	}
	return out
}

// first() returns at most n characters of a text. If the text is longer, the last of these characters is an ellipsis.
func first(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

func newEvent(name string, e *store.Entry, data any) Event {
	return Event{Name: name, source: e.ID, Body: encode(&envelope{
		ID: "evt_" + digest(e.Tenant, e.ID, name), Event: name, Time: e.Time.UTC(), Tenant: e.Tenant, Data: encode(data),
	})}
}

// NewTest returns the event of a test. The parameter id distinguishes this test from other tests.
func NewTest(tenant, id string, now time.Time) Event {
	data := map[string]string{"message": "This is a test. If you can read it, the webhook works."}
	return Event{Name: Test, source: id, Body: encode(&envelope{
		ID: "evt_" + digest(tenant, id, Test), Event: Test, Time: now.UTC().Truncate(time.Millisecond), Tenant: tenant,
		Data: encode(data),
	})}
}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // texts, numbers, times and lists of them can be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// Delivery returns the delivery of an event to an endpoint. Its id is always the same for the same event and endpoint.
func (e *Event) Delivery(endpoint string, now time.Time) store.Delivery {
	return store.Delivery{
		ID: "dlv_" + digest(endpoint, e.source, e.Name), Endpoint: endpoint, Event: e.Name, State: store.DeliveryPending,
		Created: now.UTC().Truncate(time.Millisecond), Due: now.UTC().Truncate(time.Millisecond), Body: string(e.Body),
		Tries: []store.Try{},
	}
}

// Replay returns a delivery that repeats another delivery. The parameter id distinguishes this repetition from other
// repetitions.
func Replay(d *store.Delivery, id string, now time.Time) store.Delivery {
	e := Event{d.Event, []byte(d.Body), d.ID + " " + id}
	again := e.Delivery(d.Endpoint, now)
	again.ReplayOf = d.ID
	return again
}

func digest(parts ...string) string {
	sum := sha256.Sum256(encode(parts))
	return hex.EncodeToString(sum[:16])
}
