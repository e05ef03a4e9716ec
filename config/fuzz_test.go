package config_test

import (
	"slices"
	"testing"

	"guardrails/config"
	"guardrails/guideline"
)

func FuzzVariables(f *testing.F) {
	f.Add("GUARDRAILS_SERVER", `{"url": "unix:/a", "token_file": "~/t"}`)
	f.Add("GUARDRAILS_EXCEPTIONS", `[{"guideline": "a", "tools": ["Bash(x:*)"], "reason": "r", "expires": "2026-01-01"}]`)
	f.Add("GUARDRAILS_CACHE_TTL", "3600")
	f.Add("GUARDRAILS_STRICT", "null")
	f.Add("GUARDRAILS_FALLBACK_MODE", "\x00")
	f.Add("GUARDRAILS_STORE", "sqlite:~/a.db")
	f.Add("GUARDRAILS_STORE", `{"addresses": ["https://a:9200"], "username": "u", "password_file": "~/p", "timeout": 5}`)
	f.Add("GUARDRAILS_AUDIT", `{"keep_days": 90, "keep_entries": 1000}`)
	f.Add("ELASTICSEARCH_URL", "http://a:9200,http://b:9200")
	f.Fuzz(func(t *testing.T, name, value string) {
		c, _ := load(t.TempDir(), func(n string) string {
			if n == name {
				return value
			}
			return ""
		})
		if c.CacheTTL < 10 || c.CacheTTL > 3600 || !slices.Contains(config.FallbackModes(), c.Fallback) || !slices.Contains(config.Environments(), c.Environment) {
			t.Fatalf("invalid settings were accepted: %+v", c)
		}
		if s := c.Store; s != nil && (s.Path == "") == (len(s.Addresses) == 0) {
			t.Fatalf("a store without exactly one location: %+v", s)
		}
		for _, x := range c.Exceptions {
			if !guideline.ValidID(x.Guideline) || x.Reason == "" || x.Expires.IsZero() {
				t.Fatalf("an incomplete exception: %+v", x)
			}
		}
	})
}
