package rest

import (
	"net/http"
	"slices"

	"guardrails/server/access"
	"guardrails/store"
)

// pageRoutes returns the routes that a page needs to fill its screens.
func pageRoutes() []route {
	answers := func(about, schema string) []answer {
		return []answer{{status: http.StatusOK, about: about, schema: schema, types: []string{typeJSON}}}
	}
	const bounded = " Only the newest 50,000 entries of the period are counted. If there are more, `complete` is false, and " +
		"`from` is the time of the oldest entry that was counted."
	return []route{
		{
			method: http.MethodGet, path: base + "/vocabularies", name: "list_vocabularies", role: access.Read,
			summary: "List the names that guidelines can use",
			about: "Returns fixed values with their meanings: events, categories, types of actions, their parameters, and others. " +
				"Also returns agents, domains, actions, gate types, tags, tools and projects. For each of these, it says where the " +
				"name occurs: in the guidelines, in the newest 2,000 decisions of the audit, in the settings of the server's own " +
				"tenant, or in the program itself.",
			serve: (*call).vocabularies, answers: answers("The names", "Vocabularies"),
		},
		{
			method: http.MethodGet, path: base + "/packs", name: "list_packs", role: access.Read,
			summary: "List the built-in packs",
			about: "Each guideline of a pack has a state: `installed` if the store has no copy of it, `same` if the copy has the " +
				"text of the pack, `outdated` if it has an older text, `changed` if somebody changed it and it is enabled, and `off` " +
				"if somebody changed it and it is disabled. The copies for all projects are always compared. By default, the copies " +
				"for single projects are compared too; with `project_id`, only those for this project are compared.",
			parameters: []parameter{projectOf("Compare only the copies for all projects and those for this project")},
			serve:      (*call).packs, answers: answers("The packs", "PackList"),
		},
		{
			method: http.MethodPost, path: base + "/packs", name: "update_packs", role: access.Write,
			summary: "Update the copies of pack guidelines",
			about: "Replaces the text of copies in the store with the text of the installed pack. It does so for all copies " +
				"that have an older text and that nobody changed. It also does so for the changed copies of the project that `take` " +
				"names. If the pack no longer has the guideline, it deletes the copy instead. A dry run changes nothing. An " +
				"update can be undone, because the history keeps the replaced texts.",
			parameters: []parameter{projectOf("The project whose changed copies `take` names. Leave it out for the copies that " +
				"belong to all projects")},
			body:  &body{schema: "PackUpdateRequest", most: maxOne},
			serve: (*call).updatePacks, answers: answers("What was done", "PackUpdate"),
		},
		{
			method: http.MethodGet, path: base + "/summary", name: "summarize_decisions", role: access.Read,
			summary: "Count decisions over time", about: "Counts decisions by result, event, guideline, agent and tool." + bounded,
			parameters: append(spanParameters(), parameter{
				name: "bucket", kind: choice, choices: []string{byHour, byDay}, standard: byHour,
				about: "How the period is divided; hours and days are in UTC",
			}),
			serve: (*call).summary, answers: answers("The numbers", "Summary"),
		},
		{
			method: http.MethodGet, path: base + "/sessions", name: "list_sessions", role: access.Read,
			summary: "List the sessions of agents",
			about: "Returns the sessions that have decisions in the period. Sessions with the newest decisions come first. " +
				"With a cursor, the period of the first page applies. The entries of one session are in the audit: `/audit?session=ID`." + bounded,
			parameters: slices.Concat(spanParameters(),
				[]parameter{word("agent", "Only decisions about calls of this agent")}, pages(usualSessions)),
			serve: (*call).sessions, answers: answers("The sessions", "SessionList"),
		},
	}
}

// spanParameters returns the parameters that every summary has.
func spanParameters() []parameter {
	return slices.DeleteFunc(auditFilters(), func(p parameter) bool {
		return !slices.Contains([]string{"project", "session", store.AuditFrom, store.AuditTo}, p.name)
	})
}

const (
	counts     = `{"type": "object", "additionalProperties": {"type": "integer"}}`
	rankedList = `{"type": "array", "items": {"type": "object", "properties": {
      "id": {"type": "string"}, "name": {"type": "string"}, "total": {"type": "integer"}, "results": ` + counts + `}, "required": ["id", "total", "results"]}}`
	namedList    = `{"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "in": {"type": "array", "items": {"type": "string", "enum": ["guidelines", "audit", "settings", "built-in"]}}}, "required": ["name", "in"]}}`
	meaningList  = `{"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "about": {"type": "string"}, "fields": ` + texts + `}, "required": ["name", "about"]}}`
	scannedProps = `
    "from": ` + moment + `, "to": ` + moment + `, "complete": {"type": "boolean", "description": "False if there are more entries than were counted."}, "counted": {"type": "integer"}`
)

