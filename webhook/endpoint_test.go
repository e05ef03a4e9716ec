package webhook_test

import (
	"net/netip"
	"strings"
	"testing"

	"guardrails/store"
	"guardrails/webhook"
)

func TestFiltersSelectEvents(t *testing.T) {
	for _, c := range []struct {
		filters, event string
		want           bool
	}{
		{"*", "safety.blocked", true},
		{"*", "proactive.pii_attempt", true},
		{"*", "decision.denied", false},
		{"*", "detector.rumination", false},
		{"safety.*", "safety.hold", true},
		{"safety.*", "safetynet.hold", false},
		{"safety.*", "safety", false},
		{"decision.*", "decision.asked", true},
		{"detector.*", "detector.tool_loop", true},
		{"a.b.*", "a.b.c", true},
		{"a.b.*", "a.c", false},
		{"safety.hold", "safety.hold", true},
		{"safety.hold", "safety.blocked", false},
		{"safety.hold decision.denied", "decision.denied", true},
		{"", "safety.hold", false},
		{"safety.hold", "webhook.test", true},
	} {
		if got := webhook.Wants(strings.Fields(c.filters), c.event); got != c.want {
			t.Errorf("%q, %s: got %v", c.filters, c.event, got)
		}
	}
}

func TestEndpointsAreChecked(t *testing.T) {
	for _, c := range []struct{ url, format, event, problem string }{
		{"https://example.com/hook", "", "", ""},
		{"https://example.com:8443/hook?a=b", "json", "safety.*", ""},
		{"http://localhost:8080/hook", "", "", ""},
		{"http://127.0.0.1:8080/hook", "", "", ""},
		{"http://[::1]:8080/hook", "", "", ""},
		{"https://10.0.0.1/", "", "", ""}, // the address is checked only when the sender connects
		{"", "", "", "url: is missing"},
		{"http://example.com/hook", "", "", "url: does not begin"},
		{"http://localhost.example.com/", "", "", "url: does not begin"},
		{"http://127.0.0.1.example.com/", "", "", "url: does not begin"},
		{"ftp://example.com/", "", "", "url: does not begin"},
		{"file:///etc/passwd", "", "", "url: is not a URL"},
		{"https://user@example.com/", "", "", "url: has a user name"},
		{"https://user:password@example.com/", "", "", "url: has a user name"},
		{"https://@example.com/", "", "", "url: has a user name"},
		{"https://example.com/#x", "", "", "url: has a part after #"},
		{"https:///hook", "", "", "url: is not a URL"},
		{"https://exa mple.com/", "", "", "url: is not a URL"},
		{"https://example.com/\n", "", "", "url: is longer"},
		{"https://example.com/" + strings.Repeat("x", 2048), "", "", "url: is longer"},
		{"https://example.com/", "teams", "", "format: "},
		{"https://example.com/", "", "safety", "events[0]: "},
		{"https://example.com/", "", "*.blocked", "events[0]: "},
		{"https://example.com/", "", "safety..blocked", "events[0]: "},
		{"https://example.com/", "", "Safety.blocked", "events[0]: "},
		{"https://example.com/", "", ".*", "events[0]: "},
	} {
		e := store.Endpoint{URL: c.url, Format: c.format}
		if c.event != "" {
			e.Events = []string{c.event}
		}
		webhook.Complete(&e)
		got := webhook.Check(&e).Error()
		if c.problem == "" && len(webhook.Check(&e)) > 0 || !strings.Contains(got, c.problem) {
			t.Errorf("%.60q %s %s: got %q", c.url, c.format, c.event, got)
		}
		if strings.Contains(got, "password") && c.url != "" && !strings.Contains(got, "has a user name or a password") {
			t.Errorf("%.60q: the message repeats the URL: %s", c.url, got)
		}
	}
}

