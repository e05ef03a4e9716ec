package self

import (
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// OwnPort is the default port of the guard's server.
const OwnPort = "7117"

// MarkServerRequest marks a request that changes something on the guard's server on this machine, or in the guard's
// Elasticsearch indices. An empty method means GET, or POST if the request sends a body. The parameter "data" is
// the known part of the body.
func MarkServerRequest(t *trace.Trace, c *trace.Command, method, url, data string, sends bool) {
	if !sends && (method == "" || strings.EqualFold(method, "GET") || strings.EqualFold(method, "HEAD")) {
		return
	}
	address := words.AfterLast(url, "://")
	switch {
	case isOwnServer(address):
		t.Mark(c, "changes data of the guard's server", effect.GuardTamper)
	case changesOwnIndex(address, data):
		t.Mark(c, "changes the Elasticsearch indices of the guard", effect.GuardTamper)
	}
}

// HasWord reports whether a text contains the word, and no lower-case letter is directly before or after the word.
func HasWord(text, word string) bool {
	for before, after, found := strings.Cut(text, word); found; before, after, found = strings.Cut(after, word) {
		if !endsInLetter(before) && (after == "" || after[0] < 'a' || after[0] > 'z') {
			return true
		}
	}
	return false
}

func endsInLetter(text string) bool {
	return text != "" && text[len(text)-1] >= 'a' && text[len(text)-1] <= 'z'
}

func isOwnServer(address string) bool {
	host := words.OrElse(trace.HostOf(address), "localhost") // :7117 means this machine
	if !strings.Contains(address, ":"+OwnPort) && !strings.Contains(address, "/api/guardrails") {
		return false
	}
	return strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "::") || strings.HasPrefix(host, "0.0.0.0") ||
		trace.IsLoopback(host) || isNumberOfThisMachine(host)
}

// isNumberOfThisMachine reports whether a host is a number that stands for an address of this machine, such as 0,
// 2130706433 and 0x7f.1.
func isNumberOfThisMachine(host string) bool {
	const thisNet = 127
	first, _, _ := strings.Cut(host, ".")
	n, err := strconv.ParseUint(first, 0, 32)
	return err == nil && (n == 0 || n == thisNet || first == host && n>>24 == thisNet)
}

// changesOwnIndex reports whether a request to Elasticsearch may change an index of the guard.
func changesOwnIndex(address, data string) bool {
	_, path, _ := strings.Cut(address, "/")
	path, _, _ = strings.Cut(path, "?")
	verb := trace.BaseName(path)
	if verb == words.Among(verb, "_search _msearch _count _mget _explain _field_caps _pit _analyze") {
		return false
	}
	for _, index := range [...]string{
		product.ConfigIndex, product.AuditIndex, product.StateIndex, "guardrails-*", "guardrails*",
	} {
		if strings.Contains(path, index) || strings.HasPrefix(verb, "_") && strings.Contains(data, index) {
			return true
		}
	}
	return false
}

// IsSocket reports whether a path ends like the path of the guard's socket. The beginning may be a variable that has no
// known value, as in $XDG_RUNTIME_DIR/guardrails/server.sock.
func IsSocket(path string) bool { return strings.HasSuffix(path, product.CLI+"/"+product.SocketFile) }

// MarkLocalSocket marks the use of a local socket of the guard. A program that listens there can answer in place of the
// guard's server. A program that connects to the socket can control the server.
func MarkLocalSocket(t *trace.Trace, c *trace.Command, v trace.Value) {
	if p := t.Place(v, c.Scope); p.Guard || IsSocket(v.Text) || strings.Contains(v.Text, "$"+product.VariablePrefix) {
		t.Mark(c, "impersonates or controls the guard's server at "+p.Name, effect.GuardTamper)
	}
}
