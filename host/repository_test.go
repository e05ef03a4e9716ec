package host

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFolderHasARepositoryIfItIsOneOrDirectlyContainsOne(t *testing.T) {
	base := t.TempDir()
	for _, dir := range []string{"code/shop/.git", "code/shop/src", "notes/a/b/.git", "tree"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(base, "tree", ".git"), []byte("gitdir: ../code/shop/.git/worktrees/tree"), 0o644); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]bool{
		"code/shop": true, "code": true, "code/shop/src": false, "notes": false, "tree": false, "missing": false,
	} {
		if got := hasRepository(filepath.Join(base, folder)); got != want {
			t.Errorf("%s: %v, want %v", folder, got, want)
		}
	}
}
