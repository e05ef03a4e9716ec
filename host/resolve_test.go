package host

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLinksAreFollowedInThePartThatExists(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(base, filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"/link/new/file": "/new/file", "/link": "", "/none/file": "/none/file"} {
		if got := Resolve(base + path); got != base+want {
			t.Errorf("%s: got %s, want %s", path, got, base+want)
		}
	}
}

func TestALinkToAMissingFileIsFollowed(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"home/real", "shop/sub"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"shop/absolute": filepath.Join(base, "home/missing"), "shop/relative": "../home/missing", "shop/chain": "relative",
		"shop/through": "sub/../../home/none/missing", "shop/sub/up": "../relative", "shop/a": "b", "shop/b": "a",
		"shop/folder": "../home/none", "shop/elsewhere": filepath.Join(base, "home/real"), "shop/up": "elsewhere/../missing",
	} {
		if err := os.Symlink(to, filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"shop/absolute": "home/missing", "shop/relative": "home/missing", "shop/chain": "home/missing",
		"shop/through": "home/none/missing", "shop/sub/up": "home/missing", "shop/folder/file": "home/none/file",
		"shop/a": "shop/a", "shop/up": "home/missing",
	} {
		if got := Resolve(filepath.Join(base, path)); got != filepath.Join(base, want) {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestRememberingLinksDoesNotChangeResults(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"real/a", "real/b"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(base, "real/file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": "real", "real/a/up": "..", "real/gone": "nowhere", "real/b/file": "../file"} {
		if err := os.Symlink(to, filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
	}
	r := &resolver{}
	for _, path := range []string{
		"real", "real", "", "real/a", "real/a/new", "real/a/new/er", "link/a", "real/a/up/b", "real/gone", "real/gone/x", "real/file", "real/file/x",
		"real/b/file", "realm", "real/../link", "link", "real/a/up", "real/a/../a/up",
	} {
		path = base + "/" + path
		if got, want := r.resolve(path), Resolve(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestAMissingPathStaysAsItIs(t *testing.T) {
	for _, path := range []string{"/nowhere/at/all", "relative/nowhere"} {
		if got := Resolve(path); got != path {
			t.Errorf("%s became %s", path, got)
		}
	}
}
