package self

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// OwnPort is where the guard's server listens when nothing else is said.
const OwnPort = "7117"

// OwnServer finds requests that change something in the guard's server on this machine, or in the indices of a cluster that
// are its store. An empty method is GET, or POST where something is sent; the data is what is known of that.
func OwnServer(t *trace.Trace, c *trace.Command, method, url, data string, sends bool) {
	if !sends && (method == "" || strings.EqualFold(method, "GET") || strings.EqualFold(method, "HEAD")) {
		return
	}
	address := words.AfterLast(url, "://")
	switch {
	case isOwnServer(address):
		t.Mark(c, "changes what the guard's server holds", effect.GuardTamper)
	case changesOwnIndex(address, data):
		t.Mark(c, "changes the indices in which the guard keeps guidelines", effect.GuardTamper)
	}
}

// HasWord reports whether a word stands in a text without letters beside it.
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
	host := words.OrElse(trace.HostOf(address), "localhost") // :7117 is one of this machine
	return (strings.Contains(address, ":"+OwnPort) || strings.Contains(address, "/api/guardrails")) &&
		(strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "127.") || strings.Contains(host, "::1") || strings.HasPrefix(host, "0.0.0.0") || host == "0")
}

// changesOwnIndex reports whether a request to a search server names an index of the guard, and is no search.
func changesOwnIndex(address, data string) bool {
	_, path, _ := strings.Cut(address, "/")
	path, _, _ = strings.Cut(path, "?")
	verb := trace.BaseName(path)
	if verb == words.Among(verb, "_search _msearch _count _mget _explain _field_caps _pit _analyze") {
		return false
	}
	for _, index := range [...]string{product.ConfigIndex, product.AuditIndex, product.StateIndex, "guardrails-*", "guardrails*"} {
		if strings.Contains(path, index) || strings.HasPrefix(verb, "_") && strings.Contains(data, index) {
			return true
		}
	}
	return false
}

// LocalSocket notes a socket of this machine that belongs to the guard: who listens there answers in its place, and who
// speaks there commands it.
func LocalSocket(t *trace.Trace, c *trace.Command, v trace.Value) {
	if p := t.Place(v, c.Scope); p.Guard || strings.Contains(v.Text, "$"+product.VariablePrefix) {
		t.Mark(c, "answers for the guard's server, or commands it, at "+p.Name, effect.GuardTamper)
	}
}
