package config_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"guardrails/config"
)

func TestInvalidSettingsKeepTheirDefaultsAndTheOthersApply(t *testing.T) {
	got, problems := load(project(t, `
tenant: acme
environment: moon
fallback_mode: fail_openly
cache_ttl: 5000
strict: 1
server: {url: "ftp://x"}
exceptions:
  - {guideline: a, reason: b, expires: never}
  - {guideline: c, reason: d, expires: 2026-01-01}
`), from(nil))
	want := defaultsWith(func(c *config.Config) {
		c.Tenant = "acme"
		c.Exceptions = []config.Exception{{Guideline: "c", Reason: "d", Expires: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}}
	})
	if len(problems) != 6 {
		t.Errorf("got the problems\n%v", problems)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

func TestOnlyACompleteAddressIsAServer(t *testing.T) {
	for url, good := range map[string]bool{
		"http://127.0.0.1:7117/mcp": true, "https://guard.example.com/mcp": true, "http://[::1]:7117": true, "unix:/run/x.sock": true,
		"":           false,
		"unix:":      false,
		"unix:x":     false,
		"unix:/":     false,
		"unix:/a/..": false,
		"unix:///a":  false,
		"http://":    false, "http:///mcp": false, "127.0.0.1:7117": false, "file:///etc/passwd": false,
		"http://user:secret@host/mcp": false, "http://host/mcp?token=x": false, "http://host/mcp?": false, "http://host/mcp#": false, "http://host/mcp#x": false,
		"http://host:port/mcp": false, "http://ho st/": false,
	} {
		_, problems := load(project(t, ""), from(map[string]string{"GUARDRAILS_SERVER": `{"url": "` + url + `"}`}))
		if (len(problems) == 0) != good {
			t.Errorf("%q: %v", url, problems)
		}
	}
}

func TestServerSocketIsThePathOfItsAddress(t *testing.T) {
	if path, ok := (&config.Server{URL: "unix:/run/x.sock"}).Socket(); !ok || path != "/run/x.sock" {
		t.Errorf("got %q, %v", path, ok)
	}
	if _, ok := (&config.Server{URL: "http://host/mcp"}).Socket(); ok {
		t.Error("a network address is accepted as a socket")
	}
}

func TestExceptionAppliesUntilItExpires(t *testing.T) {
	c, problems := load(project(t, "exceptions: [{guideline: a, reason: b, expires: 2026-02-28}]\n"), from(nil))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, at := range []struct {
		name    string
		now     time.Time
		applies bool
	}{
		{"the last moment of the day", time.Date(2026, 2, 28, 23, 59, 59, 0, time.UTC), true},
		{"the day after", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), false},
		{"the same day elsewhere", time.Date(2026, 3, 1, 1, 0, 0, 0, time.FixedZone("", 2*3600)), true},
	} {
		applying, expired := c.ExceptionsAt(at.now)
		if len(applying)+len(expired) != 1 || (len(applying) == 1) != at.applies {
			t.Errorf("%s: applying %v, expired %v", at.name, applying, expired)
		}
	}
}

func TestOverridesAreTheSetVariables(t *testing.T) {
	got := config.Overrides(from(map[string]string{"GUARDRAILS_STRICT": "true", "GUARDRAILS_TENANT": "acme", "GUARDRAILS_PACKS": "", "HOME": "/x"}))
	if want := "GUARDRAILS_TENANT=acme GUARDRAILS_STRICT=true"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
