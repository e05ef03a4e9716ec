package mcp

// What a guideline is made of, for those who write one.
const (
	guidelineFields = `
    "name": {"type": "string", "maxLength": 200, "description": "What people call it"},
    "description": {"type": "string", "description": "What it is for"},
    "enabled": {"type": "boolean", "description": "Whether it holds; true where it is not given"},
    "category": {"type": "string", "enum": ["cognitive_isolation", "hitl_gate", "tdd_protocol", "context_constraint", "audit_telemetry", "security", "custom"]},
    "priority": {"type": "integer", "minimum": 0, "maximum": 1000, "description": "The higher one decides; 500 where it is not given"},
    "condition": {"type": "object", "description": "When it holds: every field that is set must match, any item of it will do", "properties": {
      "agents": ` + texts + `, "domains": ` + texts + `, "actions": ` + texts + `, "paths": ` + texts + `, "events": ` + texts + `, "gate_types": ` + texts + `,
      "custom": {"type": "object"}}, "additionalProperties": false},
    "action": {"type": "object", "description": "What holds then", "properties": {
      "type": {"type": "string", "enum": ["instruction", "tool_restriction", "hitl_gate", "constraint", "telemetry"]},
      "instruction": {"type": "string"}, "tools_allowed": ` + texts + `, "tools_denied": ` + texts + `,
      "gate_type": {"type": "string"}, "gate_threshold": {"type": "string", "enum": ["mandatory", "advisory"]},
      "max_files": {"type": "integer", "minimum": 0}, "require_tests": {"type": "boolean"}, "require_review": {"type": "boolean"},
      "parameters": {"type": "object"}}, "required": ["type"], "additionalProperties": false},
    "metadata": {"type": "object"}`

	idField = `
    "id": {"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]*$", "maxLength": 128, "description": "The guideline's id, such as hitl-gate-friday-deploys"},`

	guidelineInput = `{"type": "object", "properties": {` + idField + guidelineFields + `},
      "required": ["id", "name", "category", "action"]}`

	versionField = `
    "version": {"type": "integer", "minimum": 1, "description": "The version that you saw, as guardrails_get shows it: a change by somebody else in between is not overwritten"}`

	writeIDField = `
    "write_id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$", "description": "A name that you make up for this change and no other: when no answer came, the same call again makes the change once, and gives its first answer"}`
)

const createInput = `{
  "type": "object",
  "properties": {
    "guideline": ` + guidelineInput + `,` + writeIDField + `
  },
  "required": ["guideline"],
  "additionalProperties": false
}`

const updateInput = `{
  "type": "object",
  "properties": {` + idField + versionField + `,` + guidelineFields + `,` + writeIDField + `
  },
  "required": ["id", "version"],
  "additionalProperties": false
}`

const refInput = `{
  "type": "object",
  "properties": {` + idField + versionField + `,` + writeIDField + `
  },
  "required": ["id", "version"],
  "additionalProperties": false
}`

const importInput = `{
  "type": "object",
  "properties": {
    "guidelines": {"type": "array", "minItems": 1, "maxItems": 1000, "items": ` + guidelineInput + `},
    "on_conflict": {"type": "string", "enum": ["fail", "skip", "update"], "description": "What is done with an id that exists; fail where it is not given"},
    "dry_run": {"type": "boolean", "description": "Only say what would be done"},` + writeIDField + `
  },
  "required": ["guidelines"],
  "additionalProperties": false
}`

const auditInput = `{
  "type": "object",
  "properties": {
    "guideline_id": {"type": "string", "description": "Only entries about this guideline"},
    "event_type": {"type": "string", "description": "Only this event", "examples": ["guideline_updated", "decision"]},
    "session_id": {"type": "string", "description": "Only entries of this session"},
    "actor": {"type": "string", "description": "Only what this person, program or agent did"},
    "date_from": {"type": "string", "description": "Only from this time on", "examples": ["2026-01-31", "2026-01-31T12:00:00Z"]},
    "date_to": {"type": "string", "description": "Only until this time, or to the end of this day", "examples": ["2026-01-31", "2026-01-31T12:00:00Z"]},
    "page": {"type": "integer", "minimum": 1, "description": "Which page; the first one has the newest entries"},
    "page_size": {"type": "integer", "minimum": 1, "maximum": 200, "description": "How many entries a page has; 20 where it is not given"}
  },
  "additionalProperties": false
}`

const changedOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "guideline": ` + guidelineShape + `
  },
  "required": ["success", "guideline"]
}`

const deletedOutput = `{
  "type": "object",
  "properties": {"success": {"type": "boolean"}, "id": {"type": "string"}, "version": {"type": "integer"}},
  "required": ["success", "id", "version"]
}`

const importOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "applied": {"type": "boolean", "description": "Whether the guidelines were taken in: not in a dry run, and not when one failed"},
    "items": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "outcome": {"type": "string", "enum": ["created", "updated", "unchanged", "skipped", "failed"]}, "version": {"type": "integer"},
        "code": {"type": "string"}, "message": {"type": "string"}}, "required": ["id", "outcome"]}},
    "problem": {"type": "string", "description": "Why nothing was taken in"}
  },
  "required": ["success", "applied", "items"]
}`

const auditOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "entries": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "kind": {"type": "string", "enum": ["change", "decision"]}, "timestamp": {"type": "string"}, "event_type": {"type": "string"},
        "actor": {"type": "string"}, "session_id": {"type": "string"}, "guideline_id": {"type": "string"}, "guideline_name": {"type": "string"},
        "guideline_version": {"type": "integer"}, "changes": {"type": "array", "items": {"type": "object"}}, "decision": {"type": "object"}, "context": {"type": "object"}},
      "required": ["id", "kind", "timestamp", "event_type"]}},
    "total": {"type": "integer", "description": "How many entries there are on all pages"},
    "page": {"type": "integer"},
    "page_size": {"type": "integer"}
  },
  "required": ["success", "entries", "total", "page", "page_size"]
}`
