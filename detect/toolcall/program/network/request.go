package network

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Request is a request to an API.
type Request struct {
	Method, URL, Body string
	// SignedIn is set if the request carries a login or token.
	SignedIn bool
}

// Mark adds the events of a request that deletes, releases, merges or opens something. A server on this machine and a
// server for tests do not count. A host that is not known counts if the request carries a login.
func (r *Request) Mark(t *trace.Trace, c *trace.Command) {
	host := trace.HostOf(r.URL)
	if isTestHost(host) || host == "" && !r.SignedIn {
		return
	}
	_, path, _ := strings.Cut(words.AfterLast(r.URL, "://"), "/")
	path, _, _ = strings.Cut(path, "?")
	r.MarkChange(t, c, path, words.OrElse(host, "a server"))
}

// MarkChange adds the events of a request for a path of a host.
func (r *Request) MarkChange(t *trace.Trace, c *trace.Command, path, host string) {
	method := strings.ToUpper(r.Method)
	switch {
	case method == "DELETE":
		t.Mark(c, "deletes something on "+host+" (DELETE /"+trace.Shorten(path)+")", effect.DestructiveOp)
	case method == "" || method == "GET" || method == "HEAD" || method == "OPTIONS":
	case strings.HasSuffix(path, "graphql") || strings.Contains(path, "graphql/"):
		MarkMutation(t, c, r.Body, host)
	default:
		r.markPath(t, c, strings.Trim(path, "/"), host)
		markBody(t, c, r.Body, host)
	}
}

// markPath adds the events that the last parts of a path tell, as in pulls/12/merge.
func (r *Request) markPath(t *trace.Trace, c *trace.Command, path, host string) {
	parts := strings.Split(path, "/")
	for _, part := range parts[max(0, len(parts)-3):] {
		switch m := words.MeaningOf(part); {
		case part == "merge" || part == "merges":
			t.Mark(c, "merges on "+host, effect.Merge)
		case part == "protection" || part == "rulesets" || part == "protected_branches":
			t.Mark(c, "changes the protection of branches on "+host, effect.PermissionOpen)
		case part == "collaborators":
			t.Mark(c, "gives someone rights on "+host, effect.PrivilegeGain)
		case strings.HasPrefix(part, "deploy"), part == "build_hooks", m == words.Deploys, m == words.Reverts:
			t.Mark(c, "changes a running environment on "+host+" ("+part+")", effect.Deploy, effect.DevopsInvoked)
		case m == words.Destroys && part != "reset" && part != "remove", part == "poweroff", part == "shutdown", part == "formation":
			t.Mark(c, "deletes or stops something on "+host+" ("+part+")", effect.DestructiveOp)
		}
	}
}

// markBody adds the events that the texts in a body tell: {"type":"destroy"}, "DROP TABLE shop".
func markBody(t *trace.Trace, c *trace.Command, body, host string) {
	for _, text := range [...]string{"DROP TABLE", "DROP DATABASE", "TRUNCATE TABLE"} {
		if strings.Contains(body, text) {
			t.Mark(c, "deletes data on "+host+" ("+text+")", effect.DestructiveOp)
		}
	}
	if strings.Contains(body, `"private":false`) || strings.Contains(body, `"visibility":"public"`) {
		t.Mark(c, "makes a repository public on "+host, effect.Publish)
	}
	key := ""
	for _, rest, ok := strings.Cut(body, `"`); ok; _, rest, ok = strings.Cut(rest, `"`) {
		var text string
		text, rest, _ = strings.Cut(rest, `"`)
		if strings.HasPrefix(strings.TrimLeft(rest, " "), ":") {
			key = text
			continue
		}
		isVerb := key == words.Among(key, "type action op operation command method")
		if isVerb && words.MeaningOf(text) == words.Destroys {
			t.Mark(c, "deletes something on "+host+" ("+trace.Shorten(text)+")", effect.DestructiveOp)
		}
	}
}

// MarkMutation adds the events of a GraphQL mutation, whose name tells what it does: volumeDelete, mergePullRequest.
func MarkMutation(t *trace.Trace, c *trace.Command, body, host string) {
	_, rest, ok := strings.Cut(body, "mutation")
	for ok && rest != "" {
		end := strings.IndexAny(rest, "{}()[]:,\"'$ \n\\")
		name := rest
		if end >= 0 {
			name, rest = rest[:end], rest[end+1:]
		} else {
			rest = ""
		}
		if _, after := words.NextWord(name); after == "" {
			continue
		}
		switch m := words.MeaningOf(name); {
		case m == words.Destroys || m == words.Reverts:
			t.Mark(c, "deletes something on "+host+" (mutation "+name+")", effect.DestructiveOp)
		case m == words.Deploys:
			t.Mark(c, "changes a running environment on "+host+" (mutation "+name+")", effect.Deploy, effect.DevopsInvoked)
		case strings.HasPrefix(name, "merge") || strings.HasPrefix(name, "createCommit") || strings.HasSuffix(name, "AutoMerge"):
			t.Mark(c, "merges on "+host+" (mutation "+name+")", effect.Merge, effect.DefaultPush)
		}
	}
}

// isTestHost reports whether a host is this machine, a container next to it, or only for tests.
func isTestHost(host string) bool {
	if trace.IsLoopback(host) || strings.HasSuffix(host, ".local") || host != "" && !strings.Contains(host, ".") {
		return true
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == words.Among(label, "test sandbox httpbin jsonplaceholder postman-echo reqres") {
			return true
		}
	}
	return false
}
