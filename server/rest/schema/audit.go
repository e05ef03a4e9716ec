package schema

const auditSchemas = `
  "AuditList": {"type": "object", "properties": {"entries": {"type": "array",
      "items": {"$ref": "#/components/schemas/AuditEntry"}}, ` + paged + `},
    "required": ["entries", "total", "page", "page_size"]},
  "AuditEntry": {"type": "object", "description": "A change of the configuration, or a decision.", "properties": {
    "id": {"type": "string"}, "tenant_id": {"type": "string"}, "writer": {"type": "string",
      "description": "The writer of the chain that contains the entry."},
    "kind": {"type": "string", "enum": ["change", "decision"]}, "seq": {"type": "integer",
      "description": "The entry's position in its chain."},
    "timestamp": ` + moment + `, "event_type": {"type": "string"}, "actor": {"type": "string"}, "session_id": {"type": "string"},
    "guideline_id": {"type": "string"}, "project_id": {"type": "string",
      "description": "The project that the changed guideline belongs to. Missing if it belongs to all projects."},
      "guideline_name": {"type": "string"}, "guideline_version": {"type": "integer"},
    "changes": {"type": "array", "items": {"type": "object", "properties": {"field": {"type": "string"}, "old_value": {},
      "new_value": {}}, "required": ["field"]}},
    "revision_digest": {"type": "string"},
    "pruning": {"type": "object", "properties": {"writer": {"type": "string"}, "seq": {"type": "integer"},
      "hash": {"type": "string"}}, "required": ["writer", "seq", "hash"]},
    "decision": {"type": "object", "properties": {
      "result": {"type": "string"}, "reason": {"type": "string"}, "user_response": {"type": "string"},
      "tool": {"type": "string"}, "effects_digest": {"type": "string"},
      "duration_us": {"type": "integer"}, "fallback": {"type": "string"}}, "required": ["result"]},
    "context": {"$ref": "#/components/schemas/Context"},
    "prev": {"type": "string", "description": "The hash of the previous entry."}, "hash": {"type": "string",
      "description": "The hash of this entry."}},
    "required": ["id", "writer", "kind", "seq", "timestamp", "event_type", "hash"]},
  "Decisions": {"type": "object", "properties": {"entries": {"type": "array", "maxItems": 2000,
      "items": {"$ref": "#/components/schemas/SentDecision"}}}, "required": ["entries"]},
  "SentDecision": {"type": "object", "description": "A decision of a hook.", "properties": {
    "id": {"type": "string", "minLength": 1, "maxLength": 200, "description": "The sender's id of the decision. The entry has an id of its own, and has the sender's id in its metadata, as sent_id."},
    "timestamp": ` + moment + `, "event_type": {"type": "string", "minLength": 1, "description": "The kind of the record that the hook made, such as \"decision\"."},
    "session_id": {"type": "string"}, "guideline_id": {"type": "string"}, "project_id": {"type": "string"},
    "guideline_name": {"type": "string"}, "guideline_version": {"type": "integer"},
    "decision": {"type": "object", "properties": {
      "result": {"type": "string"}, "reason": {"type": "string"}, "user_response": {"type": "string"},
      "tool": {"type": "string"}, "effects_digest": {"type": "string"},
      "duration_us": {"type": "integer"}, "fallback": {"type": "string"}}, "required": ["result"]},
    "context": {"$ref": "#/components/schemas/Context"}}, "required": ["id", "timestamp", "event_type", "decision"]},
  "AddedDecisions": {"type": "object", "properties": {"count": {"type": "integer",
      "description": "How many different decisions of the request are now in the audit."}}, "required": ["count"]},
  "AuditHeads": {"type": "object", "properties": {
    "note": {"type": "object", "properties": {
      "at": ` + moment + `, "store": {"type": "string", "description": "A hash of the store's location."}, "tenant_id": {"type": "string"},
      "generation": {"type": "integer", "description": "A number that grows with every change of a guideline."},
      "heads": {"type": "array", "items": {"type": "object", "properties": {
        "tenant_id": {"type": "string"}, "writer": {"type": "string"}, "kind": {"type": "string"},
      "seq": {"type": "integer"}, "hash": {"type": "string"},
        "base": {"type": "integer"}, "base_hash": {"type": "string"}}, "required": ["writer", "kind", "seq", "hash"]}},
      "accepted_by": {"type": "string"}, "verified": {"type": "boolean"},
      "key": {"type": "string", "description": "The id of the key that signed the note."}, "signature": {"type": "string",
      "description": "The Ed25519 signature of the note without this field, in base64."}},
      "required": ["at", "store", "generation", "heads"]},
    "keys": {"type": "array", "items": {"type": "object", "properties": {
      "id": {"type": "string"}, "public_key": {"type": "string"}, "created": ` + moment + `, "replaced": ` + moment + `},
      "required": ["id", "public_key", "created"]}}},
    "required": ["note", "keys"]},
  "Verification": {"type": "object", "properties": {
    "intact": {"type": "boolean", "description": "Whether no entry was altered, removed, moved or cut off."},
    "last_full": {"type": "string", "format": "date-time", "description": "The start of the last verification that read every entry."},
    "verdicts": {"type": "array", "items": {"type": "object", "properties": {
      "tenant_id": {"type": "string"}, "writer": {"type": "string"}, "kind": {"type": "string"}, "seq": {"type": "integer"},
      "hash": {"type": "string"},
      "base": {"type": "integer"}, "base_hash": {"type": "string"}, "entries": {"type": "integer"}, "intact": {"type": "boolean"},
      "skipped": {"type": "integer", "description": "How many entries were not read, because an earlier verification found them intact."},
      "fault": {"type": "object", "description": "The first damaged entry.", "properties": {
        "seq": {"type": "integer"}, "id": {"type": "string"}, "damage": {"type": "string"}, "why": {"type": "string"}},
      "required": ["seq", "damage", "why"]}},
      "required": ["writer", "kind", "seq", "hash", "entries", "intact"]}}},
    "required": ["intact", "verdicts"]},
  "Event": {"type": "object", "description": "The data of an event.", "properties": {
    "guideline_id": {"type": "string"}, "project_id": {"type": "string",
      "description": "Missing if the guideline belongs to all projects."}, "version": {"type": "integer"},
      "actor": {"type": "string"}, "entry": {"$ref": "#/components/schemas/AuditEntry"},
    "missed_events": {"type": "integer", "description": "In the event \"gap\": the number of events that the caller missed. The field is absent if the number is unknown."}}}`

