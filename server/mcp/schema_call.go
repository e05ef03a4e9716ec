package mcp

import "guardrails/decide/explain"

const callInput = `{
  "type": "object",
  "properties": {
    "tool": {"type": "string", "description": "The tool's name (default: Bash with command, Write with path)"},
    "command": {"type": "string", "description": "The command that the tool would run"},
    "path": {"type": "string", "description": "The file that the tool would work on"},
    "input": {"type": "object", "description": "The tool's whole input, in place of command or path"},
    "cwd": {"type": "string", "description": "Absolute path of the folder that the call is made in (default: the project's root)"},
    "permission_mode": {"type": "string", "description": "The client's permission mode, e.g. plan (default: default)"},
    "headless": {"type": "boolean", "description": "True if no person can answer questions (default: false)"},
    "agent": {"type": "string", "description": "Who makes the call, e.g. backend (default: the project's default agent)"},
    "domain": {"type": "string", "description": "What the task is about"},
    "action": {"type": "string", "description": "What the task does, e.g. implement"},
    "tenant_id": {"type": "string", "description": "The tenant whose guidelines apply (default: the project's tenant)"},
    "session_id": {"type": "string", "description": "The session that makes the call; limits then count what the session did before"},
    "metadata": {"type": "object", "description": "Values that custom conditions are compared with"},
    "prompt": {"type": "string", "description": "What the user wrote. If the domain or the action is not given, guardrails takes it from this text"},` + projectInput + `
  },
  "additionalProperties": false
}`

const callOutput = `{
  "type": "object",
  "properties": {
    "success": {"type": "boolean"},` + explain.Properties + `,
    "context": ` + taskShape + `,
    "host_known": {"type": "boolean", "description": "False if guardrails decided without looking at the project's files and at git"},` + sourceShape + `
  },
  "required": ["success", ` + explain.Required + `, "context", "host_known", "source"]
}`
