package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The last change cannot be moved into place, because there is a folder at its path.
func TestEarlierChangesAreUndoneWhenALaterOneFails(t *testing.T) {
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, name) }
	for name, text := range map[string]string{"changed": "old", "removed": "old"} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := &writer{target: ForProject(root)}
	for _, c := range []Change{
		{Path: path("changed"), Before: []byte("old"), After: []byte("new")},
		{Path: path("removed"), Before: []byte("old")},
		{Path: path("made/created"), After: []byte("new")},
		{Path: path("blocked"), After: []byte("new")},
	} {
		if err := w.stage(&c); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(path("blocked/in/the/way"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := w.place(); err == nil || !strings.HasPrefix(err.Error(), path("blocked")+": cannot be written: ") {
		t.Errorf("got %v", err)
	}
	var left []string
	entries, err := os.ReadDir(root)
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if got := strings.Join(left, " "); err != nil || got != "blocked changed removed" {
		t.Errorf("not removed: %s, %v", got, err)
	}
	for _, name := range []string{"changed", "removed"} {
		text, err := os.ReadFile(path(name))
		if info, _ := os.Stat(path(name)); err != nil || string(text) != "old" || info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
}
