package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheOwnersTokenIsNotSentToOtherComputers(t *testing.T) {
	for name, c := range map[string]struct{ url, want string }{
		"another computer": {"http://192.0.2.1:7117/mcp", "is the token file of this computer's own server"},
		"this computer":    {"http://127.0.0.1:1/mcp", "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			p, home := newProject(t, nil), t.TempDir()
			p.vars["HOME"], p.vars["XDG_STATE_HOME"] = home, ""
			own := filepath.Join(home, ".local", "state", "guardrails", "token")
			check(t, os.MkdirAll(filepath.Dir(own), 0o700))
			write(t, own, strings.Repeat("x", 40))
			check(t, os.Link(own, filepath.Join(home, "other-name")))
			p.write(".claude/guardrails.yaml", "server: {url: \""+c.url+"\", token_file: ~/other-name}\n")
			contains(t, p.hook("").Fallback.Reason, c.want)
		})
	}
}
