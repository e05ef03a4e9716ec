package schema

// OneLine matches texts without control characters.
const OneLine = `^[^\x00-\x1f\x7f-\x9f]*$`

// These constants are parts that several schemas contain.
const (
	jsonOneLine  = `"^[^\\x00-\\x1f\\x7f-\\x9f]*$"`
	jsonFreeText = `"^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$"`

	texts    = `{"type": "array", "items": {"type": "string"}}`
	wordList = `{"type": ["array", "null"], "maxItems": 1000, "items": {"type": "string", "minLength": 1, "maxLength": 200,
      "pattern": ` + jsonOneLine + `}}`
	patterns = `{"type": ["array", "null"], "maxItems": 1000, "items": {"type": "string", "minLength": 1, "maxLength": 1024,
      "pattern": ` + jsonOneLine + `}}`
	free     = `{"type": ["object", "null"]}`
	category = `{"type": "string", "enum": ["cognitive_isolation", "hitl_gate", "tdd_protocol", "context_constraint",
      "audit_telemetry", "security", "custom"]}`
	actionType = `{"type": "string", "enum": ["instruction", "tool_restriction", "hitl_gate", "constraint", "telemetry"]}`
	moment     = `{"type": "string", "format": "date-time"}`
	version    = `{"type": "integer", "minimum": 1, "maximum": 2147483647}`
	guardID    = `{"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,127}$"}`
	paged      = `"total": {"type": "integer",
      "description": "The number of items on all pages. With a cursor, the number when the first page was read."},
      "page": {"type": "integer"}, "page_size": {"type": "integer"}, "next_cursor": {"type": "string",
      "description": "The cursor of the next page; missing on the last page."}`
	// shownFields are the fields that a guideline can have in an answer.
	shownFields = `
    "id": ` + guardID + `, "name": {"type": "string"}, "description": {"type": "string"}, "enabled": {"type": "boolean"},
      "locked": {"type": "boolean"}, "category": ` + category + `,
    "priority": {"type": "integer", "minimum": 0, "maximum": 1000}, "condition": {"$ref": "#/components/schemas/Condition"},
      "action": {"$ref": "#/components/schemas/Action"},
    "metadata": {"type": "object"},
    "version": {"type": "integer", "minimum": 0, "maximum": 2147483647,
      "description": "The version grows by one with every change. It is 0 for a guideline in a file."}, "created_at": ` + moment + `,
      "updated_at": ` + moment + `, "created_by": {"type": "string"}, "project_id": {"type": "string",
      "description": "The project that the guideline belongs to. Missing if it belongs to all projects."},
    "unchanged": {"type": "boolean", "description": "True in the answer to an update that changed nothing."}`
	shownRequired = `"id", "name", "description", "enabled", "category", "priority", "condition", "action", "metadata",
      "version", "created_by"`
	// givenFields are the fields that a guideline can have in a request.
	givenFields = `
    "description": {"type": ["string", "null"], "maxLength": 2000, "pattern": ` + jsonFreeText + `},
    "enabled": {"type": ["boolean", "null"], "description": "Default for a new guideline: true."},
    "locked": {"type": ["boolean", "null"],
      "description": "If true, nobody can switch the guideline off or allow a call once, and exceptions from other layers do not apply to it. Default: false."},
    "priority": {"type": ["integer", "null"], "minimum": 0, "maximum": 1000,
      "description": "The guideline with the higher priority decides. Default for a new guideline: 500."},
    "metadata": {"type": ["object", "null"],
      "description": "Any fields. The field \"tags\" lists tags, and the field \"aliases\" lists other ids of the guideline."},
    "created_at": {"type": ["string", "null"], "format": "date-time",
      "description": "The store sets this field. A value in a request is ignored."},
    "updated_at": {"type": ["string", "null"], "format": "date-time",
      "description": "The store sets this field. A value in a request is ignored."},
    "created_by": {"type": ["string", "null"], "maxLength": 200, "pattern": ` + jsonOneLine + `,
      "description": "The store sets this field. A value in a request is ignored."},
    "tenant_id": {"type": ["string", "null"], "maxLength": 128, "pattern": ` + jsonOneLine + `,
      "description": "The tenant that the caller expects. If it is not the token's tenant, the request is refused."},
    "project_id": {"type": ["string", "null"], "maxLength": 200, "pattern": ` + jsonOneLine + `,
      "description": "The project that the guideline belongs to, such as github.com/acme/shop; without it, all projects. A guideline stays in its project."}`
)

