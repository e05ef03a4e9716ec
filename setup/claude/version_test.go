package claude_test

import (
	"testing"

	"guardrails/setup/claude"
)

func TestVersionIsParsedFromTheClientsOutput(t *testing.T) {
	for text, want := range map[string]claude.Version{
		"2.1.197 (Claude Code)\n":         {2, 1, 197},
		"2.1.330":                         {2, 1, 330},
		"v3.0.1 (Claude Code)":            {3, 0, 1},
		"2.2.0-beta.1 (Claude Code)":      {2, 2, 0},
		"\n2.1.5 (Claude Code)\na hint\n": {2, 1, 5},
		"10.20.30 and more text":          {10, 20, 30},
	} {
		if got, err := claude.ParseVersion(text); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestInvalidVersionIsShownInTheError(t *testing.T) {
	for text, want := range map[string]string{
		"":                    `"" is not a version such as 2.1.197`,
		"command not found":   `"command not found" is not a version such as 2.1.197`,
		"2.1":                 `"2.1" is not a version such as 2.1.197`,
		"2.1.197.4":           `"2.1.197.4" is not a version such as 2.1.197`,
		"2.+1.197":            `"2.+1.197" is not a version such as 2.1.197`,
		"2..197":              `"2..197" is not a version such as 2.1.197`,
		"2.1.-5":              `"2.1.-5" is not a version such as 2.1.197`,
		"version\nof a thing": `"version" is not a version such as 2.1.197`,
	} {
		if got, err := claude.ParseVersion(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, %v, want the error %s", text, got, err, want)
		}
	}
}

func TestEachFeatureIsKnownFromItsVersionOn(t *testing.T) {
	for _, c := range []struct {
		feature claude.Feature
		version claude.Version
		knows   bool
	}{
		{claude.OnFailure, claude.Version{2, 1, 197}, false},
		{claude.OnFailure, claude.Version{2, 1, 294}, false},
		{claude.OnFailure, claude.Version{2, 1, 295}, true},
		{claude.OnFailure, claude.Version{2, 2, 0}, true},
		{claude.OnFailure, claude.Version{3, 0, 0}, true},
		{claude.OnFailure, claude.Version{1, 9, 999}, false},
		{claude.DirectHooks, claude.Version{2, 1, 327}, false},
		{claude.DirectHooks, claude.Version{2, 1, 328}, true},
		{"an unknown feature", claude.Version{9, 9, 9}, false},
	} {
		if got := c.version.Knows(c.feature); got != c.knows {
			t.Errorf("%v knows %s: %v", c.version, c.feature, got)
		}
	}
}

func FuzzParseVersion(f *testing.F) {
	for _, text := range []string{"2.1.197 (Claude Code)", "v1.2.3-rc.1", "2..1", "", "-1.0.0", "9999999999999999999.0.0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := claude.ParseVersion(text)
		if err != nil {
			return
		}
		if back, err := claude.ParseVersion(v.String()); err != nil || back != v {
			t.Errorf("%q is %v, which reads as %v (%v)", text, v, back, err)
		}
	})
}
