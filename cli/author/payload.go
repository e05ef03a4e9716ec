package author

import (
	"guardrails/hooks"
	"guardrails/hooks/wire"
)

// The type "call" is one tool call: its tool and input, the agent and the session, and the folder in which it was
// made.
type call struct {
	tool  string
	input []byte
	cwd   string
	agent string
	// The field "session" is the client's id of the session, or "". The field "agentID" is the client's id of the
	// subagent, or "".
	session, agentID string
	// The field "mode" is the permission mode of the client, or "" if a payload does not name it.
	mode string
	// The field "unreadable" is the error that a hook would get if it read the call. The field is nil if a hook can
	// read the call.
	unreadable error
}

// parsePayload parses the document that the client sends to a hook before a tool call.
func parsePayload(raw []byte) *call {
	e, err := wire.Parse(raw)
	if err == nil {
		err = hooks.CheckCall(&e)
	}
	return &call{
		tool: e.Tool, input: e.Input, cwd: e.Cwd, agent: e.AgentType, session: e.Session, agentID: e.Agent, mode: e.Mode,
		unreadable: err,
	}
}
