package private_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"guardrails/internal/private"
)

func TestCreateFailsWhenTheFileExists(t *testing.T) {
	d := folder(t)
	must(t, d.Create("guardrails-s.denied-A", []byte("one")))
	if err := d.Create("guardrails-s.denied-A", []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	if err := d.Create("../x", nil); !errors.Is(err, private.ErrName) {
		t.Errorf("got %v", err)
	}
	text, err := d.Read("guardrails-s.denied-A", 100)
	if err != nil || string(text) != "one" {
		t.Errorf("read %q, %v", text, err)
	}
	must(t, os.Symlink(d.Path("target"), d.Path("guardrails-s.denied-B")))
	if err := d.Create("guardrails-s.denied-B", []byte("x")); err == nil {
		t.Error("Create follows a link")
	}
}

func TestStateFolderThatIsAFileIsRefused(t *testing.T) {
	base := t.TempDir()
	must(t, os.WriteFile(filepath.Join(base, "guardrails"), nil, 0o600))
	if _, err := private.StateDir(from(map[string]string{"XDG_STATE_HOME": base})); err == nil {
		t.Error("a file is accepted as the folder")
	}
}
