package host

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFolderIsListedUpToALimit(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		most  int
		found int
		all   bool
	}{{"", 3, 3, true}, {"", 2, 2, false}, {"empty", 3, 0, true}, {"nowhere", 3, 0, true}, {"a", 3, 0, false}} {
		got, all := list(filepath.Join(dir, c.name), c.most)
		if len(got) != c.found || all != c.all {
			t.Errorf("%q with at most %d: %v, %v", c.name, c.most, got, all)
		}
	}
}