const guidelineSchemas = `
  "Guideline": {"type": "object", "description": "A guideline in the store.", "properties": {` + shownFields + `},
      "required": [` + shownRequired + `]},
  "Condition": {"type": "object", "additionalProperties": false,
    "description": "When the guideline applies: every given field must match. A list matches if one of its items matches.", "properties": {
    "agents": ` + wordList + `, "domains": ` + wordList + `, "actions": ` + wordList + `,
    "paths": {"description": "Globs, such as src/*; * also matches slashes.", "type": ["array", "null"], "maxItems": 1000,
      "items": {"type": "string", "minLength": 1, "maxLength": 1024, "pattern": ` + jsonOneLine + `}},
    "events": ` + wordList + `, "gate_types": ` + wordList + `, "custom": ` + free + `}},
  "Action": {"type": "object", "additionalProperties": false, "description": "What the guideline does when it applies.", "properties": {
    "type": ` + actionType + `,
    "instruction": {"type": ["string", "null"], "maxLength": 10000, "pattern": ` + jsonFreeText + `},
    "tools_allowed": ` + patterns + `, "tools_denied": ` + patterns + `, "tools_asked": ` + patterns + `,
    "gate_type": {"type": ["string", "null"], "maxLength": 200, "pattern": ` + jsonOneLine + `,
      "description": "The name of the gate; required for the type hitl_gate."},
    "gate_threshold": {"enum": ["mandatory", "advisory", null], "description": "Default: mandatory."},
    "max_files": {"type": ["integer", "null"], "minimum": 0, "maximum": 2147483647}, "require_tests": {"type": ["boolean",
      "null"]}, "require_review": {"type": ["boolean", "null"]},
    "parameters": ` + free + `}, "required": ["type"], "allOf": [
    {"if": {"properties": {"type": {"const": "hitl_gate"}}}, "then": {"required": ["gate_type"],
      "properties": {"gate_type": {"type": "string", "minLength": 1}}}},
    {"if": {"properties": {"gate_threshold": {"type": "string"}}, "required": ["gate_threshold"]},
      "then": {"required": ["gate_type"], "properties": {"gate_type": {"type": "string", "minLength": 1}}}}]},
  "GuidelineList": {"type": "object", "properties": {"guidelines": {"type": "array",
      "items": {"$ref": "#/components/schemas/Guideline"}}, ` + paged + `},
    "required": ["guidelines", "total", "page", "page_size"]},
  "GuidelineExport": {"type": "array", "items": {"$ref": "#/components/schemas/Guideline"}},
  "History": {"type": "object", "properties": {"revisions": {"type": "array",
      "items": {"$ref": "#/components/schemas/Revision"}}, ` + paged + `},
    "required": ["revisions", "total", "page", "page_size"]},
  "Revision": {"type": "object", "description": "One version of a guideline, and the change that made it.", "properties": {
    "version": ` + version + `, "event_type": {"type": "string"}, "deleted": {"type": "boolean",
      "description": "True if this version is the deletion of the guideline. The field \"guideline\" then has the content before the deletion."},
    "actor": {"type": "string"}, "timestamp": ` + moment + `, "guideline": {"$ref": "#/components/schemas/Guideline"}},
    "required": ["version", "event_type", "deleted", "actor", "timestamp", "guideline"]}`
