package mcp

import (
	"context"

	"guardrails/internal/document"
)

// A hook waits for its answer. For one call, the library mcp-go would need more time than all other steps together.
// Calls by hooks have a fixed form, so the server can answer them without the library. All other messages go through
// the library.

// plainCall answers a tool call without the library. It handles only calls that have a name and arguments and nothing
// else. For other messages, it returns false.
func (s *Server) plainCall(ctx context.Context, message []byte) ([]byte, bool) {
	id, params, ok := callOf(message)
	if !ok {
		return nil, false
	}
	members, err := document.Members(params)
	if err != nil || len(members) != 2 {
		return nil, false
	}
	var name string
	var arguments []byte
	for _, m := range members {
		switch m.Name {
		case "name":
			name, _ = document.Text(m.Raw)
		case "arguments":
			arguments = m.Raw
		}
	}
	if s.tool(name) == nil || len(arguments) == 0 || arguments[0] != '{' {
		return nil, false
	}
	r := s.run(ctx, name, arguments)
	if r.structured == nil {
		return toolError(id, r.text), true
	}
	return toolResult(id, r.text, "structuredContent", r.structured), true
}

// toolResult returns the message that answers a tool call. The message contains a text and, if the parameter "field" is
// not empty, one more field.
func toolResult(id []byte, text, field string, value []byte) []byte {
	out := make([]byte, 0, 128+len(text)*9/8+len(field)+len(value))
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	out = append(out, `,"result":{"content":[{"type":"text","text":`...)
	out = append(document.AppendText(out, text), `}]`...)
	if field != "" {
		out = append(append(append(out, `,"`...), field...), `":`...)
		out = append(out, value...)
	}
	return append(out, `}}`...)
}

func toolError(id []byte, text string) []byte { return toolResult(id, text, "isError", []byte("true")) }

// callOf returns the id and the parameters of a tool call. It accepts only ids that are short numbers, because the
// client sends such ids.
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
