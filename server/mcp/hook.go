package mcp

import (
	"bytes"
	"time"

	"guardrails/internal/document"
)

// HookTool is what the client calls for a hook that costs no process. It is not listed, so that no model can name it:
// the client calls it all the same where its settings say so. It is answered on stdio alone, to the client that started
// this process. A call that a model makes carries the id of its tool use in _meta, which no model can leave out, and is
// refused: by it a model could write its own approvals.
const HookTool = "guardrails_hook"

// modelCall is what the client adds to calls that come from a model.
const modelCall = "claudecode/toolUseId"

const notForModels = HookTool + " is called by the client's own hooks; nothing was done"

// asHook answers a message that is the call of a hook.
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
		return toolResult(id, notForModels, `,"isError":true`), true
	}
	begin := time.Now()
	answer := s.hook(arguments)
	s.observe(HookTool, false, time.Since(begin))
	return toolResult(id, string(answer), ""), true
}

// hookArguments are the arguments of a hook's call, and whether a model made it.
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
