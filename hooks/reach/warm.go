package reach

// callBefore and callAfter surround the request's arguments in an MCP message. mcpAccept and mcpVersion are headers
// that an MCP server requires.
const (
	callBefore = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":`
	callAfter  = `}}`
	mcpPath    = "/mcp"
	mcpAccept  = typeJSON + ", " + typeStream
	mcpVersion = "MCP-Protocol-Version: 2025-06-18\r\n"
)

func (a *Asker) askWarm(request []byte) ([]byte, error) {
	x := exchange{
		socket: a.Socket, server: a.Server, path: mcpPath, accept: mcpAccept, extra: mcpVersion,
		stream: true, limit: maxAnswer,
		left: a.timer(a.WarmTimeout, defaultWarm),
	}
	kind, body, err := x.post([]byte(callBefore), request, []byte(callAfter))
	if err != nil {
		return nil, err
	}
	if kind == typeStream {
		return streamAnswer(body)
	}
	answer, found, err := callAnswer(body)
	if err == nil && !found {
		err = badAnswer("has neither a result nor an error")
	}
	return answer, err
}
