package private_test

import (
	"errors"
	"io"
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

func TestContentThatIsWrittenInPartsReplacesTheFileOnlyAsAWhole(t *testing.T) {
	d := folder(t)
	never := func() bool { return false }
	must(t, d.Write("guardrails-s.json", []byte("old")))
	broken := errors.New("broken")
	err := d.WriteUnless("guardrails-s.json", never, func(to io.Writer) error {
		_, err := to.Write([]byte("half"))
		return errors.Join(err, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	wantText(t, d, "old")
	must(t, d.WriteUnless("guardrails-s.json", never, func(to io.Writer) error {
		for _, part := range []string{"new ", "text"} {
			if _, err := io.WriteString(to, part); err != nil {
				return err
			}
		}
		return nil
	}))
	wantText(t, d, "new text")
	expect(t, names(t, d, ""), []string{"guardrails-s.json"})
	if err := d.WriteUnless("../x", never, nil); !errors.Is(err, private.ErrName) {
		t.Errorf("got %v", err)
	}
}

func wantText(t *testing.T, d *private.Dir, want string) {
	t.Helper()
	if text, err := d.Read("guardrails-s.json", 100); err != nil || string(text) != want {
		t.Errorf("read %q, %v; want %q", text, err, want)
	}
}
