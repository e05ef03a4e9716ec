package schema

const sessionSchemas = `
  "Session": {"type": "object", "properties": {
    "name": {"type": "string", "description": "The name of the caller in the audit."}, "tenant_id": {"type": "string"},
    "role": {"type": "string", "enum": ["read", "decide", "write", "admin"]},
    "expires": {"type": "string", "format": "date-time",
      "description": "The time at which the session ends at the latest. Missing for a caller with a token."},
    "server_version": {"type": "string"},
    "key": {"type": "string", "description": "Only in a new session: the value of the header X-Guardrails-Page."}},
      "required": ["name", "tenant_id", "role", "server_version"]},
  "SessionBegin": {"type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1, "properties": {
    "code": {"type": "string", "description": "A code of \"guardrails ui\"."}, "token": {"type": "string"}}},
  "ProofRequest": {"type": "object", "additionalProperties": false, "required": ["nonce"],
      "properties": {"nonce": {"type": "string", "minLength": 16, "maxLength": 100}}},
  "Proof": {"type": "object", "properties": {"proof": {"type": "string"}}, "required": ["proof"]},`
