package schema

const replaySchemas = `
  "ReplayRequest": {"type": "object", "additionalProperties": false,
      "description": "What would be saved. If the object is empty, the saved guidelines judge the calls.", "properties": {
    "draft": {"anyOf": [{"$ref": "#/components/schemas/Draft"}, {"type": "null"}]},
    "remove": {"type": ["array", "null"], "maxItems": 1000, "items": {"type": "string"},
      "description": "Calls are judged as if these guidelines were deleted. ID stands for the guidelines with this id in every project, PROJECT/ID for the guideline of one project, and /ID for the guideline for all projects."}}},
  "ReplayVerdict": {"type": "object", "properties": {"result": {"type": "string"}, "guideline_id": {"type": "string"}},
      "required": ["result"]},
  "ReplayLine": {"type": "object", "properties": {
    "type": {"type": "string", "enum": ["progress", "result"]}, "total": {"type": "integer",
      "description": "The number of entries that match the filter."},
    "read": {"type": "integer"}, "calls": {"type": "integer"}, "replayed": {"type": "integer"},
      "changed": {"type": "integer"}, "unchanged": {"type": "integer"},
    "not_replayed": {"type": "integer", "description": "The number of calls that cannot be judged again."},
    "reasons": {"type": "array", "items": {"type": "object", "properties": {
      "reason": {"type": "string"}, "about": {"type": "string"}, "count": {"type": "integer"}}, "required": ["reason", "about", "count"]}},
    "groups": {"type": "array", "description": "The calls whose decision changes, grouped by their old and new decisions. Empty in lines about the progress.", "items": {"type": "object", "properties": {
      "was": {"$ref": "#/components/schemas/ReplayVerdict"}, "would": {"$ref": "#/components/schemas/ReplayVerdict"},
      "by_draft": {"type": "boolean", "description": "True if the difference comes from the draft: without the draft, the saved guidelines would decide as recorded."}, "count": {"type": "integer"},
      "calls": {"type": "array", "description": "The first calls of the group.", "items": {"type": "object", "properties": {
        "entry_id": {"type": "string"}, "timestamp": {"type": "string", "format": "date-time"}, "agent": {"type": "string"},
      "session_id": {"type": "string"},
        "tool": {"type": "string"}, "text": {"type": "string", "description": "Those parts of the call that were recorded."},
      "reason": {"type": "string"}},
        "required": ["entry_id", "timestamp", "tool", "text"]}}}, "required": ["was", "would", "by_draft", "count", "calls"]}},
    "in_more_groups": {"type": "integer"}, "truncated": {"type": "boolean",
      "description": "True if the replay ended before the last entry."},
    "first": {"type": "string", "format": "date-time"}, "last": {"type": "string", "format": "date-time"}, "notices": ` + texts + `},
    "required": ["type", "total", "read", "calls", "replayed", "changed", "unchanged", "not_replayed", "reasons", "groups",
      "in_more_groups", "truncated", "notices"]},`
