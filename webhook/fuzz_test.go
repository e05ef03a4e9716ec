package webhook_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/webhook"
)

// FuzzURL fails if an accepted URL has no host, or names another computer without encryption. It also fails if the
// error for a rejected URL contains the URL.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/hook", "http://127.0.0.1:8080/", "http://[::1]/", "http://localhost@example.com/", "https://u:p@example.com/",
		"http://0x7f.1/", "https://example.com/#x", "ftp://example.com/", "https://", "http://LOCALHOST/", "https://hooks.slack.com/services/T/B/x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		problems := webhook.Check(&store.Endpoint{URL: address, Format: "json", Events: []string{"*"}})
		for _, p := range problems {
			if len(address) > 20 && strings.Contains(p.Error(), address) {
				t.Fatalf("the mistake %q repeats the URL", p.Error())
			}
		}
		if len(problems) > 0 {
			return
		}
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
			t.Fatalf("%q is accepted", address)
		}
		if u.Scheme != "https" && (u.Scheme != "http" || !webhook.IsLoopback(u.Hostname())) {
			t.Fatalf("%q is accepted", address)
		}
	})
}

// FuzzRetryAfter fails if the pause that an endpoint asks for is negative, or if the next try is earlier than usual or
// more than an hour from now.
func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"120", "-1", "99999999999999999999", "Wed, 21 Oct 2026 07:28:00 GMT", "", " 5", "1e9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		now := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
		wait := webhook.RetryAfter(header, now)
		at, ok := webhook.Next(1, now, 0.5, wait)
		if wait < 0 || !ok || at.Before(now.Add(5*time.Second)) || at.After(now.Add(time.Hour)) {
			t.Fatalf("%q: wait %v, then at %v", header, wait, at)
		}
	})
}
