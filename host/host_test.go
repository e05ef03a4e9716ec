package host

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheRootIsTheClientsElseTheGitRootElseTheFolder(t *testing.T) {
	base := t.TempDir()
	for _, dir := range []string{"b/c/d", "b/.git", "w", "plain/x"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(base, "w", ".git"), []byte("gitdir: elsewhere"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ variable, folder, want string }{
		{base + "/a", base + "/b/c", base + "/a"},
		{"relative", base + "/b/c/d", base + "/b"},
		{"", base + "/b", base + "/b"},
		{"", base + "/w", base + "/w"},
		{"", base + "/plain/x", base + "/plain/x"},
		{"", "", ""},
		{"", "relative", "relative"},
	} {
		if got := Root(func(string) string { return c.variable }, c.folder); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestTheAgentIsTheNamedOneElseTheSessionsElseTheUsualOne(t *testing.T) {
	for _, c := range []struct{ named, session, want string }{
		{"backend", "frontend", "backend"}, {"", "frontend", "frontend"}, {"", "", "pm"},
	} {
		if got := Agent(c.named, func(string) string { return c.session }, "pm"); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}
