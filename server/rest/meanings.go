package rest

import (
	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/webhook"
)

// The type "meaning" is a fixed name, and what it means.
type meaning struct {
	Name   string   `json:"name"`
	About  string   `json:"about"`
	Fields []string `json:"fields,omitempty"`
}

// actionParameter is a name that an action can have in its parameters.
type actionParameter struct {
	meaning
	// Kind is text, number or choice. Values are the values of a choice.
	Kind   string    `json:"kind"`
	Values []meaning `json:"values,omitempty"`
	// Types are the types of the actions in which the parameter has an effect.
	Types []guideline.ActionType `json:"types"`
}

// fixedNames has the names that are the same on all servers with the same version of the product.
type fixedNames struct {
	Categories     []meaning         `json:"categories"`
	ActionTypes    []meaning         `json:"action_types"`
	Parameters     []actionParameter `json:"parameters"`
	Events         []meaning         `json:"events"`
	Thresholds     []meaning         `json:"thresholds"`
	ReplayResults  []meaning         `json:"replay_results"`
	WebhookFilters []meaning         `json:"webhook_filters"`
	WebhookFormats []meaning         `json:"webhook_formats"`
}

func allFixedNames() fixedNames {
	return fixedNames{
		categories(), actionTypes(), parameters(), eventMeanings(), thresholds(), replayResults(), webhookFilters(),
		webhookFormats(),
	}
}

func eventMeanings() []meaning {
	var out []meaning
	for _, e := range effect.Events() {
		out = append(out, meaning{Name: string(e.Event), About: e.Meaning})
	}
	return out
}

// categories() returns the categories with their meanings. A test compares them with guideline.Categories.
func categories() []meaning {
	return []meaning{
		{Name: "cognitive_isolation", About: "what an agent may see and change, so that agents do not mix their work"},
		{Name: "hitl_gate", About: "what a person must approve"},
		{Name: "tdd_protocol", About: "how tests and code are written"},
		{Name: "context_constraint", About: "limits of a task, such as the number of changed files"},
		{Name: "audit_telemetry", About: "what is recorded"},
		{Name: "security", About: "what could do damage"},
		{Name: "custom", About: "anything else"},
	}
}

// actionTypes returns the types of actions. Each type has a list of the fields that matter for it.
func actionTypes() []meaning {
	return []meaning{
		{"instruction", "tells the agent what to do", []string{"instruction"}},
		{"tool_restriction", "allows or denies tool calls", []string{"tools_allowed", "tools_denied", "instruction"}},
		{"hitl_gate", "asks a person", []string{"gate_type", "gate_threshold", "tools_asked", "instruction"}},
		{"constraint", "limits changes, or requires tests or a review", []string{"max_files", "require_tests", "require_review", "instruction"}},
		{"telemetry", "says what is recorded", []string{"parameters"}},
	}
}

// parameters() returns the parameters of actions. A test compares these values with the values that guidelines can
// have.
func parameters() []actionParameter {
	stopping := []guideline.ActionType{guideline.ToolRestriction, guideline.HITLGate, guideline.Constraint}
	return []actionParameter{
		{
			meaning: meaning{
				Name: "log", About: "how much is recorded about allowed calls; denied calls and questions are always recorded",
			},
			Kind: "choice", Types: []guideline.ActionType{guideline.Telemetry},
			Values: []meaning{
				{Name: "none", About: "nothing"},
				{Name: "decisions", About: "the decision"},
				{Name: "full", About: "the decision, and the input of the call with secrets masked"},
			},
		},
		{
			meaning: meaning{Name: "sample", About: "the share of allowed calls that is recorded, from 0 to 1"},
			Kind:    "number", Types: []guideline.ActionType{guideline.Telemetry},
		},
		{
			meaning: meaning{Name: "instead", About: "what the agent should do instead, such as: run make generate."},
			Kind:    "text", Types: stopping,
		},
		{
			meaning: meaning{Name: "remember", About: "how long a person's yes is valid"},
			Kind:    "choice", Types: []guideline.ActionType{guideline.HITLGate},
			Values: []meaning{
				{Name: string(decide.ForCall), About: "for this call"},
				{Name: string(decide.ForTurn), About: "until the next prompt"},
				{Name: string(decide.ForSession), About: "until the session ends"},
			},
		},
	}
}

func thresholds() []meaning {
	return []meaning{
		{Name: string(guideline.Mandatory), About: "stops the call until a person approves"},
		{Name: string(guideline.Advisory), About: "only warns"},
	}
}

// replayResults returns the results by which calls can be selected.
func replayResults() []meaning {
	return []meaning{
		{Name: "allow", About: "allowed"},
		{Name: "warn", About: "allowed with a warning"},
		{Name: "ask", About: "asked about"},
		{Name: "deny", About: "denied"},
	}
}

// webhookFilters returns filters that are often used. An endpoint can have other filters, too.
func webhookFilters() []meaning {
	return []meaning{
		{Name: "*", About: "everything but decisions and detectors"},
		{Name: "safety.*", About: "what the safety gate decided"},
		{Name: "decision.denied", About: "a call was denied"},
		{Name: "decision.asked", About: "a person was asked"},
		{Name: "output.intervened", About: "an answer was replaced"},
		{Name: "detector.*", About: "a detector noticed something"},
	}
}

func webhookFormats() []meaning {
	return []meaning{
		{Name: webhook.FormatJSON, About: "JSON with a signature"},
		{Name: webhook.FormatSlack, About: "a message for Slack"},
		{Name: webhook.FormatDiscord, About: "a message for Discord"},
	}
}
