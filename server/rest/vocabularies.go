package rest

import (
	"net/http"
	"slices"
	"strings"

	"guardrails/detect"
	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/server/access"
	"guardrails/store"
)

// maxSeen is the number of decisions in which names are looked for.
const maxSeen = 2000

// knownName is a name that a guideline can use, and where it occurs.
type knownName struct {
	Name string   `json:"name"`
	In   []string `json:"in"`
}

// The places in which a name can occur.
const (
	inGuidelines = "guidelines"
	inAudit      = "audit"
	inSettings   = "settings"
	isBuiltIn    = "built-in"
)

// vocabulary collects names with their places.
type vocabulary map[string][]string

func (v vocabulary) add(place string, names ...string) {
	for _, name := range names {
		if name != "" && !slices.Contains(v[name], place) {
			v[name] = append(v[name], place)
		}
	}
}

// list returns the names in the order of the alphabet.
func (v vocabulary) list() []knownName {
	out := make([]knownName, 0, len(v))
	for name, in := range v {
		out = append(out, knownName{name, in})
	}
	slices.SortFunc(out, func(a, b knownName) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// meaning is a fixed name, and what it means.
type meaning struct {
	Name   string   `json:"name"`
	About  string   `json:"about"`
	Fields []string `json:"fields,omitempty"`
}

type vocabularies struct {
	Categories   []meaning             `json:"categories"`
	ActionTypes  []meaning             `json:"action_types"`
	Events       []meaning             `json:"events"`
	Thresholds   []guideline.Threshold `json:"thresholds"`
	Agents       []knownName           `json:"agents"`
	Domains      []knownName           `json:"domains"`
	Actions      []knownName           `json:"actions"`
	GateTypes    []knownName           `json:"gate_types"`
	Tags         []knownName           `json:"tags"`
	Tools        []knownName           `json:"tools"`
	Projects     []knownName           `json:"projects"`
	AuditEvents  []string              `json:"audit_events"`
	AuditResults []string              `json:"audit_results"`
	Roles        []string              `json:"roles"`
	Limits       limits                `json:"limits"`
}

// limits are the bounds of the fields of a guideline.
type limits struct {
	PriorityMax     int    `json:"priority_max"`
	PriorityDefault int    `json:"priority_default"`
	NameMax         int    `json:"name_max"`
	DescriptionMax  int    `json:"description_max"`
	InstructionMax  int    `json:"instruction_max"`
	IDPattern       string `json:"id_pattern"`
}

func (c *call) vocabularies() error {
	agents, domains, actions := vocabulary{}, vocabulary{}, vocabulary{}
	gates, tags, tools, projects := vocabulary{}, vocabulary{}, vocabulary{}, vocabulary{}
	domains.add(isBuiltIn, detect.Domains()...)
	actions.add(isBuiltIn, detect.Actions()...)
	if c.caller.Tenant == c.h.o.Tenant {
		settings, err := c.h.o.Service.Settings(c.r.Context(), "")
		if err != nil {
			return err
		}
		agents.add(inSettings, settings.DefaultAgent)
		for name := range settings.Domains {
			domains.add(inSettings, name)
		}
	}
	list, err := c.inForce("")
	if err != nil {
		return err
	}
	for i := range list {
		g := &list[i].Guideline
		agents.add(inGuidelines, g.Condition.Agents...)
		domains.add(inGuidelines, g.Condition.Domains...)
		actions.add(inGuidelines, g.Condition.Actions...)
		gates.add(inGuidelines, g.Condition.GateTypes...)
		gates.add(inGuidelines, g.Action.GateType)
		tags.add(inGuidelines, tagsOf(g)...)
		projects.add(inGuidelines, g.ProjectID)
	}
	if _, err := c.scan(store.AuditFilter{Kind: store.KindDecision}, maxSeen, func(e *store.Entry) {
		projects.add(inAudit, e.ProjectID)
		if e.Context != nil {
			agents.add(inAudit, e.Context.Agent)
			domains.add(inAudit, e.Context.Domain)
			actions.add(inAudit, e.Context.Action)
			gates.add(inAudit, e.Context.GateType)
		}
		if e.Decision != nil {
			tools.add(inAudit, e.Decision.Tool)
		}
	}); err != nil {
		return err
	}
	return c.say(http.StatusOK, vocabularies{
		Categories: categories(), ActionTypes: actionTypes(), Events: eventMeanings(), Thresholds: guideline.Thresholds(),
		Agents: agents.list(), Domains: domains.list(), Actions: actions.list(), GateTypes: gates.list(), Tags: tags.list(),
		Tools: tools.list(), Projects: projects.list(),
		AuditEvents: store.AuditEvents(), AuditResults: store.AuditResults(), Roles: access.RoleNames(),
		Limits: limits{
			guideline.MaxPriority, guideline.DefaultPriority, guideline.MaxNameLength, guideline.MaxDescription,
			evaluator.InstructionLimit,
			strings.Replace(idPattern, "~?", "", 1),
		},
	})
}

// tagsOf returns the tags in a guideline's metadata.
func tagsOf(g *guideline.Guideline) (tags []string) {
	list, _ := g.Metadata["tags"].([]any)
	for _, item := range list {
		if tag, isText := item.(string); isText {
			tags = append(tags, tag)
		}
	}
	return tags
}

func eventMeanings() []meaning {
	var out []meaning
	for _, e := range effect.Events() {
		out = append(out, meaning{Name: string(e.Event), About: e.Meaning})
	}
	return out
}

// categories returns the categories with their meanings. A test compares them with guideline.Categories.
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

// actionTypes returns the types of actions with the fields that matter for each.
func actionTypes() []meaning {
	return []meaning{
		{"instruction", "tells the agent what to do", []string{"instruction"}},
		{"tool_restriction", "allows or denies tool calls", []string{"tools_allowed", "tools_denied", "instruction"}},
		{"hitl_gate", "asks a person", []string{"gate_type", "gate_threshold", "tools_asked", "instruction"}},
		{"constraint", "limits changes, or requires tests or a review", []string{"max_files", "require_tests", "require_review", "instruction"}},
		{"telemetry", "says what is recorded", []string{"parameters"}},
	}
}
