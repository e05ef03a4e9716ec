package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// notePageSecret is for code that runs in a web page. It adds the event of sending a secret if the code reads the login
// of the signed-in person and contains the name of another host. The login is a cookie or a stored token. An
// application sends a stored token to its own server in the header Authorization. So a stored token does not count if
// the code has this header. If the code reads a cookie, this cookie always counts.
func (f *foreignCall) notePageSecret(t *trace.Trace, text string) {
	has := func(part string) bool { return strings.Contains(text, part) }
	stored := has("Storage)") || (has("Storage.getItem(") || has("Storage[")) && trace.IsSecretVariable(text)
	packed := strings.ReplaceAll(text, " ", "")
	reads := strings.Count(packed, "document.cookie") > strings.Count(packed, "document.cookie=") || has("cookieStore.get")
	if !reads && (!stored || has("uthorization")) {
		return
	}
	if host := hostInPage(text); host != "" {
		t.Effects[f.effect].Note("sends the login of a web page to "+host, effect.SecretSend)
	}
}

// hostInPage searches the code of a web page for hosts, and returns the first one that is another machine. If there is
// none, it returns "".
func hostInPage(text string) string {
	for _, rest, ok := strings.Cut(text, "://"); ok; _, rest, ok = strings.Cut(rest, "://") {
		host := rest
		if end := strings.IndexAny(host, "/:?'\"`) "); end >= 0 {
			host = host[:end]
		}
		if host != "" && !trace.IsLoopback(host) {
			return host
		}
	}
	return ""
}

// printsVariable reports whether a call stores a secret in a variable of a pipeline and lets the log of a job show this
// variable.
func (f *foreignCall) printsVariable(o nameOrder) bool {
	for _, m := range f.args {
		if m.Name == "masked" && string(m.Raw) == "false" {
			return o.has("variable variables") && trace.IsSecretVariable(strings.Join(f.texts("key"), ""))
		}
	}
	return false
}
