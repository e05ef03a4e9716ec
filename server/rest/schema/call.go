package schema

import "guardrails/decide/explain"

const callSchemas = `
  "ToolCall": {"type": "object", "additionalProperties": false,
      "description": "A tool call: a tool with its command, its path or its whole input.", "properties": {
    "tool": {"type": ["string", "null"], "description": "Default: Bash for a command, Write for a path."},
    "command": {"type": ["string", "null"]}, "path": {"type": ["string", "null"]}, "input": {"type": ["object", "null"]},
    "cwd": {"type": ["string", "null"], "description": "The absolute path of the folder that the call is made in; default: the project's root."},
    "permission_mode": {"type": ["string", "null"], "description": "The client's permission mode, such as plan; default: default."},
    "headless": {"type": ["boolean", "null"], "description": "True if no person can answer questions; default: false."},
    "agent": ` + given + `, "domain": ` + given + `, "action": ` + given + `, "tenant_id": ` + given + `,
      "session_id": ` + given + `, "metadata": ` + free + `,
    "project_id": {"type": ["string", "null"], "maxLength": 200, "pattern": ` + jsonOneLine + `,
      "description": "The project whose guidelines in the store apply; default: the server's own project."},
    "prompt": {"type": ["string", "null"],
      "description": "What the user wrote. If the domain or the action is not given, guardrails takes it from this text."}},
    "examples": [{"agent": "backend", "command": "git push --force origin main"}]},
  "CallVerdict": {"type": "object", "properties": {` + explain.Properties + `,
    "host_known": {"type": "boolean", "description": "False if guardrails decided without looking at the project's files and at git."},` + originFields + `},
    "required": [` + explain.Required + `, "context", "host_known", "source"]}`
