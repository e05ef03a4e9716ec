package network

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Request is an HTTP request that a command sends to an API.
type Request struct {
	_                 [0]func() // makes == on requests an error; see trace.Place
	Method, URL, Body string
	// SignedIn is set if the request carries a login or token.
	SignedIn bool
}

// Mark adds the events of a request that deletes, releases, merges or opens something. It adds no events to a request
// to this machine or to a test server. A request to an unknown host gets events only if the request carries a login.
func (r *Request) Mark(t *trace.Trace, c *trace.Command) {
	host := trace.HostOf(r.URL)
	if name, _, _ := strings.Cut(r.URL, "/"); strings.HasPrefix(name, "$") && words.InName(name, "deploy") {
		program.Judge(t, c, program.Releases, "a request to "+name)
	}
	if isTestHost(host) && !isTunnel(t, r.URL) && !t.Detours(c) || host == "" && !r.SignedIn ||
		host == "api.stripe.com" && words.UsesTestKey(trace.JoinAll(c.Args())) {
		return
	}
	_, path, _ := strings.Cut(words.AfterLast(r.URL, "://"), "/")
	path, query, _ := strings.Cut(path, "?")
	host = words.OrElse(host, "a server")
	r.MarkChange(t, c, path, host)
	markSQL(t, c, r.Body+"\n"+query, host)
	markQuery(t, c, query, host)
	if host == "api.render.com" && strings.HasPrefix(path, "deploy/") || strings.Contains(path, "integrations/deploy/") {
		program.Judge(t, c, program.Releases, "a deploy hook of "+host)
	}
	if r.isGet() && returnsSecrets(path, query) {
		program.Judge(t, c, program.Reveals, "/"+trace.Shorten(path)+" on "+host)
	}
	if last := words.AfterLast(strings.TrimRight(path, "/"), "/"); r.isGet() && (r.SignedIn || isAPI(host, path)) &&
		last == words.Among(last, "delete destroy purge wipe") {
		program.Judge(t, c, program.Destroys, last+" on "+host)
	}
}

// isGraphQL reports whether a path is the path of a GraphQL API.
func isGraphQL(path string) bool {
	last := words.AfterLast(strings.TrimRight(path, "/"), "/")
	return last == "graphql" || strings.HasPrefix(last, "graphql.") || strings.Contains("/"+path, "/graphql/")
}

// returnsSecrets reports whether an address is one at which an API returns the values of secrets.
func returnsSecrets(path, query string) bool {
	last := words.AfterLast(strings.TrimRight(path, "/"), "/")
	return last == "config-vars" || strings.Contains(query, "decrypt=true") ||
		last == "variables" && strings.HasPrefix(path, "api/v4/") ||
		strings.HasPrefix(path, "v1/secret/") || strings.HasPrefix(path, "v1/kv/") ||
		strings.HasPrefix(path, "api/v1/") && strings.Contains(path+"/", "/secrets/")
}

// isTunnel reports whether the call has opened a tunnel to another machine from the port that a URL contains.
func isTunnel(t *trace.Trace, url string) bool {
	return slices.ContainsFunc(t.Tunnels, func(port string) bool { return port == "" || strings.Contains(url+"/", ":"+port+"/") })
}

// isGet reports whether a request has the method GET. By the HTTP standard, such a request changes nothing.
func (r *Request) isGet() bool {
	return r.Method == "" || strings.EqualFold(r.Method, "GET")
}

// isAPI reports whether an address looks like the address of an API rather than of a web page.
func isAPI(host, path string) bool {
	return strings.HasPrefix(host, "api.") || strings.HasPrefix(path, "api/v")
}

// markQuery adds the events that a query in a URL suggests, such as action=delete.
func markQuery(t *trace.Trace, c *trace.Command, query, host string) {
	for _, field := range strings.Split(query, "&") {
		key, value, _ := strings.Cut(field, "=")
		if key == words.Among(key, "action op operation cmd command do method _method") && words.MeaningOf(value) == words.Destroys {
			program.Judge(t, c, program.Destroys, trace.Shorten(field)+" on "+host)
		}
	}
}

