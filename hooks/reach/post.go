package reach

import (
	"strconv"
)

// The type "exchange" sends a JSON body over a Unix socket and reads the JSON body of the answer. It accepts only an
// HTTP/1.1 answer with status 200, a correct length and an accepted type. The field "limit" is the largest length of
// the body. For any other answer it returns a *Failure. It stops when the countdown has reached zero.
type exchange struct {
	socket, path string
	// The field "server" is the path of the program that must listen on the socket. If it is empty, any program may
	// listen.
	server string
	// The field "accept" is the value of the Accept header. The field "extra" holds further header lines.
	accept, extra string
	// The field "stream" is set if the answer may be an event stream.
	stream bool
	limit  int
	left   countdown
}

// post() sends a body that consists of several parts. It returns the media type and the body of the answer.
func (x *exchange) post(parts ...[]byte) (kind string, body []byte, err error) {
	if !plainPath(x.path) {
		return "", nil, &Failure{StageAsk, "the request path " + strconv.Quote(x.path) + " is not a plain absolute path"}
	}
	c, err := dial(x.socket, x.server, x.left)
	if err != nil {
		return "", nil, err
	}
	defer c.close()
	unsent := c.send(x.request(parts))
	kind, body, err = readAnswer(c, x.limit, x.stream)
	if unsent != nil && !refusal(err) {
		return "", nil, unsent
	}
	return kind, body, err
}

func (x *exchange) request(parts [][]byte) []byte {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	const head = 256
	out := make([]byte, 0, head+len(x.path)+len(x.accept)+len(x.extra)+length)
	out = append(append(append(out, "POST "...), x.path...), " HTTP/1.1\r\nHost: guardrails\r\nConnection: close\r\n"...)
	out = append(append(append(out, "Content-Type: application/json\r\nAccept: "...), x.accept...), "\r\n"...)
	out = append(append(out, x.extra...), "Content-Length: "...)
	out = append(strconv.AppendInt(out, int64(length), 10), "\r\n\r\n"...)
	for _, part := range parts {
		out = append(out, part...)
	}
	return out
}

// plainPath reports whether a path is absolute and needs no escapes in a request line.
func plainPath(path string) bool {
	for i := range len(path) {
		if path[i] <= ' ' || path[i] >= 0x7f {
			return false
		}
	}
	return path != "" && path[0] == '/'
}

// refusal() reports whether an error comes from an HTTP answer of the server. A server may refuse a request before it
// has read the whole request.
func refusal(err error) bool {
	f, ok := err.(*Failure) //nolint:errorlint // readAnswer does not wrap errors
	return ok && f.Stage == StageAnswer
}
