package network

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// markDeleteRequests marks requests that delete documents or indices on a search server, or objects of a cluster.
func markDeleteRequests(t *trace.Trace, c *trace.Command, o *flags.Options, url string) {
	method := trace.FirstText(o.Values("X request"))
	address := words.AfterLast(url, "://")
	_, path, _ := strings.Cut(address, "/")
	path, _, _ = strings.Cut(path, "?")
	isCluster := strings.HasPrefix(path, "api/v1/namespaces") || strings.HasPrefix(path, "apis/")
	switch {
	case strings.Contains(path, "_delete_by_query"), strings.HasSuffix(path, "kv/deleterange"):
		t.Mark(c, "deletes documents or keys on a server", effect.DestructiveOp)
	case method == "DELETE" && isCluster && !trace.IsLoopback(trace.HostOf(url)):
		t.Mark(c, "deletes objects of a cluster through its API", effect.DestructiveOp)
	case method == "DELETE" && (strings.Contains(path, "*") || path == "_all"):
		t.Mark(c, "deletes indices on a search server ("+path+")", effect.DestructiveOp)
	}
}
