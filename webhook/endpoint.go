package webhook

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"guardrails/internal/document"
	"guardrails/store"
)

// The limits of an endpoint.
const (
	maxURL         = 2048
	maxFilters     = 50
	maxDescription = 200
	// MaxEndpoints is the maximum number of endpoints of a tenant.
	MaxEndpoints = 50
)

// Complete sets the defaults of an endpoint. By default, the endpoint gets all events. The default format depends on
// the host, for example "slack" for hooks.slack.com.
func Complete(e *store.Endpoint) {
	if e.Format == "" {
		e.Format = formatOf(e.URL)
	}
	if len(e.Events) == 0 {
		e.Events = []string{everything}
	}
}

func formatOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return FormatJSON
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	isDiscord := func(domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }
	switch {
	case host == "hooks.slack.com", host == "hooks.slack-gov.com":
		return FormatSlack
	case (isDiscord("discord.com") || isDiscord("discordapp.com")) && isDiscordPath(u.Path):
		return FormatDiscord
	}
	return FormatJSON
}

// isDiscordPath reports whether a path is one of Discord's webhooks. The path can have a version, as in
// /api/v10/webhooks.
func isDiscordPath(path string) bool {
	below, found := strings.CutPrefix(path, "/api/")
	if version, rest, cut := strings.Cut(below, "/"); cut && len(version) > 1 && strings.Trim(version[1:],
		"0123456789") == "" && version[0] == 'v' {
		below = rest
	}
	return found && strings.HasPrefix(below, "webhooks")
}

// Check checks the settings that a person chose for an endpoint.
func Check(e *store.Endpoint) document.Problems {
	var p document.Problems
	report := func(path, message, remedy string) {
		p.Add(document.Problem{Path: path, Message: message, Remedy: remedy})
	}
	if message, remedy := checkURL(e.URL); message != "" {
		report("url", message, remedy)
	}
	if !slices.Contains(Formats(), e.Format) {
		report("format", document.Excerpt(e.Format)+" is not known", "use "+strings.Join(Formats(), ", "))
	}
	if len(e.Events) > maxFilters {
		report("events", "has more than 50 filters", "use a prefix such as safety.*")
	}
	for i, filter := range e.Events {
		if !isFilter(filter) {
			report(document.Index("events", i), document.Excerpt(filter)+" is not an event",
				"write *, a prefix such as safety.*, or a name such as safety.blocked")
		}
	}
	if utf8.RuneCountInString(e.Description) > maxDescription || strings.ContainsFunc(e.Description, unicode.IsControl) {
		report("description", "is longer than 200 characters or has control characters", "write one short line")
	}
	return p
}

// checkURL returns what is wrong with a URL. It never repeats the URL, because the URL can be a secret.
func checkURL(address string) (message, remedy string) {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return "is missing", "give the URL of the receiver"
	case len(address) > maxURL || !utf8.ValidString(address) || strings.ContainsFunc(address, unicode.IsControl):
		return "is longer than 2048 bytes or has control characters", "copy it again"
	case err != nil || u.Hostname() == "":
		return "is not a URL", "write it as https://host/path"
	case u.User != nil:
		return "has a user name or a password", "remove it; receivers recognize guardrails by the signature instead"
	case u.Fragment != "":
		return "has a part after #", "remove it"
	case u.Scheme == "https" || u.Scheme == "http" && IsLoopback(u.Hostname()):
		return "", ""
	}
	return "does not begin with https:// (http:// is allowed only for this computer)", "use https"
}

// IsLoopback reports whether a host in a URL is this computer.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	at, err := netip.ParseAddr(host)
	return err == nil && at.Unmap().IsLoopback()
}

// Shown is a function that returns the URL of an endpoint as people may see it. URLs of Slack and Discord are secrets,
// so only their hosts and last four characters are shown. In other URLs, the query parameters are hidden.
func Shown(e *store.Endpoint) string {
	u, err := url.Parse(e.URL)
	switch {
	case e.URL == "":
		return ""
	case err != nil:
		return "***"
	}
	if e.Format != FormatJSON || formatOf(e.URL) != FormatJSON {
		return u.Scheme + "://" + u.Host + "/…" + e.URL[max(0, len(e.URL)-shownEnd):]
	}
	if u.RawQuery != "" {
		u.RawQuery = "…"
	}
	return u.String()
}

const shownEnd = 4

// Signatures returns the value of HeaderSignature for a body, or "" if the format of the endpoint has no signature.
func Signatures(e *store.Endpoint, body []byte, at time.Time) string {
	if e.Format != FormatJSON {
		return ""
	}
	return Sign(body, at, current(e.Secrets, at)...)
}
