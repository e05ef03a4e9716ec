package network

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// foreignSecret reports whether a text contains a variable whose secret does not belong to the host. An example is
// $GITHUB_TOKEN in a request to a host other than GitHub.
func foreignSecret(text, host string) bool {
	if trace.IsLoopback(host) {
		return false
	}
	for rest := text; ; {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			return false
		}
		rest = strings.TrimPrefix(rest[i+1:], "{")
		end := 0
		for end < len(rest) && isNameByte(rest[end]) {
			end++
		}
		if service := secretOf(rest[:end]); service != "" && !strings.Contains(strings.ToLower(host), service) {
			return true
		}
		rest = rest[end:]
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// secretOf returns the service to which the secret in a variable belongs, judged by the variable's name. It returns ""
// if the name does not show a service.
func secretOf(name string) string {
	if !trace.IsSecretVariable(name) {
		return ""
	}
	service, _, _ := strings.Cut(strings.ToLower(name), "_")
	switch service {
	case "aws":
		return "amazonaws"
	case "gh", "github":
		return "github"
	case words.Among(service, "npm gitlab openai anthropic slack stripe digitalocean heroku cloudflare azure pypi docker "+
		"google gcp vault sentry datadog twilio sendgrid"):
		return service
	}
	return ""
}

// markDeleteRequests marks requests that delete documents or indices on a search server, or objects of a cluster.
func markDeleteRequests(t *trace.Trace, c *trace.Command, o *flags.Options, url string) {
	method := trace.FirstText(o.Values("X request"))
	address := words.AfterLast(url, "://")
	_, path, _ := strings.Cut(address, "/")
	path, _, _ = strings.Cut(path, "?")
	isCluster := strings.HasPrefix(path, "api/v1/namespaces") || strings.HasPrefix(path, "apis/")
	switch {
	case strings.Contains(path, "_delete_by_query"):
		t.Mark(c, "deletes documents on a search server", effect.DestructiveOp)
	case method == "DELETE" && isCluster && !trace.IsLoopback(trace.HostOf(url)):
		t.Mark(c, "deletes objects of a cluster through its API", effect.DestructiveOp)
	case method == "DELETE" && (strings.Contains(path, "*") || path == "_all"):
		t.Mark(c, "deletes indices on a search server ("+path+")", effect.DestructiveOp)
	}
}
