package mcp

import (
	"context"

	"guardrails/internal/document"
)

// direct is the answer to a call of a tool in its plainest form, as hooks send it, without the way through the library,
// which reads a message five times over. What is not plain is not taken, and left to the library.
func (s *Server) direct(ctx context.Context, message []byte) ([]byte, bool) {
	id, name, arguments, ok := plainCall(message)
	if !ok {
		return nil, false
	}
	if s.indirect || s.tool(name) == nil {
		return nil, false
	}
	return s.run(ctx, name, arguments).message(id), true
}

// plainCall takes a call apart that has nothing in it but what a call needs.
func plainCall(message []byte) (id []byte, name string, arguments []byte, ok bool) {
	id, params, ok := callOf(message)
	if !ok {
		return nil, "", nil, false
	}
	name, arguments, ok = plainParams(params)
	return id, name, arguments, ok
}

// callOf are the id and the parameters of a call of a tool.
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
	return id, params, version == "2.0" && method == "tools/call" && plainID(id)
}

func plainParams(params []byte) (name string, arguments []byte, ok bool) {
	members, err := document.Members(params)
	if err != nil || len(members) != 2 {
		return "", nil, false
	}
	for _, m := range members {
		switch m.Name {
		case "name":
			name, _ = document.Text(m.Raw)
		case "arguments":
			arguments = m.Raw
		}
	}
	return name, arguments, name != "" && len(arguments) > 0 && arguments[0] == '{'
}

// plainID reports whether an id is a whole number of few digits; others have more than one way to be written.
func plainID(id []byte) bool {
	const most = 9
	if len(id) == 0 || len(id) > most || id[0] == '0' && len(id) > 1 {
		return false
	}
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// message is the result as the answer to a call.
func (r result) message(id []byte) []byte {
	rest := r.rest
	if rest == "" {
		rest = r.ready().rest
	}
	out := make([]byte, 0, len(rest)+64)
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	return r.named(out, rest)
}

// ready is the result with everything in it that does not depend on who asked.
func (r result) ready() result {
	out := make([]byte, 0, len(r.structured)+len(r.text)+len(r.text)/4+128)
	out = append(document.AppendText(append(out, `,"result":{"content":[{"type":"text","text":`...), r.text), `}]`...)
	if r.structured == "" {
		out = append(out, `,"isError":true}}`...)
	} else {
		out = append(append(append(out, `,"structuredContent":`...), r.structured...), `}}`...)
	}
	r.rest = string(out)
	return r
}
