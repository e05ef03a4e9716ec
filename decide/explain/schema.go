package explain

// Properties describes the fields of a Verdict in JSON Schema, and Required lists the fields that are always present.
// Transports, such as MCP, publish both texts as parts of their own schemas.
const (
	Properties = `
    "tool": {"type": "string"},
    "effects": {"type": "array", "description": "The effects of the call, in the order in which they happen.", "items": {"type": "object", "properties": {
      "kind": {"type": "string", "enum": ["read", "write", "delete", "run", "fetch", "send", "use", "opaque"]},
      "path": {"type": "string", "description": "Relative to the project's root, or beginning with / or ~."},
      "tree": {"type": "boolean"}, "glob": {"type": "boolean"}, "unknown": {"type": "boolean"}, "command": {"type": "string"}, "host": {"type": "string"},
      "name": {"type": "string"}, "events": ` + texts + `, "paths": ` + texts + `, "reason": {"type": "string"},
      "span": {"type": "object", "description": "The part of the call that the effect comes from. start and end count bytes.", "properties": {
        "start": {"type": "integer"}, "end": {"type": "integer"}, "text": {"type": "string"}}, "required": ["start", "end", "text"]}},
      "required": ["kind", "span"]}},
    "decision": {"type": "string", "enum": ["allow", "warn", "ask", "deny"]},
    "guideline": {"type": "string", "description": "The guideline that decides; empty when none objects."},
    "reason": {"type": "string", "description": "What the agent and the user read."},
    "instead": {"type": "string", "description": "What the agent may do instead."},
    "session_known": {"type": "boolean", "description": "False when the call was judged as the first of a new session."},
    "explanation": {"type": "object", "properties": {
      "findings": {"type": "array", "description": "Every objection, the deciding one first.", "items": {"type": "object", "properties": {
        "guideline": {"type": "string"}, "outcome": {"type": "string", "enum": ["warn", "ask", "deny"]},
        "effect": {"type": "integer", "description": "The index of the effect; -1 means the call as a whole."},
        "pattern": {"type": "string"}, "allowed": ` + texts + `, "event": {"type": "string"}, "span": {"type": "string"}},
        "required": ["guideline", "outcome", "effect"]}},
      "advice": {"type": "array", "description": "Instructions for just this call.", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "instruction": {"type": "string"}}, "required": ["id", "instruction"]}},
      "exceptions": {"type": "array", "description": "Exceptions that removed an objection.", "items": {"type": "object", "properties": {
        "guideline": {"type": "string"}, "reason": {"type": "string"}}, "required": ["guideline", "reason"]}},
      "guidelines": {"type": "array", "description": "Every guideline and its part in the decision.", "items": {"type": "object", "properties": {
        "id": {"type": "string"}, "why": {"type": "string"},
        "outcome": {"type": "string", "enum": ["deny", "ask", "warn", "advice", "excepted", "holds", "not_matched", "disabled", "other_tenant"]}},
        "required": ["id", "outcome", "why"]}}},
      "required": ["findings", "advice", "guidelines"]}`

	Required = `"tool", "effects", "decision", "guideline", "reason", "session_known", "explanation"`

	texts = `{"type": "array", "items": {"type": "string"}}`
)
