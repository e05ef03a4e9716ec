package schema

const questionSchemas = `
  "TaskContext": {"type": "object", "additionalProperties": false, "description": "A task. Fields that are not known are missing.", "properties": {
    "agent": ` + given + `, "domain": ` + given + `, "action": ` + given + `,
    "paths": {"type": ["array", "null"], "items": {"type": "string", "minLength": 1, "pattern": ` + jsonOneLine + `}},
    "event": ` + given + `, "gate_type": ` + given + `, "tenant_id": ` + given + `, "session_id": ` + given + `, "metadata": ` + free + `,
    "project_id": {"type": ["string", "null"], "maxLength": 200, "pattern": ` + jsonOneLine + `,
      "description": "The id of a project: the store's guidelines for it and for all projects apply. Default: the project of the server."},
    "unknown": {"type": ["array", "null"],
      "description": "Fields whose values are not known yet. If it depends on these fields whether a guideline applies, the guideline is listed too, with the part of its condition that cannot be compared yet.",
      "items": {"type": "string", "enum": ["agent", "domain", "action", "paths", "event", "gate_type", "metadata"]}},
    "prompt": {"type": ["string", "null"],
      "description": "What the user wrote. If the domain or the action is not given, guardrails takes it from this text."}},
    "examples": [{"agent": "backend", "action": "implement", "paths": ["src/worker.go"]}]},
  "Context": {"type": "object", "description": "A task whose missing fields were filled in.", "properties": {
    "agent": {"type": "string"}, "domain": {"type": "string"}, "action": {"type": "string"}, "paths": ` + texts + `,
      "event": {"type": "string"}, "gate_type": {"type": "string"},
    "tenant_id": {"type": "string"}, "session_id": {"type": "string"}, "metadata": {"type": "object"}}, "required": ["agent"]},
  "EvaluatedContext": {"type": "object", "properties": {
    "matching_guidelines": {"type": "array", "description": "The highest priority comes first.",
      "items": {"$ref": "#/components/schemas/AppliedGuideline"}},
    "combined_instruction": {"type": "string"}, "tools_allowed": ` + texts + `, "tools_denied": ` + texts + `, "tools_asked": ` + texts + `,
    "gates_required": {"type": "array", "items": {"type": "object", "properties": {
      "gate_type": {"type": "string"}, "threshold": {"type": "string", "enum": ["mandatory", "advisory"]},
      "guideline_id": {"type": "string"}}, "required": ["gate_type", "threshold", "guideline_id"]}},
    "constraints": {"type": "object", "properties": {"max_files": {"type": "integer"}, "require_tests": {"type": "boolean"},
      "require_review": {"type": "boolean"}}},
    "omitted": {"description": "Guidelines whose instruction was left out because the text was too long.", "type": "array",
      "items": {"type": "string"}},` + originFields + `},
    "required": ["matching_guidelines", "combined_instruction", "tools_allowed", "tools_denied", "gates_required",
      "constraints", "context", "source"]},
  "AppliedGuideline": {"type": "object", "properties": {` + shownFields + `, "matched_fields": ` + texts + `,
    "residual": {"$ref": "#/components/schemas/Condition", "description": "The part of the condition that cannot be compared yet."}},
    "required": [` + shownRequired + `, "matched_fields"]},
  "Explanation": {"type": "object", "properties": {
    "guidelines": {"type": "array", "items": {"type": "object", "properties": {
      "id": {"type": "string"}, "priority": {"type": "integer"}, "outcome": {"type": "string", "enum": ["matched",
      "not_matched", "residual", "disabled"]},
      "decided_by": {"type": "string", "description": "The field that did not match."},
      "fields": {"type": "array", "items": {"type": "object", "properties": {
        "field": {"type": "string"}, "outcome": {"type": "string", "enum": ["matched", "not_matched", "absent", "unknown"]},
      "wanted": ` + texts + `, "got": {}, "hit": {"type": "string"}},
        "required": ["field", "outcome", "wanted"]}},
      "overridden": {"type": "array", "items": {"type": "object"}}}, "required": ["id", "priority", "outcome",
      "fields"]}},` + originFields + `},
    "required": ["guidelines", "context", "source"]}`

const (
	given        = `{"type": ["string", "null"], "pattern": ` + jsonOneLine + `}`
	originFields = `
    "context": {"$ref": "#/components/schemas/Context"}, "source": {"type": "string", "description": "Where the guidelines come from."},
    "fallback": {"type": "object", "description": "This object is present if something could not be read or reached.", "properties": {
      "mode": {"type": "string"}, "reason": {"type": "string"}, "since": {"type": "string"},
      "known_at": {"type": "string", "description": "The time at which the last known good guidelines were read."},
      "guidelines": {"type": "integer", "description": "How many guidelines are kept as the last known good ones."}}, "required": ["mode", "reason"]},
    "notices": {"description": "Sentences for the user.", "type": "array", "items": {"type": "string"}}`
)