const pageSchemas = `
  "Vocabularies": {"type": "object", "properties": {
    "categories": ` + meaningList + `, "action_types": ` + meaningList + `, "events": ` + meaningList + `, "thresholds": ` + meaningList + `,
    "parameters": {"type": "array", "description": "The names in action.parameters.", "items": {"type": "object", "properties": {"name": {"type": "string"}, "about": {"type": "string"},
      "kind": {"type": "string", "enum": ["text", "number", "choice"]}, "values": ` + meaningList + `, "types": ` + texts + `}, "required": ["name", "about", "kind", "types"]}},
    "replay_results": ` + meaningList + `, "webhook_filters": ` + meaningList + `, "webhook_formats": ` + meaningList + `,
    "agents": ` + namedList + `, "domains": ` + namedList + `, "actions": ` + namedList + `, "gate_types": ` + namedList + `, "tags": ` + namedList + `, "tools": ` + namedList + `, "projects": ` + namedList + `,
    "audit_events": ` + texts + `, "audit_results": ` + texts + `, "roles": ` + texts + `,
    "limits": {"type": "object", "properties": {"priority_max": {"type": "integer"}, "priority_default": {"type": "integer"}, "name_max": {"type": "integer"},
      "description_max": {"type": "integer"}, "instruction_max": {"type": "integer", "description": "The largest number of characters that the combined instruction may have."},
      "id_pattern": {"type": "string"}}, "required": ["priority_max", "priority_default", "name_max", "description_max", "instruction_max", "id_pattern"]}},
    "required": ["categories", "action_types", "parameters", "events", "thresholds", "replay_results", "webhook_filters", "webhook_formats", "agents", "domains", "actions", "gate_types", "tags", "tools", "projects", "audit_events", "audit_results", "roles", "limits"]},
  "PackCopy": {"type": "object", "description": "A copy of a pack's guideline in the store.", "properties": {
    "id": {"type": "string"}, "pack": {"type": "string"}, "project_id": {"type": "string"}, "version": ` + version + `, "off": {"type": "boolean"},
    "base_version": {"type": "integer", "description": "The version of the pack that the copy was made from. Missing if it is not known."},
    "behind": {"type": "boolean", "description": "Whether the copy was made from an older text, or from one that is not known."}, "withdrawn": {"type": "boolean"},
    "fields": {"type": "array", "description": "The fields that differ from the installed pack.", "items": {"type": "object", "properties": {
      "field": {"type": "string"}, "old": {}, "yours": {}, "new": {}}, "required": ["field"]}}}, "required": ["id", "pack", "version", "off", "behind", "fields"]},
  "PackList": {"type": "object", "properties": {"packs": {"type": "array", "items": {"type": "object", "properties": {
    "name": {"type": "string"}, "version": {"type": "integer"}, "description": {"type": "string"},
    "guidelines": {"type": "array", "items": {"type": "object", "properties": {
      "guideline": {"$ref": "#/components/schemas/Guideline"}, "state": {"type": "string", "enum": ["installed", "same", "outdated", "changed", "off"]},
      "copies": {"type": "array", "items": {"$ref": "#/components/schemas/PackCopy"}}}, "required": ["guideline", "state", "copies"]}},
    "withdrawn": {"type": "array", "items": {"$ref": "#/components/schemas/PackCopy"}}}, "required": ["name", "version", "description", "guidelines", "withdrawn"]}}}, "required": ["packs"]},
  "PackUpdateRequest": {"type": "object", "additionalProperties": false, "properties": {
    "take": {"type": ["array", "null"], "maxItems": 1000, "items": {"type": "string", "minLength": 1}, "description": "The ids of changed copies that get the text of the pack."},
    "dry_run": {"type": ["boolean", "null"]}}, "examples": [{"take": ["security-history"], "dry_run": true}]},
  "PackUpdate": {"type": "object", "properties": {"renewed": ` + texts + `, "taken": ` + texts + `, "removed": ` + texts + `,
    "kept": {"type": "array", "items": {"$ref": "#/components/schemas/PackCopy"}}}, "required": ["renewed", "taken", "removed", "kept"]},
  "Summary": {"type": "object", "properties": {` + scannedProps + `,
    "bucket": {"type": "string", "enum": ["hour", "day"]}, "buckets": {"type": "array", "items": {"type": "object", "properties": {"start": ` + moment + `, "results": ` + counts + `}, "required": ["start", "results"]}},
    "results": ` + counts + `, "events": ` + counts + `, "guidelines": ` + rankedList + `, "agents": ` + rankedList + `, "tools": ` + rankedList + `},
    "required": ["from", "to", "complete", "counted", "bucket", "buckets", "results", "events", "guidelines", "agents", "tools"]},
  "SessionList": {"type": "object", "properties": {` + scannedProps + `, ` + paged + `,
    "sessions": {"type": "array", "items": {"type": "object", "properties": {
      "session": {"type": "string"}, "project_id": {"type": "string"}, "agents": ` + texts + `, "first": ` + moment + `, "last": ` + moment + `, "entries": {"type": "integer"},
      "results": ` + counts + `, "events": ` + counts + `, "asked": ` + rankedList + `}, "required": ["session", "agents", "first", "last", "entries", "results", "events", "asked"]}}},
    "required": ["from", "to", "complete", "counted", "total", "page", "page_size", "sessions"]},`