// MarkChange adds the events of a request that changes something. The parameters are the path and the host of the URL.
func (r *Request) MarkChange(t *trace.Trace, c *trace.Command, path, host string) {
	switch method := strings.ToUpper(r.Method); {
	case method == "DELETE":
		program.Judge(t, c, program.Destroys, "DELETE /"+trace.Shorten(path)+" on "+host)
	case method == "PURGE":
		program.Judge(t, c, program.Changes, "PURGE /"+trace.Shorten(path)+" on "+host)
	case method == "" || method == "GET" || method == "HEAD" || method == "OPTIONS":
	case strings.HasSuffix(path, "/releases/generate-notes"): // only returns a text
	case isGraphQL(path):
		markMutation(t, c, r.Body, host)
	default:
		path = words.Replace(path, "_cluster/", "_cluster_", "_security/", "_security_") // search servers
		if strings.Contains(path, "git/refs/heads/") && strings.Contains(words.Replace(r.Body, " ", "", `\`, ""), `"force":true`) {
			t.Mark(c, "overwrites a branch on "+host, effect.ForcePush)
		}
		if strings.Contains(path, "workers/scripts/") {
			program.Judge(t, c, program.Releases, "a worker on "+host)
		}
		if strings.Contains(path, "environments/production/") || r.SignedIn && strings.Contains(path, "/firewall/") {
			program.Judge(t, c, program.Changes, "/"+trace.Shorten(path)+" on "+host)
		}
		parts := strings.Split(strings.Trim(path, "/"), "/")
		if words.OneOf(parts[len(parts)-1], "search check query validate preview count list") {
			break
		}
		for _, part := range parts[max(0, len(parts)-3):] {
			markWord(t, c, part, host)
		}
		markBody(t, c, r.Body, host)
		if strings.HasSuffix(path, "/members") && strings.Contains(r.Body, "access_level") { // of GitLab
			program.Judge(t, c, program.Grants, "membership on "+host)
		}
		if strings.Contains(path, "workflow/") && strings.Contains(path, "/approve/") ||
			strings.HasSuffix(path, "/actions/apply") {
			program.Judge(t, c, program.Releases, "the approval of a workflow on "+host)
		}
		tries := strings.Contains(words.Replace(r.Body, " ", ""), `"sandbox_mode":{"enable":true`)
		if host == words.Among(host, messengers) && !tries || strings.HasSuffix(path, "/actions/send") {
			program.Judge(t, c, program.Publishes, "a message through "+host)
		}
		if host == words.Among(host, pasteSites) || host == words.Among(host, "upload.pypi.org uploads.github.com") {
			program.Judge(t, c, program.Publishes, "a file on "+host)
		}
	}
}

// The constant "messengers" lists hosts that send mails and text messages to people.
const messengers = "api.sendgrid.com api.mailgun.net api.eu.mailgun.net api.resend.com api.postmarkapp.com " +
	"api.twilio.com api.brevo.com api.mailjet.com"

// The constant pasteSites lists hosts where everyone with the address can read what was uploaded.
const pasteSites = "0x0.st transfer.sh file.io bashupload.com temp.sh paste.rs ix.io dpaste.com dpaste.org pastebin.com " +
	"catbox.moe oshi.at hastebin.com paste.ee tmpfiles.org gofile.io uguu.se"

// markWord adds the events that a word suggests. The word is a part of a path, such as "merge" in pulls/12/merge, or
// the name of a mutation, such as volumeDelete.
func markWord(t *trace.Trace, c *trace.Command, word, host string) {
	outcome := program.Looks
	switch m := words.MeaningOf(word); {
	case strings.HasPrefix(word, "merge") && word != "merge_requests", strings.HasPrefix(word, "createCommit"),
		strings.HasSuffix(word, "AutoMerge"):
		t.MarkAll(c, "merges on "+host, effect.Merge, effect.DefaultPush)
	case word == words.Among(word, "protection rulesets protected_branches") || strings.Contains(word, "BranchProtection"):
		outcome = program.Opens
	case word == words.Among(word, "collaborators transfer _security_user _security_role _security_role_mapping "+
		"rolesmapping clusterrolebindings rolebindings roleAssignments"),
		word == "invitations" && host == "the forge":
		outcome = program.Grants
	case words.OneOf(word, "releases public_link public-link"):
		outcome = program.Publishes
	case strings.HasPrefix(word, "deploy"), word == "build_hooks", word == "play", m == words.Deploys, m == words.Reverts:
		outcome = program.Releases
	case m == words.Destroys && word != "reset" && word != "remove",
		word == words.Among(word, "poweroff shutdown formation refunds"),
		words.InName(host, "stripe paypal wise adyen mollie") &&
			words.OneOf(word, "payouts transfers topups payments confirm capture"),
		word == "mute_all":
		outcome = program.Destroys
	case word == words.Among(word, "_ilm _slm _close _settings _cluster_settings _cluster_reroute _restore _update_by_query "+
		"dns_records flags silences maintenance_windows downtime deactivate suspend scriptText config-vars"),
		word == "settings" && host == "api.cloudflare.com",
		words.OneOf(word, "secrets hooks keys") && host == "the forge":
		outcome = program.Changes
	}
	if outcome != program.Looks {
		program.Judge(t, c, outcome, word+" on "+host)
	}
}

// markBody adds the events that the body of a request suggests, such as {"type":"destroy"}.
func markBody(t *trace.Trace, c *trace.Command, body, host string) {
	body = strings.ReplaceAll(body, `": `, `":`)
	if words.HasPart(body, `"archived":true|"remove_index":|"drop_all":true|"purge_everything":true|<delete><query>*:*`) ||
		host == "api.stripe.com" && words.HasPart(body, `confirm=true|"confirm":true|"confirm":"true"|"confirm":null`) {
		program.Judge(t, c, program.Destroys, "a change on "+host)
	}
	if words.HasPart(body, `"private":false|"visibility":"public"`) {
		program.Judge(t, c, program.Publishes, "a repository on "+host)
	}
	key := ""
	for _, rest, ok := strings.Cut(body, `"`); ok; _, rest, ok = strings.Cut(rest, `"`) {
		var text string
		text, rest, _ = strings.Cut(rest, `"`)
		switch {
		case strings.HasPrefix(strings.TrimLeft(rest, " "), ":"):
			key = text
		case key == words.Among(key, "type action op operation command method") && words.MeaningOf(text) == words.Destroys:
			program.Judge(t, c, program.Destroys, trace.Shorten(text)+" on "+host)
		}
	}
}

// markSQL adds the events of SQL in the body or the query of a request. Words in lower case count only at the beginning
// of a line or of a value. In other positions, they may be prose.
func markSQL(t *trace.Trace, c *trace.Command, text, host string) {
	if !t.Spend(len(text)) {
		return
	}
	upper := strings.ToUpper(words.Replace(text, "%20", " ", "+", " "))
	for _, words := range [...]string{"DROP TABLE ", "DROP DATABASE ", "DROP SCHEMA ", "DROP MEASUREMENT ", "TRUNCATE TABLE "} {
		at := strings.Index(upper, words)
		if at < 0 {
			continue
		}
		if before := strings.TrimRight(upper[:at], " "); before == "" || strings.HasSuffix(before, "\n") ||
			strings.ContainsAny(before[len(before)-1:], "=\";:'") || strings.Contains(text, words) {
			program.Judge(t, c, program.Destroys, strings.TrimSpace(words)+" on "+host)
			return
		}
	}
}

// markMutation adds the events that the name of a GraphQL mutation suggests.
func markMutation(t *trace.Trace, c *trace.Command, body, host string) {
	_, rest, _ := strings.Cut(body, "mutation")
	for _, name := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("{}()[]:,\"'$ \n\\", r) }) {
		if _, after := words.NextWord(name); after != "" {
			markWord(t, c, name, host)
		}
	}
}

// isTestHost reports whether a host is this machine, a container on this machine, or a host that is only for
// tests.
func isTestHost(host string) bool {
	if trace.IsLoopback(host) || strings.HasSuffix(host, ".local") || host != "" && !strings.Contains(host, ".") {
		return true
	}
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if i == len(labels)-2 && words.OneOf(label, "test sandbox") { // test.com is a real domain
			continue
		}
		if label == words.Among(label, "test sandbox httpbin jsonplaceholder postman-echo reqres") {
			return true
		}
	}
	return false
}