const otherSchemas = `
  "Document": {"type": "object"},
  "Stats": {"type": "object", "properties": {
    "guidelines": {"type": "object", "properties": {
      "total": {"type": "integer"}, "enabled": {"type": "integer"}, "by_category": {"type": "object",
      "additionalProperties": {"type": "integer"}},
      "by_action_type": {"type": "object", "additionalProperties": {"type": "integer"}}}, "required": ["total", "enabled",
      "by_category", "by_action_type"]},
    "audit": {"type": "object", "properties": {"entries": {"type": "integer"}, "last_24_hours": {"type": "integer"}},
      "required": ["entries", "last_24_hours"]},
    "safety": {"type": "object", "description": "Answers of the last 30 days that the output guard checked because the message showed a risk. The interventions are the answers that were replaced, or that would have been replaced if the mode were \"enforce\"", "properties": {"output_audits": {"type": "integer"}, "interventions": {"type": "integer"}, "intervention_rate": {"type": "number", "minimum": 0, "maximum": 1},
      "repeated": {"type": "array", "description": "The risks that occurred often in the messages whose answers were checked in the last 24 hours: self-harm more than once, delusions of grandeur more than 5 times, aggression more than 10 times", "items": {"type": "object", "properties": {
        "risk": {"type": "string"}, "count": {"type": "integer"}, "level": {"type": "string", "enum": ["warning",
      "critical"]}}, "required": ["risk", "count", "level"]}}}, "required": ["output_audits", "interventions",
      "intervention_rate", "repeated"]},
    "store": {"type": "object", "properties": {
      "place": {"type": "string", "description": "The kind of the store: sqlite or elasticsearch."},
      "generation": {"type": "integer", "description": "A number that is different after every change of a guideline."},
      "read_at": {"type": "string", "format": "date-time", "description": "The time at which the store last confirmed these numbers."},
      "error": {"type": "string", "description": "Why the store could not confirm the numbers after read_at."}},
      "required": ["place", "generation", "read_at"]},
    "server_version": {"type": "string"}}, "required": ["guidelines", "audit", "safety", "store", "server_version"]},
  "Problem": {"type": "object", "description": "A failure in the form of RFC 9457.", "properties": {
    "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"},
      "code": {"type": "string"},
    "errors": {"type": "array", "description": "All mistakes in the request.", "items": {"type": "object", "properties": {
      "path": {"type": "string", "description": "The name of a parameter or header, or the place of a field in the body, such as condition.paths[2]."},
      "line": {"type": "integer", "description": "The number of the line in the body. It is missing if the body has only one line."},
      "code": {"type": "string", "description": "The kind of the mistake in the input of a detector: INPUT_INVALID, INPUT_TOO_LARGE, INPUT_MISSING, WINDOW_OUT_OF_RANGE, HISTORY_OUT_OF_ORDER, SESSION_ID_MISMATCH, THRESHOLDS_NOT_ASCENDING or INVALID_END_OF_DAY."},
      "message": {"type": "string"}, "remedy": {"type": "string"}}, "required": ["path", "message"]}},
    "current_version": {"type": "integer", "description": "The guideline's version now."},
    "fault": {"type": "string", "enum": ["older", "lost", "full"],
      "description": "What is wrong with the store: it lacks data that it had before, it is missing, or its disk is full."},
    "changed": {"type": "string", "enum": ["no", "unknown"],
      "description": "Only after a change that failed with a status of 500 or more: \"no\" if nothing was changed, and \"unknown\" if the change may have been made."},
    "items": {"type": "array", "description": "The results of an import that failed.",
      "items": {"$ref": "#/components/schemas/ImportItem"}}},
    "required": ["type", "title", "status", "detail", "code"]}`
