package schema

const adminSchemas = `
  "Token": {"type": "object", "properties": {
    "name": {"type": "string"}, "tenant_id": {"type": "string"}, "role": {"type": "string", "enum": ["nobody", "read",
      "decide", "write", "admin"]},
    "created": ` + moment + `, "expires": {"type": "string", "format": "date-time", "description": "Missing if the token does not expire."},
    "problem": {"type": "string", "description": "Why the token cannot be used."},
    "token": {"type": "string", "description": "The secret. Only the answer that creates the token has it."}},
      "required": ["name", "tenant_id", "role"]},
  "TokenList": {"type": "object", "properties": {"tokens": {"type": "array",
      "items": {"$ref": "#/components/schemas/Token"}},` + paged + `}, "required": ["tokens", "total", "page", "page_size"]},
  "TokenCreate": {"type": "object", "additionalProperties": false, "required": ["name", "role"], "properties": {
    "name": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}, "role": {"type": "string", "enum": ["read", "decide",
      "write", "admin"]},
    "expires": {"type": ["string", "null"], "format": "date-time", "description": "Default: the token does not expire."}},
    "examples": [{"name": "ci", "role": "decide", "expires": "2099-01-31T12:00:00Z"}]},
  "Settings": {"type": "object", "properties": {"tenant_id": {"type": "string"}, "server_version": {"type": "string"},
    "settings": {"type": "object", "properties": {
      "strict": {"type": "boolean"}, "fallback_mode": {"type": "string"}, "cache_ttl": {"type": "integer"},
      "environment": {"type": "string"}, "default_agent": {"type": "string"}, "packs": ` + texts + `,
      "keep_days": {"type": "integer", "description": "How many days a decision is kept; 0 means no limit."},
      "keep_entries": {"type": "integer", "description": "How many decisions are kept; 0 means no limit."},
      "ignored": {"type": "array", "description": "Settings that have no effect.", "items": {"type": "object", "properties": {
        "setting": {"type": "string"}, "guideline": {"type": "string"}, "value": {"type": "string"},
      "why": {"type": "string"}, "needs_trust": {"type": "boolean"}}, "required": ["setting", "why"]}}},
      "required": ["strict", "fallback_mode", "cache_ttl", "environment", "default_agent", "packs", "keep_days",
      "keep_entries", "ignored"]}}, "required": ["tenant_id", "server_version"]},`
