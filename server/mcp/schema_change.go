package mcp

const (
	guidelineFields = `
    "name": {"type": "string", "maxLength": 200, "description": "The name for people"},
    "description": {"type": "string", "description": "The purpose"},
    "enabled": {"type": "boolean", "description": "Whether the guideline is enabled; default true"},
    "category": {"type": "string", "enum": ["cognitive_isolation", "hitl_gate", "tdd_protocol", "context_constraint", "audit_telemetry", "security", "custom"]},
    "priority": {"type": "integer", "minimum": 0, "maximum": 1000, "description": "The guideline with the higher priority decides; default 500"},
    "condition": {"type": "object", "description": "When the guideline applies: every given field must match. A list matches if one of its items matches", "properties": {
      "agents": ` + texts + `, "domains": ` + texts + `, "actions": ` + texts + `, "paths": ` + texts + `, "events": ` + texts + `, "gate_types": ` + texts + `,
      "custom": {"type": "object"}}, "additionalProperties": false},
    "action": {"type": "object", "description": "What the guideline does", "properties": {
      "type": {"type": "string", "enum": ["instruction", "tool_restriction", "hitl_gate", "constraint", "telemetry"]},
      "instruction": {"type": "string"}, "tools_allowed": ` + texts + `, "tools_denied": ` + texts + `, "tools_asked": ` + texts + `,
      "gate_type": {"type": "string"}, "gate_threshold": {"type": "string", "enum": ["mandatory", "advisory"]},
      "max_files": {"type": "integer", "minimum": 0}, "require_tests": {"type": "boolean"}, "require_review": {"type": "boolean"},
      "parameters": {"type": "object"}}, "required": ["type"], "additionalProperties": false},
    "metadata": {"type": "object"}`

	idField = `
    "id": {"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]*$", "maxLength": 128, "description": "The guideline's id, such as hitl-gate-deployments"},`

	guidelineInput = `{"type": "object", "properties": {` + idField + guidelineFields + `},
      "required": ["id", "name", "category", "action"]}`

	versionField = `
    "version": {"type": "integer", "minimum": 1, "description": "The version that you saw, as guardrails_get shows it. If somebody else has changed the guideline since, the call fails"}`

	writeIDField = `
    "write_id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$", "description": "A name that you choose for this change only. If you get no answer, repeat the call with the same name: the change is made once, and you get the first answer"},
    "project_id": {"type": "string", "maxLength": 200, "description": "The project that the guideline belongs to, as guardrails_list shows it; default: the project that the server runs in, or all projects if the caller is on the network"},
    "all_projects": {"type": "boolean", "description": "The guideline belongs to all projects, and the change applies in all of them"}`
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
    "on_conflict": {"type": "string", "enum": ["fail", "skip", "update"], "description": "What to do with a guideline whose id already exists; default: fail"},
    "dry_run": {"type": "boolean", "description": "Only report what would happen"},` + writeIDField + `
  },
  "required": ["guidelines"],
  "additionalProperties": false
}`

const changedOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "guideline": ` + guidelineShape + `,
    "unchanged": {"type": "boolean", "description": "True if an update changed nothing, so that there is no new version"}
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
    "applied": {"type": "boolean", "description": "Whether the guidelines were imported; false in a dry run and if one failed"},
    "items": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "project_id": {"type": "string"}, "outcome": {"type": "string", "enum": ["created", "updated", "unchanged", "skipped", "failed"]}, "version": {"type": "integer"},
        "code": {"type": "string"}, "message": {"type": "string"}}, "required": ["id", "outcome"]}},
    "problem": {"type": "string", "description": "Why nothing was imported"}
  },
  "required": ["success", "applied", "items"]
}`

const auditOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},
    "entries": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "kind": {"type": "string", "enum": ["change", "decision"]}, "timestamp": {"type": "string"}, "event_type": {"type": "string"},
        "actor": {"type": "string"}, "session_id": {"type": "string"}, "guideline_id": {"type": "string"}, "project_id": {"type": "string"}, "guideline_name": {"type": "string"},
        "guideline_version": {"type": "integer"}, "changes": {"type": "array", "items": {"type": "object"}}, "decision": {"type": "object"}, "context": {"type": "object"}},
      "required": ["id", "kind", "timestamp", "event_type"]}},
    "total": {"type": "integer", "description": "Number of entries on all pages"},
    "page": {"type": "integer"},
    "page_size": {"type": "integer"},
    "next_cursor": {"type": "string", "description": "The cursor of the next page; missing on the last page"}
  },
  "required": ["success", "entries", "total", "page", "page_size"]
}`
