package metrics

import (
	"slices"
	"strconv"
	"time"

	"guardrails/config"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/model"
	"guardrails/policy"
	"guardrails/service"
	"guardrails/webhook/dispatch"
)

// Request is a method that counts an answered request. The route is the pattern that matched, never the path of the
// request.
func (m *Metrics) Request(transport, route string, code int, took time.Duration) {
	m.histograms[requests].WithLabelValues(transport, route, strconv.Itoa(code)).Observe(took.Seconds())
}

// Tool is a method that counts a tool call.
func (m *Metrics) Tool(name string, failed bool, took time.Duration) {
	outcome := "ok"
	if failed {
		outcome = "error"
	}
	m.histograms[tools].WithLabelValues(name, outcome).Observe(took.Seconds())
}

// Reason says why a request was refused.
type Reason string

// The reasons for which a server refuses a request.
const (
	Unauthorized Reason = "unauthorized"
	WrongHost    Reason = "wrong_host"
	WrongOrigin  Reason = "wrong_origin"
	RateLimited  Reason = "rate_limited"
	Crowded      Reason = "too_many_connections"
)

// Refused is a method that counts a request that was refused.
func (m *Metrics) Refused(why Reason) { m.counters[refused].WithLabelValues(string(why)).Inc() }

// Store is a method that records a check of the store. The parameter "up" says whether the store answers and can be
// changed. The parameter "since" is the time that has passed since the last check.
func (m *Metrics) Store(up bool, since time.Duration) {
	result, value := resultOK, 1.0
	if !up {
		result, value = resultFailed, 0
		m.counters[auditGap].WithLabelValues().Add(max(0, since.Seconds()))
	}
	m.counters[storeChecks].WithLabelValues(result).Inc()
	m.gauges[storeUp].WithLabelValues().Set(value)
}

// Decision is a method that counts a decision that is in the audit.
func (m *Metrics) Decision(result string) {
	m.counters[decisions].WithLabelValues(known(result, decisionResults())).Inc()
}

// Fallback is a method that counts a hook that continued without the store or the server. The parameter "source" says
// which guidelines the hook used instead.
func (m *Metrics) Fallback(source string) {
	m.counters[fallbacks].WithLabelValues(known(source, fallbackSources())).Inc()
}

// Unguarded is a method that counts a tool call that ran without a check.
func (m *Metrics) Unguarded() { m.counters[unguarded].WithLabelValues().Inc() }

// Masked is a method that counts personal data that was masked on the screen.
func (m *Metrics) Masked(category string) { m.counters[piiMasked].WithLabelValues(category).Inc() }

// Checked is a method that counts a verdict of the safety gate, and the actions of policies that took effect.
func (m *Metrics) Checked(stage, gate, action, mode string, actions []string) {
	m.counters[checks].WithLabelValues(
		known(stage, policy.Stages()), known(gate, gates()), known(action, verdicts()), known(mode, modes()),
	).Inc()
	for _, action := range actions {
		m.counters[policies].WithLabelValues(known(action, policy.ActionKinds())).Inc()
	}
}

// ModelAsked counts a question to the language model.
func (m *Metrics) ModelAsked(use, outcome string, took time.Duration) {
	use = known(use, modelUses())
	m.counters[modelRequests].WithLabelValues(use, known(outcome, modelOutcomes())).Inc()
	m.histograms[modelDuration].WithLabelValues(use).Observe(took.Seconds())
}

// The values of the label "result" of modelCache.
const (
	cacheHit  = "hit"
	cacheMiss = "miss"
)

// ModelCached counts a question for the language model. The parameter "hit" is set if the answer was known.
func (m *Metrics) ModelCached(use string, hit bool) {
	result := cacheMiss
	if hit {
		result = cacheHit
	}
	m.counters[modelCache].WithLabelValues(known(use, modelUses()), result).Inc()
}

// OutputAudited counts an answer to a message with a risk. The parameter "unsafe" is set if the answer was
// replaced, or would have been replaced in the mode "enforce".
func (m *Metrics) OutputAudited(risk, result string, unsafe bool) {
	risk = known(risk, risks())
	m.counters[audits].WithLabelValues(risk, known(result, auditResults())).Inc()
	if unsafe {
		m.counters[interventions].WithLabelValues(risk).Inc()
	}
}

// Webhook is a method that counts an attempt to deliver an event.
func (m *Metrics) Webhook(outcome string) {
	m.counters[deliveries].WithLabelValues(known(outcome, deliveryOutcomes())).Inc()
}

// AuditEntries sets how many entries of one kind have ever been added to the audit.
func (m *Metrics) AuditEntries(kind string, n int64) {
	m.gauges[auditEntries].WithLabelValues(kind).Set(float64(n))
}

// Changed is a method that counts a change of guidelines.
func (m *Metrics) Changed(event string) { m.counters[changes].WithLabelValues(event).Inc() }

// Question is a method that counts a request for guidelines. The parameter inMemory must be set if the server already
// had the guidelines in memory.
func (m *Metrics) Question(inMemory bool) {
	source := fromFiles
	if inMemory {
		source = fromMemory
	}
	m.counters[questions].WithLabelValues(source).Inc()
}

// Spool is a method that sets the total size, in bytes, of the hooks' records that are not in the audit yet.
func (m *Metrics) Spool(bytes int64) { m.gauges[spoolBacklog].WithLabelValues().Set(float64(bytes)) }

// known() returns the given value if it is in the list, and otherwise "other". So a label has only a limited number of
// different values.
func known(value string, values []string) string {
	if slices.Contains(values, value) {
		return value
	}
	return other
}

// The values of labels.
const (
	other        = "other"
	resultOK     = "ok"
	resultFailed = "failed"
	fromMemory   = "memory"
	fromFiles    = "read"
)

func decisionResults() []string {
	return []string{"allow", "warn", "ask", "deny", "approved", "rejected", "deferred"}
}

// gates() returns the names of the gates, and the names that are recorded if no gate decided.
func gates() []string {
	return append([]string{string(safety.InputCheck), service.GatePolicy, service.GateNone}, document.Texts(safety.Gates())...)
}

func verdicts() []string { return []string{"proceed", "hold", "block"} }

func modes() []string { return []string{config.Off, config.Observe, config.Enforce} }

func fallbackSources() []string { return []string{"snapshot", "static", "open", "cli"} }

func deliveryOutcomes() []string {
	return []string{dispatch.CountDelivered, dispatch.CountFailed, dispatch.CountGivenUp}
}

func withOther(values []string) []string { return append(values, other) }

func modelUses() []string { return document.Texts(model.Uses()) }

func modelOutcomes() []string { return document.Texts(model.Outcomes()) }

func auditResults() []string { return []string{"safe", "unsafe", "failed_open", "failed_closed"} }

// risks() returns the intents of messages whose answers can do harm.
func risks() []string {
	var out []string
	for _, intent := range safety.AllIntents() {
		if intent.IsRisk() {
			out = append(out, string(intent))
		}
	}
	return out
}
