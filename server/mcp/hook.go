package mcp

import (
	"bytes"
	"time"

	"guardrails/internal/document"
)

// HookTool is the tool that the client calls as a hook, without starting a process. The client knows the tool from its
// settings. The server does not list the tool, so models do not know it. The server answers calls of the tool only on
// stdio, to the client that started the process. The server refuses a call by a model, because a model could record its
// own approvals. The client adds the id of the tool use to each call by a model, and the model cannot prevent this. So
// the server recognizes calls by models.
const HookTool = "guardrails_hook"

// modelCall is the key that the client adds to the field _meta when a model calls a tool.
const modelCall = "claudecode/toolUseId"

const notForModels = HookTool + " is for the client's own hooks; nothing was done"

// asHook answers a message if it calls HookTool.
func (s *Server) asHook(message []byte) ([]byte, bool) {
	if s.hook == nil || !bytes.Contains(message, []byte(HookTool)) {
		return nil, false
	}
	id, params, ok := callOf(message)
	if !ok {
		return nil, false
	}
	arguments, model, ok := hookArguments(params)
	switch {
	case !ok:
		return nil, false
	case model:
		s.observe(HookTool, true, 0)
		return toolError(id, notForModels), true
	}
	begin := time.Now()
	answer := s.hook(arguments)
	s.observe(HookTool, false, time.Since(begin))
	return toolResult(id, string(answer), "", nil), true
}

// If a call is for HookTool, hookArguments returns the arguments of the call, and whether a model made the call.
func hookArguments(params []byte) (arguments []byte, model, ok bool) {
	members, err := document.Members(params)
	if err != nil {
		return nil, false, false
	}
	for _, m := range members {
		switch m.Name {
		case "name":
			name, _ := document.Text(m.Raw)
			ok = name == HookTool
		case "arguments":
			arguments = m.Raw
		case "_meta":
			model = bytes.Contains(m.Raw, []byte(modelCall)) || bytes.IndexByte(m.Raw, '\\') >= 0
		}
	}
	return arguments, model, ok
}
