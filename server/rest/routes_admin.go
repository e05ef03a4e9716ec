package rest

import (
	"net/http"

	"guardrails/server/access"
)

// adminRoutes returns the routes for tokens and settings.
func adminRoutes() []route {
	const tokens = base + "/tokens"
	return []route{
		{
			method: http.MethodGet, path: tokens, name: "list_tokens", role: access.Admin, summary: "List the tokens of the tenant",
			about: "The list does not have the first token, whose name is `owner`.", serve: (*call).tokens,
			answers: []answer{{status: http.StatusOK, about: "The tokens, without their secrets", schema: "TokenList", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: tokens, name: "create_token", role: access.Admin, summary: "Create a token",
			about: "The token is for the caller's tenant. Only this answer has its secret, which cannot be shown again.",
			body:  &body{schema: "TokenCreate", most: maxOne}, serve: (*call).createToken,
			answers: []answer{{status: http.StatusCreated, about: "The new token with its secret", schema: "Token", types: []string{typeJSON}}},
		},
		{
			method: http.MethodDelete, path: tokens + "/" + idSegment, idAbout: "The name of the token.", name: "revoke_token", role: access.Admin,
			summary: "Revoke a token", about: "The token is invalid at once. Its sessions and streams end.", serve: (*call).revokeToken,
			answers: []answer{{status: http.StatusNoContent, about: "The token has been revoked"}},
		},
		{
			method: http.MethodGet, path: base + "/settings", name: "get_settings", role: access.Read, summary: "Get the settings of the server's project",
			about: "A caller of another tenant gets only the caller's tenant and the version of the server.", serve: (*call).settings,
			answers: []answer{{status: http.StatusOK, about: "The settings", schema: "Settings", types: []string{typeJSON}}},
		},
	}
}

const adminSchemas = `
  "Token": {"type": "object", "properties": {
    "name": {"type": "string"}, "tenant_id": {"type": "string"}, "role": {"type": "string", "enum": ["nobody", "read", "decide", "write", "admin"]},
    "created": ` + moment + `, "expires": {"type": "string", "format": "date-time", "description": "Missing if the token does not expire."},
    "problem": {"type": "string", "description": "Why the token cannot be used."},
    "token": {"type": "string", "description": "The secret. Only the answer that creates the token has it."}}, "required": ["name", "tenant_id", "role"]},
  "TokenList": {"type": "object", "properties": {"tokens": {"type": "array", "items": {"$ref": "#/components/schemas/Token"}}}, "required": ["tokens"]},
  "TokenCreate": {"type": "object", "additionalProperties": false, "required": ["name", "role"], "properties": {
    "name": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}, "role": {"type": "string", "enum": ["read", "decide", "write", "admin"]},
    "expires": {"type": ["string", "null"], "format": "date-time", "description": "Default: the token does not expire."}},
    "examples": [{"name": "ci", "role": "decide", "expires": "2099-01-31T12:00:00Z"}]},
  "Settings": {"type": "object", "properties": {"tenant_id": {"type": "string"}, "server_version": {"type": "string"},
    "settings": {"type": "object", "properties": {
      "strict": {"type": "boolean"}, "fallback_mode": {"type": "string"}, "cache_ttl": {"type": "integer"}, "environment": {"type": "string"}, "default_agent": {"type": "string"}, "packs": ` + texts + `,
      "keep_days": {"type": "integer", "description": "How many days a decision is kept; 0 means no limit."}, "keep_entries": {"type": "integer", "description": "How many decisions are kept; 0 means no limit."},
      "ignored": {"type": "array", "description": "Settings that have no effect.", "items": {"type": "object", "properties": {
        "setting": {"type": "string"}, "guideline": {"type": "string"}, "value": {"type": "string"}, "why": {"type": "string"}, "needs_trust": {"type": "boolean"}}, "required": ["setting", "why"]}}},
      "required": ["strict", "fallback_mode", "cache_ttl", "environment", "default_agent", "packs", "keep_days", "keep_entries", "ignored"]}}, "required": ["tenant_id", "server_version"]},`
