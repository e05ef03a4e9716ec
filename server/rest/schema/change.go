package schema

const changeSchemas = `
  "GuidelineCreate": {"type": "object", "additionalProperties": false, "description": "A new guideline.", "properties": {
    "id": ` + guardID + `, "name": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": ` + jsonOneLine + `},
      "category": ` + category + `,
    "condition": {"anyOf": [{"$ref": "#/components/schemas/Condition"}, {"type": "null"}]},
      "action": {"$ref": "#/components/schemas/Action"},
    "version": {"type": ["integer", "null"], "minimum": 0, "maximum": 2147483647,
      "description": "The store sets this field. A value in a request is ignored."},` + givenFields + `},
    "required": ["id", "name", "category", "action"],
    "examples": [{"id": "tests-first", "name": "Tests before code", "description": "A change begins with a test that fails.",
      "category": "tdd_protocol", "priority": 700,
      "condition": {"agents": ["backend"], "actions": ["implement"], "paths": ["src/*"]}, "action": {"type": "instruction",
      "instruction": "Write the test first.", "tools_denied": ["Write(migrations/*)"]},
      "metadata": {"tags": ["tests"]}}]},
  "GuidelineUpdate": {"type": "object", "additionalProperties": false, "description": "The fields that change.", "properties": {
    "id": {"type": ["string", "null"], "description": "The id in the path. No request can change an id."},
    "name": {"type": ["string", "null"], "minLength": 1, "maxLength": 200, "pattern": ` + jsonOneLine + `},
      "category": {"anyOf": [` + category + `, {"type": "null"}]},
    "condition": {"anyOf": [{"$ref": "#/components/schemas/Condition"}, {"type": "null"}]},
      "action": {"anyOf": [{"$ref": "#/components/schemas/Action"}, {"type": "null"}]},
    "version": {"type": ["integer", "null"], "minimum": 1, "maximum": 2147483647,
      "description": "The version that the caller saw."},` + givenFields + `},
    "examples": [{"version": 1, "priority": 900, "enabled": true}]},
  "GuidelineToggle": {"type": "object", "additionalProperties": false, "properties": {
    "version": {"type": ["integer", "null"], "minimum": 1, "maximum": 2147483647, "description": "The version that the caller saw."}}},
  "GuidelineRestore": {"type": "object", "additionalProperties": false, "properties": {
    "to_version": {"type": "integer", "minimum": 1, "maximum": 2147483647, "description": "The version whose content is restored."},
    "version": {"type": ["integer", "null"], "minimum": 1, "maximum": 2147483647,
      "description": "The newest version that the caller saw. For a deleted guideline, give the version of the deletion."}},
    "required": ["to_version"], "examples": [{"to_version": 1, "version": 2}]},
  "GuidelineImport": {"type": "array", "maxItems": 10000, "items": {"$ref": "#/components/schemas/GuidelineCreate"}},
  "ImportResult": {"type": "object", "properties": {
    "items": {"type": "array", "items": {"$ref": "#/components/schemas/ImportItem"}},
    "applied": {"type": "boolean", "description": "Whether the guidelines were imported; false in a dry run."},
      "dry_run": {"type": "boolean"},
    "created": {"type": "integer"}, "updated": {"type": "integer"}, "unchanged": {"type": "integer"},
      "skipped": {"type": "integer"}, "failed": {"type": "integer"}},
    "required": ["items", "applied", "dry_run", "created", "updated", "unchanged", "skipped", "failed"]},
  "ImportItem": {"type": "object", "properties": {
    "id": {"type": "string"}, "project_id": {"type": "string",
      "description": "Missing if the guideline belongs to all projects."}, "outcome": {"type": "string", "enum": ["created",
      "updated", "unchanged", "skipped", "failed"]},
    "version": {"type": "integer", "description": "The guideline's version after the import."}, "code": {"type": "string"},
      "message": {"type": "string"},
    "changes": {"type": "array", "description": "Only in a dry run: the fields of the existing guideline that differ.",
      "items": {"type": "object", "properties": {
      "field": {"type": "string"}, "old_value": {}, "new_value": {}}, "required": ["field"]}}},
    "required": ["id", "outcome"]},
  "Deleted": {"type": "object", "properties": {"success": {"type": "boolean"}, "id": {"type": "string"},
      "version": ` + version + `}, "required": ["success", "id", "version"]}`