func TestTheFormatIsChosenByTheHost(t *testing.T) {
	for url, want := range map[string]string{
		"https://hooks.slack.com/services/T0/B0/x":       "slack",
		"https://discord.com/api/webhooks/1/x":           "discord",
		"https://discord.com/api/v10/webhooks/1/x":       "discord",
		"https://discord.com/api/v10/users/1":            "json",
		"https://discord.com/api/vx/webhooks/1/x":        "json",
		"https://discord.com/other":                      "json",
		"https://hooks.slack.com.example.com/services/x": "json",
		"https://example.com/hooks.slack.com":            "json",
	} {
		e := store.Endpoint{URL: url}
		if webhook.Complete(&e); e.Format != want {
			t.Errorf("%s: got %s, want %s", url, e.Format, want)
		}
	}
}

func TestSecretURLsAreShownToTheirLastFourCharacters(t *testing.T) {
	for _, c := range []struct{ url, format, want string }{
		{"https://hooks.slack.com/services/T0/B0/secretABCD", "slack", "https://hooks.slack.com/…ABCD"},
		{"https://discord.com/api/webhooks/1/secretWXYZ", "discord", "https://discord.com/…WXYZ"},
		{"https://hooks.slack.com/services/T0/B0/secretABCD", "json", "https://hooks.slack.com/…ABCD"},
		{"https://discord.com/api/v10/webhooks/1/secretWXYZ", "json", "https://discord.com/…WXYZ"},
		{"https://slack.example.com/secret1234", "slack", "https://slack.example.com/…1234"},
		{"https://example.com/hook", "json", "https://example.com/hook"},
		{"https://example.com/hook?token=secret", "json", "https://example.com/hook?…"},
		{"", "json", ""},
	} {
		if got := webhook.Shown(&store.Endpoint{URL: c.url, Format: c.format}); got != c.want {
			t.Errorf("%s: got %s, want %s", c.url, got, c.want)
		}
	}
}

func TestPrivateAndReservedAddressesAreRefused(t *testing.T) {
	const public, private, never = "public", "private", "never"
	for address, kind := range map[string]string{
		"93.184.215.14": public, "1.1.1.1": public, "2606:4700::1111": public, "172.32.0.1": public, "100.128.0.1": public,
		"127.0.0.1": private, "::1": private, "::ffff:127.0.0.1": private, "10.1.2.3": private, "172.16.0.1": private,
		"192.168.0.1": private, "::ffff:10.0.0.1": private, "169.254.169.254": private, "169.254.0.1": private,
		"fe80::1": private, "fe80::1%eth0": private, "fd00:ec2::254": private, "fc00::1": private,
		"100.64.0.1": private, "100.100.100.200": private, "192.0.0.192": private, "198.18.0.1": private, "0.1.2.3": private,
		"240.0.0.1": private, "255.255.255.255": private, "192.0.2.1": private, "64:ff9b::a00:1": private,
		"64:ff9b:1::a00:1": private, "2002:a00:1::": private, "2001:0:a00:1::": private, "::10.0.0.1": private, "2001:db8::1": private,
		"fec0::1": private, "::ffff:0:10.0.0.1": private, "64:ff9b:2::a00:1": private, "100::1": private, "5f00::1": private,
		"4000::1": private,
		"0.0.0.0": never, "::": never, "224.0.0.1": never, "ff02::1": never, "::ffff:0.0.0.0": never,
	} {
		at := netip.MustParseAddr(address)
		if err := webhook.CheckAddress(at, false, false); (err == nil) != (kind == public) {
			t.Errorf("%s: got %v", address, err)
		}
		if err := webhook.CheckAddress(at, false, true); (err == nil) == (kind == never) {
			t.Errorf("%s with allow_private: got %v", address, err)
		}
		if err := webhook.CheckAddress(at, true, true); (err == nil) != at.Unmap().IsLoopback() {
			t.Errorf("%s for a URL of this computer: got %v", address, err)
		}
	}
}
