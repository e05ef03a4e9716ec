package schema

const trySchemas = `
  "Draft": {"type": "object", "additionalProperties": false, "properties": {
    "guidelines": {"type": ["array", "null"], "maxItems": 1000, "items": {"$ref": "#/components/schemas/GuidelineCreate"},
      "description": "The guidelines of the draft. They replace the saved guidelines with the same ids."}}},
  "LintRequest": {"type": "object", "additionalProperties": false,
      "description": "Either guidelines, or a text with its format.", "properties": {
    "guidelines": {"type": ["array", "null"], "maxItems": 1000, "items": {},
      "description": "A list with invalid items is accepted: the answer says which items are invalid, and why."},
    "text": {"type": ["string", "null"], "description": "A guideline file."}, "format": {"enum": ["yaml", "json",
      "markdown", null], "description": "Default: yaml."},
    "alone": {"type": ["boolean", "null"], "description": "If true, the draft is checked without the other guidelines."},
    "project_id": {"type": ["string", "null"], "maxLength": 200, "pattern": ` + jsonOneLine + `}},
    "examples": [{"guidelines": [{"id": "tests-first", "name": "Tests before code", "category": "tdd_protocol",
      "condition": {"paths": ["src\\*"]}, "action": {"type": "instruction", "instruction": "Write the test first."}}]}]},
  "LintReport": {"type": "object", "properties": {
    "guidelines": {"type": "array", "description": "The valid guidelines of the draft.",
      "items": {"$ref": "#/components/schemas/Guideline"}},
    "problems": {"type": "array", "description": "What is invalid, so that it cannot be saved.", "items": {"type": "object", "properties": {
      "path": {"type": "string"}, "line": {"type": "integer"}, "message": {"type": "string"}, "remedy": {"type": "string"}},
      "required": ["path", "message", "remedy"]}},
    "findings": {"type": "array", "description": "Things that are valid but probably wrong: mistakes in the draft, and mistakes that the draft causes in other guidelines.", "items": {"type": "object", "properties": {
      "id": {"type": "string"}, "rule": {"type": "string"}, "severity": {"type": "string", "enum": ["error", "warning"]},
      "field": {"type": "string"}, "line": {"type": "integer"},
      "message": {"type": "string"}, "remedy": {"type": "string"}}, "required": ["id", "rule", "severity", "message", "remedy"]}},
    "errors": {"type": "integer"}, "warnings": {"type": "integer"}, "compared_with": {"type": "integer",
      "description": "The number of other guidelines that the draft was compared with."},
    "overrides": {"type": "array", "description": "The parts of other guidelines that the draft overrides, and the parts of the draft that other guidelines override. Only guidelines that may apply together with the draft are listed.", "items": {"type": "object", "properties": {
      "id": {"type": "string", "description": "The guideline that is overridden."}, "by": {"type": "string",
      "description": "The id of the guideline that decides instead."},
      "what": {"type": "string"}, "reason": {"type": "string"}}, "required": ["id", "by", "what", "reason"]}}},
    "required": ["guidelines", "problems", "findings", "errors", "warnings", "compared_with", "overrides"]},
  "PreviewRequest": {"type": "object", "additionalProperties": false,
      "description": "A task, a tool call or both, and the changes to guidelines that nobody has saved yet.", "properties": {
    "draft": {"anyOf": [{"$ref": "#/components/schemas/Draft"}, {"type": "null"}]},
    "remove": {"type": ["array", "null"], "maxItems": 1000, "items": {"type": "string"},
      "description": "Calls are judged as if these guidelines were deleted. ID stands for the guidelines with this id in every project, PROJECT/ID for the guideline of one project, and /ID for the guideline for all projects."},
    "context": {"anyOf": [{"$ref": "#/components/schemas/TaskContext"}, {"type": "null"}]},
      "call": {"anyOf": [{"$ref": "#/components/schemas/ToolCall"}, {"type": "null"}]}}},
  "Preview": {"type": "object", "properties": {"saved": {"$ref": "#/components/schemas/PreviewSide"},
      "draft": {"$ref": "#/components/schemas/PreviewSide"}}, "required": ["saved"]},
  "PreviewSide": {"type": "object", "properties": {
    "evaluated": {"$ref": "#/components/schemas/EvaluatedContext"},
      "explained": {"$ref": "#/components/schemas/Explanation"}, "call": {"$ref": "#/components/schemas/CallVerdict"}}},
  "ConditionTest": {"type": "object", "additionalProperties": false, "required": ["condition"],
      "properties": {"condition": {"$ref": "#/components/schemas/Condition"}},
    "examples": [{"condition": {"events": ["push"]}}]},
  "ConditionTested": {"type": "object", "properties": {
    "tried": {"type": "integer", "description": "The number of recorded contexts, at most 500."}, "matched": {"type": "integer"},
    "open": {"type": "integer", "description": "The number of contexts that match if the facts in condition.custom match too."},
    "examples": {"type": "array", "description": "The newest contexts that match or are open, at most 5.",
      "items": {"type": "object", "properties": {
      "entry_id": {"type": "string"}, "timestamp": ` + moment + `, "agent": {"type": "string"},
      "session_id": {"type": "string"}, "tool": {"type": "string"},
      "events": ` + texts + `, "paths": ` + texts + `}, "required": ["entry_id", "timestamp", "agent", "events", "paths"]}}},
    "required": ["tried", "matched", "open", "examples"]},
  "TestedPattern": {"type": "object", "properties": {"pattern": {"type": "string"}, "error": {"type": "object", "properties": {
    "message": {"type": "string"}, "remedy": {"type": "string"}}, "required": ["message", "remedy"]}}, "required": ["pattern"]},
  "PathsTest": {"type": "object", "additionalProperties": false, "required": ["patterns", "paths"], "properties": {
    "patterns": {"type": "array", "maxItems": 100, "items": {"type": "string"}}, "paths": {"type": "array", "maxItems": 1000,
      "items": {"type": "string"}}},
    "examples": [{"patterns": ["src/*"], "paths": ["src/worker.go", "docs/a.md"]}]},
  "PathsTested": {"type": "object", "properties": {
    "patterns": {"type": "array", "items": {"$ref": "#/components/schemas/TestedPattern"}},
    "paths": {"type": "array", "items": {"type": "object", "properties": {
      "path": {"type": "string"}, "matched": {"type": "boolean"}, "by": ` + texts + `,
      "part": {"type": "object", "description": "The part of the path that corresponds to the text before the first wildcard of the first glob that matches. The offsets are in UTF-16 units.", "properties": {
        "start": {"type": "integer"}, "end": {"type": "integer"}}, "required": ["start", "end"]}}, "required": ["path",
      "matched", "by"]}}}, "required": ["patterns", "paths"]},
  "ToolsTest": {"type": "object", "additionalProperties": false, "required": ["patterns", "calls"], "properties": {
    "patterns": {"type": "array", "maxItems": 50, "items": {"type": "string"}}, "calls": {"type": "array", "maxItems": 50,
      "items": {"$ref": "#/components/schemas/ToolCall"}}},
    "examples": [{"patterns": ["Bash(git push:*)"], "calls": [{"command": "git push --force"}]}]},
  "ToolsTested": {"type": "object", "properties": {
    "patterns": {"type": "array", "items": {"$ref": "#/components/schemas/TestedPattern"}},
    "calls": {"type": "array", "items": {"type": "object", "properties": {
      "tool": {"type": "string"}, "matched": {"type": "boolean"}, "by": ` + texts + `,
      "effects": {"$ref": "#/components/schemas/CallVerdict/properties/effects"}},
      "required": ["tool", "matched", "by", "effects"]}}}, "required": ["patterns", "calls"]},`
