package mcp

// The constant "task" is the part of a schema that describes a task. The names in the schema are only examples.
// Other names are allowed too.
const task = `
    "agent": {"type": "string", "description": "Current agent role; default: the session's own, or else the project's default agent", "examples": ["planner", "backend", "frontend", "reviewer", "orchestrator", "devops"]},
    "domain": {"type": "string", "description": "Domain identifier (P01, P05, etc.)", "examples": ["P01"]},
    "action": {"type": "string", "description": "Action type", "examples": ["design", "implement", "review", "test", "deploy", "document"]},
    "paths": {"type": "array", "items": {"type": "string"}, "description": "File paths being accessed, absolute or relative to the project"},
    "event": {"type": "string", "description": "Triggering event", "examples": ["commit", "push", "merge", "deploy", "contract_change"]},
    "gate_type": {"type": "string", "description": "Type of the gate (approval) that the task asks for", "examples": ["devops_invocation"]},
    "tenant_id": {"type": "string", "description": "Tenant of the guidelines: only the project's or the token's own tenant is allowed"},
    "session_id": {"type": "string", "description": "Session of the task"},
    "metadata": {"type": "object", "description": "Further facts about the task, compared with the custom conditions of guidelines"},`

const projectInput = `
    "project": {"type": "string", "description": "Absolute path of the project's root; default: the project that the server runs in"},
    "project_id": {"type": "string", "maxLength": 200, "description": "Id of a project, such as github.com/acme/shop: the store's guidelines for it and for all projects apply. Default: the id of the project that \"project\" names"}`

const unknownInput = `
    "unknown": {"type": "array", "items": {"type": "string", "enum": ["agent", "domain", "action", "paths", "event", "gate_type", "metadata"]}, "description": "Fields whose values are not known yet. Guidelines that may still apply are listed too, with the part of their condition that cannot be compared yet"},`

const contextInput = `{
  "type": "object",
  "properties": {` + task + unknownInput + `
    "prompt": {"type": "string", "description": "What the user wrote. If the domain or the action is not given, guardrails takes it from this text"},
    "definitions": {"type": "boolean", "description": "For programs: also return the matching guidelines as they were written"},
    "hook": {"type": "boolean", "description": "For hooks of this computer: true if a hook asks. The fields paths, event and gate_type are then unknown, and the result has the text for the model and the session's cache instead of the lists"},
    "display": {"type": "string", "description": "For hooks: a part of the model's answer that the client is about to show. The result then has only this text, with personal data masked"},
    "main_thread": {"type": "boolean", "description": "For hooks: true if no subagent makes the call, so that the project's settings may name the agent"},
    "tasks": {"type": "array", "items": {"type": "object", "properties": {"domain": {"type": "string"}, "action": {"type": "string"}}, "additionalProperties": false}, "description": "For hooks: the domain and the action of the last prompt, for each layer of guidelines, the highest layer first"},
    "choice": {"type": "string", "enum": ["static", "open"], "description": "For hooks: how the session's user chose to continue while guidelines cannot be read"},
    "typed": {"type": "string", "description": "For hooks, if a person typed the prompt or reads the answer: the entry point of the client (CLAUDE_CODE_ENTRYPOINT). Without this field, the user's detectors check neither prompts nor answers"},
    "agent_id": {"type": "string", "description": "For hooks: the client's id of the subagent that makes the calls"},
    "calls": {"type": "string", "description": "For hooks: the tool of the last call and hashes of the last calls. The result then says only whether these calls are a loop"},
    "answer": {"type": "string", "description": "For hooks: the final answer of the model. The result then has only what the detectors notice in this answer"},
    "again": {"type": "boolean", "description": "For hooks: true if the model wrote this answer because a hook had asked for a new answer"},
    "environment": {"type": "object", "additionalProperties": {"type": "string"}, "description": "For hooks: the variables of the hook's environment that are settings or say where files are"},` + projectInput + `
  },
  "additionalProperties": false
}`

const explainInput = `{
  "type": "object",
  "properties": {` + task + unknownInput + `
    "prompt": {"type": "string", "description": "What the user wrote. If the domain or the action is not given, guardrails takes it from this text"},` + projectInput + `
  },
  "additionalProperties": false
}`

const decisionInput = `{
  "type": "object",
  "properties": {
    "guideline_id": {"type": "string", "description": "Id of the guideline that triggered the gate"},
    "context": {"type": "object", "description": "Context of the task when the decision was made"},
    "result": {"type": "string", "enum": ["approved", "rejected", "deferred"], "description": "Decision result"},
    "reason": {"type": "string", "maxLength": 4000, "description": "Reason for the decision"},
    "user_response": {"type": "string", "maxLength": 4000, "description": "The user's response, if the gate asked the user"},` + projectInput + `
  },
  "required": ["guideline_id", "context", "result", "reason"],
  "additionalProperties": false
}`

const listInput = `{
  "type": "object",
  "properties": {
    "category": {"type": "string", "enum": ["cognitive_isolation", "hitl_gate", "tdd_protocol", "context_constraint", "audit_telemetry", "security", "custom"], "description": "Only this category"},
    "agent": {"type": "string", "description": "Only guidelines for this agent or for every agent"},
    "enabled": {"type": "boolean", "description": "Only enabled or only disabled guidelines"},
    "text": {"type": "string", "description": "Only guidelines with this text in id, name or description"},
    "page": {"type": "integer", "minimum": 1, "description": "The page; 1 has the guidelines with the highest priorities"},
    "cursor": {"type": "string", "description": "The next_cursor of the page before. Give it instead of a page number, with the same filters"},
    "page_size": {"type": "integer", "minimum": 1, "maximum": 200, "description": "Guidelines on a page; default 50"},` + projectInput + `
  },
  "additionalProperties": false
}`

const getInput = `{
  "type": "object",
  "properties": {
    "id": {"type": "string", "description": "The guideline's id, as refusals and guardrails_list show it, or an alias"},` + projectInput + `
  },
  "required": ["id"],
  "additionalProperties": false
}`
