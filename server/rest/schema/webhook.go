package schema

const (
	hookURL = `"maxLength": 2048, "description": "Where events are sent: https, or http to the server's own computer."},`

	hookFields = `
    "format": {"type": ["string", "null"], "enum": ["json", "slack", "discord", null],
      "description": "The form of the body. By default, it depends on the host in the URL."},
    "events": {"type": ["array", "null"], "maxItems": 50, "items": {"type": "string", "maxLength": 200},
      "description": "The events to send: *, a prefix such as safety.*, or a name. Events of decisions and detectors must be named. The default is *."},
    "allow_private": {"type": ["boolean", "null"], "description": "Whether the address can be in a private network."},
    "description": {"type": ["string", "null"], "maxLength": 200}, "enabled": {"type": ["boolean", "null"]}`
	hookTime  = `{"type": "string", "format": "date-time"}`
	hookShown = `
    "id": {"type": "string", "pattern": "^wh_[0-9a-f]+$"}, "version": ` + version + `,
    "url": {"type": "string", "description": "The URL without the parts that can be secrets."}, "format": {"type": "string",
      "enum": ["json", "slack", "discord"]},
    "events": ` + texts + `, "allow_private": {"type": "boolean"}, "description": {"type": "string"}, "enabled": {"type": "boolean"},
    "disabled_reason": {"type": "string", "description": "Why nothing is sent."}, "created_at": ` + hookTime + `,
      "updated_at": ` + hookTime + `, "created_by": {"type": "string"},
    "last_try": {"$ref": "#/components/schemas/Try"}, "failures": {"type": "integer",
      "description": "How many tries have failed since the last success."}`
	hookRequired = `"id", "version", "url", "format", "events", "allow_private", "description", "enabled", "created_at",
      "updated_at", "created_by", "failures"`
)

const webhookSchemas = `
  "WebhookCreate": {"type": "object", "additionalProperties": false, "properties": {
    "url": {"type": "string", ` + hookURL + hookFields + `}, "required": ["url"],
    "examples": [{"url": "https://hooks.example.com/guardrails", "events": ["safety.*"], "description": "People on duty"}]},
  "WebhookUpdate": {"type": "object", "additionalProperties": false, "description": "The fields that change.", "properties": {
    "version": {"type": ["integer", "null"], "minimum": 1, "maximum": 2147483647,
      "description": "The version that the caller saw."},
    "url": {"type": ["string", "null"], ` + hookURL + hookFields + `},
    "examples": [{"version": 1, "events": ["safety.blocked"]}]},
  "Webhook": {"type": "object", "properties": {` + hookShown + `}, "required": [` + hookRequired + `]},
  "WebhookSecret": {"type": "object", "properties": {` + hookShown + `, "secret": {"type": "string",
      "description": "The secret for signatures. It is missing if the format has no signature."}}, "required": [` + hookRequired + `]},
  "WebhookList": {"type": "object", "properties": {"webhooks": {"type": "array",
      "items": {"$ref": "#/components/schemas/Webhook"}}}, "required": ["webhooks"]},
  "WebhookRemoved": {"type": "object", "properties": {"success": {"type": "boolean"}, "id": {"type": "string"}},
      "required": ["success", "id"]},
  "Try": {"type": "object", "properties": {
    "attempt": {"type": "integer", "minimum": 1}, "at": ` + hookTime + `, "status": {"type": "integer",
      "description": "The status code of the answer. It is missing if there was no answer."},
    "error": {"type": "string", "description": "Why there was no answer."}, "duration_ms": {"type": "integer"}, "next_at": ` + hookTime + `,
    "answer": {"type": "string", "description": "The beginning of the answer, with secrets masked."}},
      "required": ["attempt", "at", "duration_ms"]},
  "Delivery": {"type": "object", "properties": {
    "id": {"type": "string", "pattern": "^dlv_[0-9a-f]+$"}, "endpoint": {"type": "string",
      "description": "The id of the webhook."}, "event": {"type": "string"},
    "replay_of": {"type": "string", "description": "The earlier delivery that this delivery repeats."}, "state": {"type": "string",
      "enum": ["pending", "delivered", "given_up"]},
    "created_at": ` + hookTime + `, "next_at": ` + hookTime + `, "body": {"type": "string",
      "description": "The event as JSON. Slack and Discord get a message about it."},
    "tries": {"type": "array", "items": {"$ref": "#/components/schemas/Try"}}}, "required": ["id", "endpoint", "event",
      "state", "created_at", "body", "tries"]},
  "DeliveryList": {"type": "object", "properties": {"deliveries": {"type": "array",
      "items": {"$ref": "#/components/schemas/Delivery"}},` + paged + `},
    "required": ["deliveries", "total", "page", "page_size"]}`
