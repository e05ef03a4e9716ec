package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/setup"
)

func TestExceptionsAreAddedToASettingsFileAndNothingElseChanges(t *testing.T) {
	x := config.Exception{
		Guideline: "no-push", Tools: []string{`Bash(git push origin "a b":*)`}, Reason: "release week: all of it",
		Expires: time.Date(2026, 2, 6, 12, 0, 0, 0, time.UTC),
	}
	const item = `{guideline: no-push, tools: ["Bash(git push origin \"a b\":*)"], reason: "release week: all of it", expires: "2026-02-06T12:00:00Z"}`
	const dated = `{guideline: a, tools: ["Bash(x [y]:*)"], reason: r, expires: 2026-01-31}`
	for _, c := range []struct{ name, before, after string }{
		{"no file", "", "exceptions: [" + item + "]\n"},
		{"only comments", "# mine\n", "# mine\nexceptions: [" + item + "]\n"},
		{"other settings", "strict: true # yes\n", "strict: true # yes\nexceptions: [" + item + "]\n"},
		{"an empty list", "exceptions: []\n", "exceptions: [" + item + "]\n"},
		{"a list in brackets", "exceptions: [" + dated + "] # [old]\nstrict: true\n", ""},
		{"a list in brackets without a comment", "exceptions: [" + dated + "]\n", "exceptions: [" + dated + ", " + item + "]\n"},
		{"a list with dashes", "exceptions:\n  - " + dated + "\nstrict: true\n", "exceptions:\n  - " + dated + "\n  - " + item + "\nstrict: true\n"},
		{
			"items of several lines", "exceptions:\n- guideline: a\n  reason: r\n  expires: 2026-01-31\nstrict: true",
			"exceptions:\n- guideline: a\n  reason: r\n  expires: 2026-01-31\n- " + item + "\nstrict: true",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			file := filepath.Join(root, config.File)
			if c.before != "" {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(c.before), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			plan, err := setup.AddExceptions(file, []config.Exception{x})
			if c.after == "" {
				if err == nil || !strings.Contains(err.Error(), "by hand") {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := plan.Apply(setup.ForProject(root)); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil || string(text) != c.after {
				t.Errorf("got %q, want %q (%v)", text, c.after, err)
			}
			layers := config.Read(config.Places{Root: root}, func(string) string { return "" })
			settings, problems := layers.Combine(false), layers.Problems()
			if n := len(settings.Exceptions); problems.Err() != nil || n == 0 || settings.Exceptions[n-1].Tools[0] != x.Tools[0] {
				t.Errorf("read back %+v, %v", settings.Exceptions, problems)
			}
		})
	}
}
