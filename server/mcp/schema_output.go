package mcp

// These constants are parts that several schemas contain.
const (
	texts = `{"type": "array", "items": {"type": "string"}}`

	constraintsShape = `{"type": "object", "properties": {
          "max_files": {"type": "integer"}, "require_tests": {"type": "boolean"}, "require_review": {"type": "boolean"}}}`

	sourceShape = `
    "source": {"type": "string", "enum": ["files", "store", "server", "snapshot", "static", "open"], "description": "Where the guidelines come from"},
    "fallback": {"type": "object", "description": "This object is present if something could not be read or reached", "properties": {
      "mode": {"type": "string", "enum": ["ask_user", "static_rules", "fail_open"]}, "reason": {"type": "string"}, "since": {"type": "string"},
      "known_at": {"type": "string", "description": "The time at which the last known good guidelines were read"},
      "guidelines": {"type": "integer", "description": "How many guidelines are kept as the last known good ones"}}, "required": ["mode", "reason"]},
    "notices": ` + texts

	guidelineShape = `{"type": "object", "properties": {
        "id": {"type": "string"}, "name": {"type": "string"}, "description": {"type": "string"}, "enabled": {"type": "boolean"}, "locked": {"type": "boolean"}, "category": {"type": "string"},
        "priority": {"type": "integer"}, "condition": {"type": "object"}, "action": {"type": "object"}, "metadata": {"type": "object"}, "version": {"type": "integer"}, "project_id": {"type": "string", "description": "The project that a guideline of the store belongs to. Missing if it belongs to all projects"}},
      "required": ["id", "name", "category", "priority", "action"]}`

	placeShape = `{"type": "object", "description": "The place where the guideline is defined: a file with its line, a rule of the client, a pack, a store or a server", "properties": {
        "kind": {"type": "string", "enum": ["file", "rule", "pack", "store", "server"]}, "layer": {"type": "string", "enum": ["managed", "user", "project"]},
        "file": {"type": "string"}, "line": {"type": "integer"}, "pack": {"type": "string"}, "address": {"type": "string"}, "version": {"type": "integer"},
        "project_id": {"type": "string", "description": "The project that a guideline of a store belongs to"},
        "all_projects": {"type": "boolean", "description": "True if a guideline of a store belongs to all projects"}}, "required": ["kind"]}`

	originShape = `
    "origin": ` + placeShape + `,
    "hides": {"type": "array", "description": "Other definitions with the same id, which do not apply", "items": ` + placeShape + `},`

	taskShape = `{"type": "object", "properties": {
      "agent": {"type": "string"}, "domain": {"type": "string"}, "action": {"type": "string"}, "paths": ` + texts + `, "event": {"type": "string"},
      "gate_type": {"type": "string"}, "tenant_id": {"type": "string"}, "session_id": {"type": "string"}, "metadata": {"type": "object"}}, "required": ["agent"]}`
)

const contextOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "count": {"type": "integer"},
    "matched_count": {"type": "integer"},
    "guidelines": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "name": {"type": "string"}, "category": {"type": "string"}, "priority": {"type": "integer"}, "action_type": {"type": "string"},
        "instruction": {"type": "string"}, "tools_allowed": ` + texts + `, "tools_denied": ` + texts + `, "tools_asked": ` + texts + `,
        "gate_type": {"type": "string"}, "gate_threshold": {"type": "string", "enum": ["mandatory", "advisory"]}, "constraints": ` + constraintsShape + `,
        "matched_fields": ` + texts + `, "residual": {"type": "object", "description": "The part of the condition that cannot be compared yet"}},
      "required": ["id", "name", "priority", "tools_allowed", "tools_denied"]}},
    "combined_instruction": {"type": "string"},
    "tools_allowed": ` + texts + `,
    "tools_denied": ` + texts + `,
    "tools_asked": ` + texts + `,
    "gates_required": {"type": "array", "items": {"type": "object", "properties": {
        "gate_type": {"type": "string"}, "threshold": {"type": "string"}, "guideline_id": {"type": "string"}}, "required": ["gate_type", "threshold", "guideline_id"]}},
    "constraints": ` + constraintsShape + `,
    "omitted": ` + texts + `,
    "context": ` + taskShape + `,` + sourceShape + `
  },
  "required": ["success", "count", "context", "source"]
}`

const decisionOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "audit_id": {"type": "string"}
  },
  "required": ["success", "audit_id"]
}`

const listOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "count": {"type": "integer", "description": "Number of guidelines that match the filter, on all pages"},
    "total": {"type": "integer", "description": "Number of all guidelines, whether they match the filter or not"},
    "page": {"type": "integer"},
    "page_size": {"type": "integer"},
    "next_cursor": {"type": "string", "description": "The cursor of the next page. Missing on the last page"},
    "guidelines": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "name": {"type": "string"}, "description": {"type": "string"}, "category": {"type": "string"}, "priority": {"type": "integer"},
        "enabled": {"type": "boolean"}, "action_type": {"type": "string"},` + originShape + ` "from": {"type": "string"}},
      "required": ["id", "name", "category", "priority", "enabled", "action_type", "from", "origin"]}},` + sourceShape + `
  },
  "required": ["success", "count", "total", "page", "page_size", "guidelines", "source"]
}`

const getOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "guideline": ` + guidelineShape + `,
    "from": {"type": "string", "description": "The file that defines the guideline"},` + originShape + sourceShape + `
  },
  "required": ["success", "guideline", "from", "origin"]
}`

const explainOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "context": ` + taskShape + `,
    "guidelines": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "priority": {"type": "integer"},
        "outcome": {"type": "string", "enum": ["matched", "not_matched", "residual", "disabled", "other_tenant"]},
        "decided_by": {"type": "string"},
        "fields": {"type": "array", "items": {"type": "object", "properties": {
            "field": {"type": "string"}, "outcome": {"type": "string", "enum": ["matched", "not_matched", "absent", "unknown"]},
            "wanted": ` + texts + `, "got": {}, "hit": {"type": "string"}}, "required": ["field", "outcome", "wanted"]}},
        "overridden": {"type": "array", "items": {"type": "object"}}},
      "required": ["id", "priority", "outcome", "fields"]}},` + sourceShape + `
  },
  "required": ["success", "context", "guidelines", "source"]
}`
