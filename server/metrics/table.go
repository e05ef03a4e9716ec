package metrics

// Kind is the type of a metric.
type Kind string

// The types of metrics that this package uses.
const (
	Counter   Kind = "counter"
	Gauge     Kind = "gauge"
	Histogram Kind = "histogram"
)

// Definition describes one metric.
type Definition struct {
	Name   string
	Kind   Kind
	Labels []string
	Help   string
}

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
	auditEntries = "guardrails_audit_entries"
	questions    = "guardrails_questions_total"
	piiMasked    = "guardrails_pii_masked_total"
	checks       = "guardrails_safety_decisions_total"
	policies     = "guardrails_policy_matches_total"
	spoolBacklog = "guardrails_spool_backlog_bytes"

	modelRequests = "guardrails_model_requests_total"
	modelDuration = "guardrails_model_request_duration_seconds"
	modelCache    = "guardrails_model_cache_total"
	audits        = "guardrails_output_audits_total"
	interventions = "guardrails_output_interventions_total"
	deliveries    = "guardrails_webhook_deliveries_total"
)

// Definitions returns the product's own metrics, in the order of the documentation.
func Definitions() []Definition {
	return []Definition{
		{
			requests, Histogram,
			[]string{"transport", "route", "code"},
			"How long requests took, by transport (port or socket), route and status code.",
		},
		{
			tools, Histogram,
			[]string{"tool", "outcome"},
			"How long calls of MCP tools took, over all transports. The label outcome is ok or error.",
		},
		{
			questions, Counter,
			[]string{"source"},
			"Requests for guidelines, by source. The source is \"memory\" if the guidelines were in memory, or \"read\" if " +
				"the server had to read them.",
		},
		{refused, Counter, []string{"reason"}, "Refused requests, by reason: unauthorized, wrong_host, wrong_origin, " +
			"rate_limited or too_many_connections."},
		{storeUp, Gauge, nil, "1 if the store answers and can be changed, otherwise 0. Without a store, this metric is " +
			"missing."},
		{
			storeChecks, Counter,
			[]string{"result"},
			"How often the server checked that the store answers and can be changed, by result: ok or failed. The server " +
				"checks every few seconds. The share of checks with the result ok is the availability of the store.",
		},
		{auditGap, Counter, nil, "Seconds during which nothing could be added to the audit, because the store did not " +
			"answer or could not be changed. Meanwhile, decisions wait in local files (the spool)."},
		{
			fallbacks, Counter,
			[]string{"source"},
			"How often hooks continued without the store or the server, by what they used instead: snapshot (the last known " +
				"guidelines), static (the guidelines that can be read, and the core pack), open (none of the project's guidelines), " +
				"cli (the command line) or other.",
		},
		{
			piiMasked, Counter,
			[]string{"category"},
			"Pieces of personal data that were masked in answers, on the screen or by check_response. The label category is the " +
				"kind of data, such as email.",
		},
		{
			checks, Counter,
			[]string{"stage", "gate", "action", "mode"},
			"Verdicts of the safety gate. The label stage is input or output. The label gate is the gate that decided; the " +
				"label is \"none\" if nothing was found, or \"policy\" if a policy changed the verdict. The label action is " +
				"proceed, hold or block. The label mode is the mode in the settings.",
		},
		{
			policies, Counter,
			[]string{"action"},
			"Actions of policies that took effect: override_safety, fire_event, annotate or stop.",
		},
		{unguarded, Counter, nil, "Tool calls that were not checked because the session's user had chosen to " +
			"continue without guidelines."},
		{
			decisions, Counter,
			[]string{"result"},
			"Decisions that this server added to the audit, by result: allow, warn, ask, deny, approved, " +
				"rejected, deferred (a person decides later) or other.",
		},
		{
			auditEntries, Gauge,
			[]string{"kind"},
			"The number of entries that have ever been added to the audit of the server's tenant, by kind: change or " +
				"decision. The store counts the entries, so the number includes entries that other processes added and entries " +
				"that were removed because of their age.",
		},
		{
			deliveries, Counter,
			[]string{"outcome"},
			"Attempts to deliver events to webhooks, by outcome: delivered, failed (the server tries again) or given_up.",
		},
		{changes, Counter, []string{"event"}, "Changes of guidelines that this server made or noticed, by event."},
		{spoolBacklog, Gauge, nil, "The size in bytes of the decisions that have not been added to the audit yet."},
		{
			modelRequests, Counter,
			[]string{"use", "outcome"},
			"Questions to the language model, by use (context or audit) and outcome: ok, timeout, refused, unreadable, " +
				"unavailable or limited.",
		},
		{
			modelDuration, Histogram,
			[]string{"use"},
			"How long questions to the language model took, by use: context or audit.",
		},
		{
			modelCache, Counter,
			[]string{"use", "result"},
			"Questions for the language model, by use and by result: hit (the answer was known) or miss.",
		},
		{
			audits, Counter,
			[]string{"intent", "result"},
			"Answers that the output guard checked because the message showed a risk. The label intent is the most severe " +
				"risk of the message. The label result is safe, unsafe, failed_open or failed_closed.",
		},
		{
			interventions, Counter,
			[]string{"intent"},
			"Answers that the output guard replaced, or would have replaced in the mode enforce. The label intent is the most " +
				"severe risk of the message.",
		},
		{buildInfo, Gauge, []string{"version"}, "Always 1; the label has the server's version."},
	}
}
