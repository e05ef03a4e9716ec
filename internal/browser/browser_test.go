package browser

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"guardrails/internal/private"
)

func TestTheAddressIsInAFileThatOnlyTheUserCanRead(t *testing.T) {
	dir, err := private.Open(filepath.Join(t.TempDir(), "state"))
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"http://127.0.0.1:7117/ui/#code=abc", `http://127.0.0.1:7117/ui/#code="><script>`} {
		given := ""
		if err := Show(dir, address, func(path string) error { given = path; return nil }); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(given)
		info, statErr := os.Stat(given)
		if err := errors.Join(err, statErr); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(given, "code") || strings.Contains(string(text), "<script") || !strings.Contains(string(text), "http://127.0.0.1:7117/ui/#code=") {
			t.Errorf("%s: %s", given, text)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%v", info.Mode())
		}
	}
	failed := errors.New("no browser")
	if err := Show(dir, "x", func(string) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(dir.Path(file)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the address stays in a file that no browser reads: %v", err)
	}
}

func TestEverySystemHasItsProgram(t *testing.T) {
	screen := func(name string) string { return map[string]string{"DISPLAY": ":0"}[name] }
	none := func(string) string { return "" }
	for _, c := range []struct {
		system string
		env    func(string) string
		want   string
	}{
		{"linux", screen, "xdg-open"}, {"darwin", none, "open"}, {"windows", none, "rundll32"}, {"linux", none, ""},
	} {
		name, _, err := opener(c.system, c.env)
		if name != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v", c.system, name, err)
		}
	}
}
