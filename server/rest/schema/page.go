package schema

const (
	counts     = `{"type": "object", "additionalProperties": {"type": "integer"}}`
	rankedList = `{"type": "array", "items": {"type": "object", "properties": {
      "id": {"type": "string"}, "name": {"type": "string"}, "total": {"type": "integer"}, "results": ` + counts + `},
      "required": ["id", "total", "results"]}}`
	namedList = `{"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"},
      "in": {"type": "array", "items": {"type": "string", "enum": ["guidelines", "audit", "settings", "built-in"]}}},
      "required": ["name", "in"]}}`
	meaningList = `{"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"},
      "about": {"type": "string"}, "fields": ` + texts + `}, "required": ["name", "about"]}}`
	scannedProps = `
    "from": ` + moment + `, "to": ` + moment + `, "complete": {"type": "boolean",
      "description": "False if the period has earlier entries that were not counted; next_cursor leads to them."}, "counted": {"type": "integer"}`
)

const pageSchemas = `
  "Vocabularies": {"type": "object", "properties": {
    "categories": ` + meaningList + `, "action_types": ` + meaningList + `, "events": ` + meaningList + `,
      "thresholds": ` + meaningList + `,
    "parameters": {"type": "array", "description": "The names in action.parameters.", "items": {"type": "object",
      "properties": {"name": {"type": "string"}, "about": {"type": "string"},
      "kind": {"type": "string", "enum": ["text", "number", "choice"]}, "values": ` + meaningList + `,
      "types": ` + texts + `}, "required": ["name", "about", "kind", "types"]}},
    "replay_results": ` + meaningList + `, "webhook_filters": ` + meaningList + `, "webhook_formats": ` + meaningList + `,
    "agents": ` + namedList + `, "domains": ` + namedList + `, "actions": ` + namedList + `, "gate_types": ` + namedList + `,
      "tags": ` + namedList + `, "tools": ` + namedList + `, "projects": ` + namedList + `,
    "audit_events": ` + texts + `, "audit_results": ` + texts + `, "roles": ` + texts + `,
    "limits": {"type": "object", "properties": {"priority_max": {"type": "integer"}, "priority_default": {"type": "integer"},
      "name_max": {"type": "integer"},
      "description_max": {"type": "integer"}, "instruction_max": {"type": "integer",
      "description": "The largest number of characters that the combined instruction may have."},
      "id_pattern": {"type": "string"}}, "required": ["priority_max", "priority_default", "name_max", "description_max",
      "instruction_max", "id_pattern"]}},
    "required": ["categories", "action_types", "parameters", "events", "thresholds", "replay_results", "webhook_filters",
      "webhook_formats", "agents", "domains", "actions", "gate_types", "tags", "tools", "projects", "audit_events",
      "audit_results", "roles", "limits"]},
  "PackCopy": {"type": "object", "description": "A copy of a pack's guideline in the store.", "properties": {
    "id": {"type": "string"}, "pack": {"type": "string"}, "project_id": {"type": "string"}, "version": ` + version + `,
      "off": {"type": "boolean"},
    "base_version": {"type": "integer", "description": "The version of the pack that the copy was made from. Missing if it is not known."},
    "behind": {"type": "boolean", "description": "Whether the copy was made from an older text of the pack, or from an unknown text."}, "withdrawn": {"type": "boolean"},
    "fields": {"type": "array", "description": "The fields that differ from the installed pack.", "items": {"type": "object",
      "properties": {
      "field": {"type": "string"}, "old": {}, "yours": {}, "new": {}}, "required": ["field"]}}}, "required": ["id", "pack",
      "version", "off", "behind", "fields"]},
  "PackList": {"type": "object", "properties": {"packs": {"type": "array", "items": {"type": "object", "properties": {
    "name": {"type": "string"}, "version": {"type": "integer"}, "description": {"type": "string"},
    "guidelines": {"type": "array", "items": {"type": "object", "properties": {
      "guideline": {"$ref": "#/components/schemas/Guideline"}, "state": {"type": "string", "enum": ["installed", "same",
      "outdated", "changed", "off"]},
      "copies": {"type": "array", "items": {"$ref": "#/components/schemas/PackCopy"}}}, "required": ["guideline", "state", "copies"]}},
    "withdrawn": {"type": "array", "items": {"$ref": "#/components/schemas/PackCopy"}}}, "required": ["name", "version",
      "description", "guidelines", "withdrawn"]}}}, "required": ["packs"]},
  "PackUpdateRequest": {"type": "object", "additionalProperties": false, "properties": {
    "take": {"type": ["array", "null"], "maxItems": 1000, "items": {"type": "string", "minLength": 1},
      "description": "The ids of changed copies that get the text of the pack."},
    "dry_run": {"type": ["boolean", "null"]}}, "examples": [{"take": ["security-history"], "dry_run": true}]},
  "PackUpdate": {"type": "object", "properties": {"renewed": ` + texts + `, "taken": ` + texts + `, "removed": ` + texts + `,
    "kept": {"type": "array", "items": {"$ref": "#/components/schemas/PackCopy"}}}, "required": ["renewed", "taken", "removed", "kept"]},
  "Summary": {"type": "object", "properties": {` + scannedProps + `,
    "next_cursor": {"type": "string", "description": "The cursor for the earlier entries; missing if the answer is complete."},
    "bucket": {"type": "string", "enum": ["hour", "day"]}, "buckets": {"type": "array", "items": {"type": "object",
      "properties": {"start": ` + moment + `, "results": ` + counts + `}, "required": ["start", "results"]}},
    "results": ` + counts + `, "events": ` + counts + `, "guidelines": ` + rankedList + `, "agents": ` + rankedList + `,
      "tools": ` + rankedList + `},
    "required": ["from", "to", "complete", "counted", "bucket", "buckets", "results", "events", "guidelines", "agents", "tools"]},
  "SessionList": {"type": "object", "properties": {` + scannedProps + `, ` + paged + `,
    "sessions": {"type": "array", "items": {"type": "object", "properties": {
      "session": {"type": "string"}, "project_id": {"type": "string"}, "agents": ` + texts + `, "first": ` + moment + `,
      "last": ` + moment + `, "entries": {"type": "integer"},
      "results": ` + counts + `, "events": ` + counts + `, "asked": ` + rankedList + `}, "required": ["session", "agents",
      "first", "last", "entries", "results", "events", "asked"]}}},
    "required": ["from", "to", "complete", "counted", "total", "page", "page_size", "sessions"]},`
