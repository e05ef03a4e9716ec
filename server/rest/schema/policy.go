package schema

const policySchemas = `
  "PolicyText": {"type": "object", "additionalProperties": false, "description": "A policy file.", "properties": {
    "text": {"type": "string", "description": "The file, as YAML or JSON."}}, "required": ["text"],
    "examples": [{"text": "version: 1\nrules:\n  - name: pii_guard\n    when: {message_contains: my ssn}\n    actions: [{type: override_safety, action: HOLD}]\n"}]},
  "PolicyReport": {"type": "object", "properties": {
    "files": {"type": "integer", "description": "How many files were read."},
    "rules": {"type": "integer", "description": "The number of rules that are switched on. A file with a mistake has none."},
    "problems": ` + policyProblems + `}, "required": ["files", "rules", "problems"]},
  "Policies": {"type": "object", "properties": {
    "mode": {"type": "string", "enum": ["off", "observe", "enforce"], "description": "What hooks do with the verdicts of the safety gate."},
    "source": {"type": "string", "description": "The path of the policy file."},
    "state": {"type": "string", "enum": ["none", "in_force", "last_good", "broken"],
      "description": "none: there is no file. last_good: the file has a mistake, and the rules that it had before apply. broken: the file has a mistake, and no rule applies."},
    "rules": {"type": "array", "description": "The rules in force, in the order in which they run.",
      "items": {"type": "object", "properties": {
      "name": {"type": "string"}, "priority": {"type": "integer"}, "actions": {"type": "array",
      "items": ` + policyAction + `}}, "required": ["name", "priority", "actions"]}},
    "problems": ` + policyProblems + `, "notices": {"description": "Sentences for the user: what does not apply, and why.",
      "type": "array", "items": {"type": "string"}}},
    "required": ["mode", "source", "state", "rules", "problems", "notices"]},
  "PolicyTrial": {"type": "object", "additionalProperties": false,
      "description": "Facts, and the rules that are tried with them.", "properties": {
    "facts": {"type": "object", "additionalProperties": false,
      "description": "The facts that the conditions of rules are compared with. A missing fact is unknown.", "properties": {
      "message": {"type": "string", "maxLength": 32768}, "mood": {"type": "number"}, "trust": {"type": "number"},
      "interaction_count": {"type": "number"},
      "risk_score": {"type": "number"}, "since_last_seen": {"type": "number", "description": "In seconds."},
      "detected_emotions": ` + texts + `, "flags": ` + texts + `,
      "pii": ` + texts + `, "tags": ` + texts + `, "stage": {"type": "string", "enum": ["input", "output"]},
      "decision": ` + policyVerdict + `, "gate": {"type": "string"}}},
    "rules": {"type": "array", "description": "Rules in the form that they have in a policy file. Without this field, the rules in force apply.",
      "items": {"type": "object"}}}, "required": ["facts"],
    "examples": [{"facts": {"message": "Here is my SSN"}, "rules": [{"name": "pii_guard",
      "when": {"message_contains": "my ssn"}, "actions": [{"type": "override_safety", "action": "HOLD"}]}]}]},
  "PolicyTrace": {"type": "object", "properties": {
    "action": ` + policyVerdict + `, "matched": ` + texts + `, "events": ` + texts + `, "suppressed": ` + texts + `,
    "annotations": {"type": "array", "items": {"type": "object", "properties": {"tag": {"type": "string"},
      "detail": {"type": "string"}}, "required": ["tag", "detail"]}},
    "override": {"description": "Which rule changed the verdict.", "type": ["object", "null"], "properties": {
      "rule": {"type": "string"}, "from": ` + policyVerdict + `, "to": ` + policyVerdict + `}, "required": ["rule", "from", "to"]},
    "stopped_by": {"type": ["string", "null"], "description": "The rule whose action stopped the rules after it."},
    "trace": {"type": "array", "items": {"type": "object", "properties": {
      "rule": {"type": "string"}, "value": ` + policyTruth + `, "conditions": {"type": "array", "items": {"type": "object", "properties": {
        "path": {"type": "string"}, "value": ` + policyTruth + `}, "required": ["path", "value"]}}}, "required": ["rule",
      "value", "conditions"]}}},
    "required": ["action", "matched", "events", "suppressed", "annotations", "override", "stopped_by", "trace"]}`

const (
	policyVerdict  = `{"type": "string", "enum": ["PROCEED", "HOLD", "BLOCK"]}`
	policyAction   = `{"type": "string", "enum": ["override_safety", "fire_event", "annotate", "stop"]}`
	policyTruth    = `{"type": "string", "enum": ["true", "false", "unknown"]}`
	policyProblems = `{"type": "array", "items": {"type": "object", "properties": {
      "file": {"type": "string"}, "line": {"type": "integer"}, "path": {"type": "string"}, "message": {"type": "string"},
      "remedy": {"type": "string"}}, "required": ["message"]}}`
)
