package metrics

// Kind is how a metric goes up and down.
type Kind string

// The kinds.
const (
	Counter   Kind = "counter"
	Gauge     Kind = "gauge"
	Histogram Kind = "histogram"
)

// Definition is one metric and what it says.
type Definition struct {
	Name   string
	Kind   Kind
	Labels []string
	Help   string
}

// The names of the metrics.
const (
	buildInfo    = "guardrails_build_info"
	requests     = "guardrails_request_duration_seconds"
	tools        = "guardrails_tool_duration_seconds"
	refused      = "guardrails_refused_requests_total"
	storeUp      = "guardrails_store_up"
	storeChecks  = "guardrails_store_checks_total"
	auditGap     = "guardrails_audit_gap_seconds_total"
	fallbacks    = "guardrails_fallback_activations_total"
	unguarded    = "guardrails_unguarded_calls_total"
	decisions    = "guardrails_decisions_total"
	changes      = "guardrails_guideline_changes_total"
	questions    = "guardrails_questions_total"
	spoolBacklog = "guardrails_spool_backlog_bytes"
)

// Definitions are all metrics of the product's own, in the order in which they are documented.
func Definitions() []Definition {
	return []Definition{
		{requests, Histogram, []string{"door", "route", "code"}, "How long requests took, by the door that they came through, their route and the status of the answer."},
		{tools, Histogram, []string{"tool", "outcome"}, "How long calls of MCP tools took, on every door; outcome is ok or error."},
		{questions, Counter, []string{"source"}, "Questions which guidelines hold, by where the answer came from: memory, or read when the guidelines of a project had to be read."},
		{refused, Counter, []string{"reason"}, "Requests that were refused before anything was done: unauthorized, wrong_host, wrong_origin, rate_limited."},
		{storeUp, Gauge, nil, "1 while the store answers, 0 while it does not; absent where there is no store."},
		{storeChecks, Counter, []string{"result"}, "Checks whether the store answers, every few seconds: ok or failed. Their ratio is the store's availability."},
		{auditGap, Counter, nil, "Seconds in which the store did not answer, so that nothing could be added to the audit. Decisions wait in the spool meanwhile."},
		{fallbacks, Counter, []string{"source"}, "Times that hooks went on without the store or the server, by what they went on with: snapshot, static, open, cli (the command line in place of a server) or other."},
		{unguarded, Counter, nil, "Tool calls that went unchecked, because a session had chosen to go on without guidelines."},
		{decisions, Counter, []string{"result"}, "Decisions that were added to the audit: allow, warn, ask, deny, approved, rejected, deferred or other."},
		{changes, Counter, []string{"event"}, "Changes of guidelines that this server made or saw."},
		{spoolBacklog, Gauge, nil, "Bytes of decisions that wait to be added to the audit."},
		{buildInfo, Gauge, []string{"version"}, "1; the label is the server's version."},
	}
}
