package mcp

// task is the part of an input schema that describes a task. Known names are examples: any other one is as good.
const task = `
    "agent": {"type": "string", "description": "Current agent role; without it, the session's own or the project's default", "examples": ["planner", "backend", "frontend", "reviewer", "orchestrator", "devops"]},
    "domain": {"type": "string", "description": "Domain identifier (P01, P05, etc.)", "examples": ["P01"]},
    "action": {"type": "string", "description": "Action type", "examples": ["design", "implement", "review", "test", "deploy", "document"]},
    "paths": {"type": "array", "items": {"type": "string"}, "description": "File paths being accessed, relative to the project"},
    "event": {"type": "string", "description": "Triggering event", "examples": ["commit", "push", "merge", "deploy", "contract_change"]},
    "gate_type": {"type": "string", "description": "Gate that is being asked about", "examples": ["devops_invocation"]},
    "tenant_id": {"type": "string", "description": "Whose guidelines hold: the project's or the token's own tenant, and no other"},
    "session_id": {"type": "string", "description": "Session in which the task is done"},
    "metadata": {"type": "object", "description": "What else is known of the task; compared with the custom conditions of guidelines"},`

const projectInput = `
    "project": {"type": "string", "description": "Absolute path of the project's root; without it, the project that the server runs in"}`

const unknownInput = `
    "unknown": {"type": "array", "items": {"type": "string", "enum": ["agent", "domain", "action", "paths", "event", "gate_type", "metadata"]}, "description": "Fields that may have any value: guidelines that could still hold are listed with their residual condition"},`

const contextInput = `{
  "type": "object",
  "properties": {` + task + unknownInput + `
    "prompt": {"type": "string", "description": "What the user wrote; domain and action are read from it where they are not given"},
    "definitions": {"type": "boolean", "description": "For programs: also return the matching guidelines as they were written"},
    "hook": {"type": "boolean", "description": "For hooks of this computer: leave paths, event and gate_type unknown, and also return the text for the model and the session's cache"},
    "choice": {"type": "string", "enum": ["static", "open"], "description": "For hooks: how the session's user chose to go on while guidelines cannot be read"},
    "environment": {"type": "object", "additionalProperties": {"type": "string"}, "description": "For hooks: the variables of the hook's environment that are settings or say where files are"},` + projectInput + `
  },
  "additionalProperties": false
}`

const explainInput = `{
  "type": "object",
  "properties": {` + task + unknownInput + `
    "prompt": {"type": "string", "description": "What the user wrote; domain and action are read from it where they are not given"},` + projectInput + `
  },
  "additionalProperties": false
}`

const decisionInput = `{
  "type": "object",
  "properties": {
    "guideline_id": {"type": "string", "description": "Guideline ID that triggered the gate"},
    "context": {"type": "object", "description": "Task context when decision was made"},
    "result": {"type": "string", "enum": ["approved", "rejected", "deferred"], "description": "Decision result"},
    "reason": {"type": "string", "maxLength": 4000, "description": "Reason for the decision"},
    "user_response": {"type": "string", "maxLength": 4000, "description": "User's response if HITL gate"},` + projectInput + `
  },
  "required": ["guideline_id", "context", "result", "reason"],
  "additionalProperties": false
}`

const listInput = `{
  "type": "object",
  "properties": {
    "category": {"type": "string", "enum": ["cognitive_isolation", "hitl_gate", "tdd_protocol", "context_constraint", "audit_telemetry", "security", "custom"], "description": "Only this category"},
    "agent": {"type": "string", "description": "Only guidelines for this agent or for every agent"},
    "enabled": {"type": "boolean", "description": "Only those that are on, or off"},
    "text": {"type": "string", "description": "Only those with this text in id, name or description"},` + projectInput + `
  },
  "additionalProperties": false
}`

const getInput = `{
  "type": "object",
  "properties": {
    "id": {"type": "string", "description": "The guideline's id, as a refusal or guardrails_list names it"},` + projectInput + `
  },
  "required": ["id"],
  "additionalProperties": false
}`
