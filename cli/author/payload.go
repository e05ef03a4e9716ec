package author

import (
	"guardrails/hooks"
	"guardrails/hooks/wire"
)

// call is one tool call: its tool and input, the agent and the session, and the folder in which it was made.
type call struct {
	tool  string
	input []byte
	cwd   string
	agent string
	// session and agentID are the client's ids of the session and of a subagent, or empty.
	session, agentID string
	// unreadable is the error that a hook would have when it reads the call, or nil.
	unreadable error
}

// parsePayload parses the document that the client sends to a hook before a tool call.
func parsePayload(raw []byte) *call {
	e, err := wire.Parse(raw)
	if err == nil {
		err = hooks.CheckCall(&e)
	}
	return &call{
		tool: e.Tool, input: e.Input, cwd: e.Cwd, agent: e.AgentType, session: e.Session, agentID: e.Agent, unreadable: err,
	}
}
