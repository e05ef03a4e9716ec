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
	f.Fuzz(func(t *testing.T, name, value string) {
		c, _ := config.Load(t.TempDir(), func(n string) string {
			if n == name {
				return value
			}
			return ""
		})
		if c.CacheTTL < 10 || c.CacheTTL > 3600 || !slices.Contains(config.FallbackModes(), c.Fallback) || !slices.Contains(config.Environments(), c.Environment) {
			t.Fatalf("settings that no one may have: %+v", c)
		}
		for _, x := range c.Exceptions {
			if !guideline.ValidID(x.Guideline) || x.Reason == "" || x.Expires.IsZero() {
				t.Fatalf("half an exception: %+v", x)
			}
		}
	})
}
