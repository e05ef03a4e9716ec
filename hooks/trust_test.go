package hooks_test

import (
	"strings"
	"testing"
)

const denyProd = `
guidelines:
  - id: no-prod
    name: Production is not touched
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(prod/*)"]}
`

// scripts() creates scripts in the project. A script whose name begins with "old" is also committed.
func (s *stage) scripts(files map[string]string) *int {
	asked := 0
	s.host.Script = func(path string, limit int64) ([]byte, bool) {
		text, ok := files[strings.TrimPrefix(path, s.project+"/")]
		return []byte(text), ok && int64(len(text)) <= limit
	}
	s.host.Committed = func(root, path, text string) bool {
		asked++
		name := strings.TrimPrefix(path, root+"/")
		return strings.HasPrefix(name, "old") && files[name] == text
	}
	return &asked
}

func TestAScriptIsJudgedByWhatItDoesAndByWhetherItIsCommitted(t *testing.T) {
	for _, c := range []struct {
		guidelines, command string
		want                string
		asks                int
	}{
		{"pack:core", "sh new-clean.sh", "ask", 1},
		{"pack:core", "sh old-clean.sh", "pass", 1},
		{"pack:core", "sh old-tamper.sh", "deny", 1},
		{"pack:core", "sh new-build.sh", "pass", 0},
		{"pack:core", "ls", "pass", 0},
		{denyProd, "sh old-prod.sh", "deny", 1},
		{denyProd, "sh new-prod.sh", "deny", 1},
		{denyProd, "sh old-tamper.sh", "deny", 1},
	} {
		s := newStage(t, c.guidelines)
		asked := s.scripts(map[string]string{
			"new-clean.sh": "rm -rf src\n", "old-clean.sh": "rm -rf src\n", "new-build.sh": "go build ./...\n",
			"old-tamper.sh": "echo > .claude/settings.json\n", "old-prod.sh": "echo > prod/a\n", "new-prod.sh": "echo > prod/a\n",
		})
		s.want(s.pre(s.bash(c.command)), c.want)
		if *asked != c.asks {
			t.Errorf("%s: git was asked %d times, want %d", c.command, *asked, c.asks)
		}
	}
}
