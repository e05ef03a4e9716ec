package rest

import (
	"net/http"
	"slices"
	"strings"

	"guardrails/detect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/server/access"
	"guardrails/store"
)

// maxSeen is the largest number of decisions that are searched for names.
const maxSeen = 2000

// knownName holds a name that guidelines can use, and the places where the name occurs.
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

// The type "vocabulary" collects names with their places.
type vocabulary map[string][]string

func (v vocabulary) add(place string, names ...string) {
	for _, name := range names {
		if name != "" && !slices.Contains(v[name], place) {
			v[name] = append(v[name], place)
		}
	}
}

// list() returns the names in the order of the alphabet.
func (v vocabulary) list() []knownName {
	out := make([]knownName, 0, len(v))
	for name, in := range v {
		out = append(out, knownName{name, in})
	}
	slices.SortFunc(out, func(a, b knownName) int { return strings.Compare(a.Name, b.Name) })
	return out
}

type vocabularies struct {
	fixedNames
	Agents       []knownName `json:"agents"`
	Domains      []knownName `json:"domains"`
	Actions      []knownName `json:"actions"`
	GateTypes    []knownName `json:"gate_types"`
	Tags         []knownName `json:"tags"`
	Tools        []knownName `json:"tools"`
	Projects     []knownName `json:"projects"`
	AuditEvents  []string    `json:"audit_events"`
	AuditResults []string    `json:"audit_results"`
	Roles        []string    `json:"roles"`
	Limits       limits      `json:"limits"`
}

// The type "limits" has the bounds of the fields of a guideline.
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
	if _, err := c.scan(store.AuditFilter{Kind: store.KindDecision}, &countedPart{}, maxSeen, func(e *store.Entry) {
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
		fixedNames: allFixedNames(),
		Agents:     agents.list(), Domains: domains.list(), Actions: actions.list(), GateTypes: gates.list(), Tags: tags.list(),
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
