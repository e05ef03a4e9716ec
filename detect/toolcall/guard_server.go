package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// ownPort is where the guard's server listens when nothing else is said.
const ownPort = "7117"

// ownServer finds requests that change something in the guard's server on this machine, or in the indices of a cluster that
// are its store. An empty method is GET, or POST where something is sent; the data is what is known of that.
func (a *analyzer) ownServer(c *command, method, url, data string, sends bool) {
	if !sends && (method == "" || strings.EqualFold(method, "GET") || strings.EqualFold(method, "HEAD")) {
		return
	}
	address := afterLast(url, "://")
	switch {
	case isOwnServer(address):
		a.mark(c, "changes what the guard's server holds", effect.GuardTamper)
	case changesOwnIndex(address, data):
		a.mark(c, "changes the indices in which the guard keeps guidelines", effect.GuardTamper)
	}
}

// ownServerIn finds such requests in programs of languages whose ways to ask a server are not followed: one that names the
// interface of the guard's server and a method that changes something.
func (a *analyzer) ownServerIn(c *command, t tongue, source string) {
	if t == python || t == script || !strings.Contains(source, "/api/guardrails") {
		return
	}
	lower := strings.ToLower(source)
	for _, method := range [...]string{"delete", "put", "post", "patch"} {
		if hasWord(lower, method) {
			a.mark(c, "changes what the guard's server holds", effect.GuardTamper)
			return
		}
	}
}

// hasWord reports whether a word stands in a text without letters beside it.
func hasWord(text, word string) bool {
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
	host := orElse(hostOf(address), "localhost") // :7117 is one of this machine
	return (strings.Contains(address, ":"+ownPort) || strings.Contains(address, "/api/guardrails")) &&
		(strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "127.") || strings.Contains(host, "::1") || strings.HasPrefix(host, "0.0.0.0") || host == "0")
}

// changesOwnIndex reports whether a request to a search server names an index of the guard, and is no search.
func changesOwnIndex(address, data string) bool {
	_, path, _ := strings.Cut(address, "/")
	path, _, _ = strings.Cut(path, "?")
	verb := baseName(path)
	if verb == among(verb, "_search _msearch _count _mget _explain _field_caps _pit _analyze") {
		return false
	}
	for _, index := range [...]string{"guardrails-config", "guardrails-audit", "guardrails-state", "guardrails-*", "guardrails*"} {
		if strings.Contains(path, index) || strings.HasPrefix(verb, "_") && strings.Contains(data, index) {
			return true
		}
	}
	return false
}
