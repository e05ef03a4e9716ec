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

// toolResult returns the answer to a tool call: a text and the fields that follow it.
func toolResult(id []byte, text, more string) []byte {
	out := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"result":{"content":[{"type":"text","text":`...)
	out = append(document.AppendText(out, text), `}]`...)
	return append(append(out, more...), `}}`...)
}

// callOf returns the id and the parameters of a tool call. The id must be a number of few digits, as the client writes it.
func callOf(message []byte) (id, params []byte, ok bool) {
	members, err := document.Members(message)
	if err != nil || len(members) != 4 {
		return nil, nil, false
	}
	var version, method string
	for _, m := range members {
		switch m.Name {
		case "jsonrpc":
			version, _ = document.Text(m.Raw)
		case "id":
			id = m.Raw
		case "method":
			method, _ = document.Text(m.Raw)
		case "params":
			params = m.Raw
		}
	}
	return id, params, version == "2.0" && method == "tools/call" && isPlainID(id)
}

func isPlainID(id []byte) bool {
	const longest = 9
	if len(id) == 0 || len(id) > longest || id[0] == '0' && len(id) > 1 {
		return false
	}
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
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
