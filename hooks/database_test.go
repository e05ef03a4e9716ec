package hooks_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheDatabaseThatTheSettingsNameIsTheGuardsOwn(t *testing.T) {
	for name, c := range map[string]struct{ settings, variable string }{
		"in the settings":           {settings: "tenant: acme\nstore: sqlite:~/team/g.sqlite\n"},
		"in quotes, with a comment": {settings: "store: \"sqlite:~/team/g.sqlite\" # ours\n"},
		"in the environment":        {settings: "store: sqlite:/elsewhere/x.db\n", variable: "sqlite:~/team/g.sqlite"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, paths)
			s.host.Script = func(path string, _ int64) ([]byte, bool) {
				text, err := os.ReadFile(path)
				return text, err == nil
			}
			s.env["GUARDRAILS_STORE"] = c.variable
			file := filepath.Join(s.project, ".claude", "guardrails.yaml")
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(c.settings), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{
				"rm ~/team/g.sqlite", "sqlite3 ~/team/g.sqlite 'DELETE FROM guideline'", "cp /tmp/x ~/team/g.sqlite", "rm ~/team/g.sqlite-wal", "rm -rf ~/team",
				"rm ~/.local/share/guardrails/guardrails.db", "sqlite3 ~/.local/share/guardrails/guardrails.db 'DELETE FROM guideline'",
			} {
				s.want(s.pre(s.bash(command)), "deny", "self-protection")
			}
			s.want(s.pre(s.bash("rm ~/team2/g.sqlite")), "pass")
		})
	}
}
