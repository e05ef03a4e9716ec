package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// notePageSecret adds the event of sending a secret if code in a web page reads the login of the person who is signed
// in, and sends something to another host.
func notePageSecret(t *trace.Trace, text string, span effect.Span) {
	if !readsLogin(text) {
		return
	}
	if host := hostInPage(text); host != "" {
		t.Emit(effect.Effect{Kind: effect.Send, Host: host, Span: span}).
			Note("sends the login of a web page to "+host, effect.SecretSend)
	}
}

// readsLogin reports whether code in a web page reads the cookies, or a token that the page has stored. An application
// sends such a token to its own server in the header Authorization, so code with this header does not count.
func readsLogin(text string) bool {
	for _, rest, ok := strings.Cut(text, "document.cookie"); ok; _, rest, ok = strings.Cut(rest, "document.cookie") {
		if rest = strings.TrimLeft(rest, " "); !strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "==") {
			return true
		}
	}
	if strings.Contains(text, "uthorization") {
		return false
	}
	text = strings.ReplaceAll(text, "sessionStorage", "localStorage")
	for _, rest, ok := strings.Cut(text, "localStorage"); ok; _, rest, ok = strings.Cut(rest, "localStorage") {
		key := rest[:min(len(rest), 64)]
		switch {
		case strings.HasPrefix(rest, ".getItem("):
			key, _, _ = strings.Cut(key, ")")
		case strings.HasPrefix(rest, "["):
			key, _, _ = strings.Cut(key, "]")
		case strings.HasPrefix(rest, "."):
			continue
		default:
			return true // everything that the page has stored
		}
		if trace.IsSecretVariable(key) || words.InName(key, "auth jwt session login") {
			return true
		}
	}
	return false
}

// hostInPage returns the first host outside of this machine to which code in a web page sends something, or "".
func hostInPage(text string) string {
	sends := false
	for _, way := range [...]string{"fetch(", "sendBeacon(", "XMLHttpRequest", ".src", "WebSocket(", "axios", "location",
		"open(", "$.post", "$.get"} {
		sends = sends || strings.Contains(text, way)
	}
	for rest := text; sends; {
		at := strings.Index(rest, "://")
		if at < 0 {
			return ""
		}
		host := trace.HostOf("https" + rest[at:])
		if end := strings.IndexAny(host, "'\"`) ;,?$\\"); end >= 0 {
			host = host[:end]
		}
		if host != "" && !trace.IsLoopback(host) {
			return host
		}
		rest = rest[at+len("://"):]
	}
	return ""
}

// noteLogin adds the event of sending a secret if a message, a comment or another text for people has a password or a
// token in it.
func (f *foreignCall) noteLogin(e *effect.Effect, o nameOrder) {
	if !f.verbs.has(verbSend) && !(f.verbs.has(verbWrite) &&
		o.has("message messages comment comments reply email mail issue ticket discussion tweet")) {
		return
	}
	for _, m := range f.args {
		if text, ok := document.Text(m.Raw); ok && holdsLogin(text) {
			e.Note("sends a text that has a password or a token in it", effect.SecretSend)
			return
		}
	}
}

// holdsLogin reports whether a text has a token, a private key, or a URL with a password.
func holdsLogin(text string) bool {
	const shortest = 16 // of the part of a token after its beginning
	for _, begin := range [...]string{"sk_live_", "rk_live_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-",
		"xoxp-", "AKIA"} {
		for _, rest, ok := strings.Cut(text, begin); ok; _, rest, ok = strings.Cut(rest, begin) {
			end := 0
			for end < len(rest) && (rest[end]|0x20 >= 'a' && rest[end]|0x20 <= 'z' || rest[end] >= '0' && rest[end] <= '9' ||
				rest[end] == '_' || rest[end] == '-') {
				end++
			}
			if end >= shortest && strings.Trim(rest[:end], "xX") != "" {
				return true
			}
		}
	}
	if strings.Contains(text, "-----BEGIN ") && strings.Contains(text, "PRIVATE KEY-----") {
		return true
	}
	for _, rest, ok := strings.Cut(text, "://"); ok; _, rest, ok = strings.Cut(rest, "://") {
		address, _, _ := strings.Cut(words.Replace(rest, "\n", " ", ")", " ", "`", " ", "/", " "), " ")
		login, host, hasLogin := strings.Cut(address, "@")
		user, password, hasPassword := strings.Cut(login, ":")
		host, _, _ = strings.Cut(host, ":")
		if hasLogin && hasPassword && strings.Contains(host, ".") && !trace.IsLoopback(host) && user != password && isPassword(password) {
			return true
		}
	}
	return false
}

// isPassword reports whether a text is a real password, and not a word that stands for one.
func isPassword(text string) bool {
	return len(text) > 3 && !strings.ContainsAny(text, "$<>{}*[") && strings.Trim(text, "xX.") != "" &&
		!words.OneOf(strings.ToLower(text), "pass password passwd pwd secret token your-password yourpassword changeme mypassword")
}

// printsVariable reports whether a call stores a secret in a variable of a pipeline, and says that the log of a job
// shows it.
func (f *foreignCall) printsVariable(o nameOrder) bool {
	if !o.has("variable variables") || !f.verbs.has(verbWrite) {
		return false
	}
	for _, m := range f.args {
		if m.Name == "masked" && string(m.Raw) == "false" {
			return trace.IsSecretVariable(strings.Join(append(f.texts("key"), f.texts("name")...), " "))
		}
	}
	return false
}
