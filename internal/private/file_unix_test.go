//go:build unix

package private_test

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"guardrails/internal/private"
)

type unsafeFile struct {
	why  string
	make func(t *testing.T, path string)
	// dir returns the folder as the test uses it: as its owner or as another user.
	dir func(d *private.Dir) *private.Dir
}

func same(d *private.Dir) *private.Dir { return d }

func unsafeFiles() map[string]unsafeFile {
	return map[string]unsafeFile{
		"a pipe":   {"is not a regular file", func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o600)) }, same},
		"a folder": {"is not a regular file", func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) }, same},
		"a link": {"is a symbolic link", func(t *testing.T, path string) {
			must(t, os.WriteFile(path+"-target", []byte("kept"), 0o600))
			must(t, os.Symlink(path+"-target", path))
		}, same},
		"a link to nothing": {"is a symbolic link", func(t *testing.T, path string) { must(t, os.Symlink(path+"-target", path)) }, same},
		"a hard link": {"has a second name (a hard link)", func(t *testing.T, path string) {
			must(t, os.WriteFile(path+"-target", []byte("kept"), 0o600))
			must(t, os.Link(path+"-target", path))
		}, same},
		"a file that others can write": {"can be written by others", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, nil, 0o600))
			must(t, os.Chmod(path, 0o602))
		}, same},
		"a file of another user": {
			"", func(t *testing.T, path string) { must(t, os.WriteFile(path, nil, 0o600)) },
			func(d *private.Dir) *private.Dir { return d.ForUser(os.Geteuid() + 1) },
		},
	}
}

func TestUnsafeFileIsNeitherReadNorAppendedTo(t *testing.T) {
	const name = "guardrails-s.ledger"
	for what, file := range unsafeFiles() {
		t.Run(what, func(t *testing.T) {
			d := file.dir(folder(t))
			file.make(t, d.Path(name))
			_, read := d.Read(name, 100)
			for try, err := range map[string]error{"read": read, "append": d.Append(name, nil)} {
				unsafe, ok := errors.AsType[*private.Unsafe](err)
				if !ok || unsafe.Path != d.Path(name) || unsafe.Remedy != "remove it" || file.why != "" && unsafe.Why != file.why {
					t.Errorf("%s: got %v", try, err)
				}
			}
			wantKept(t, d.Path(name)+"-target")
		})
	}
}

func TestUnsafeFileIsNotSeen(t *testing.T) {
	const name = "guardrails-s.beat-Stop"
	for what, file := range unsafeFiles() {
		t.Run(what, func(t *testing.T) {
			d := file.dir(folder(t))
			file.make(t, d.Path(name))
			_ = d.Touch(name)
			if at, seen := d.Seen(name); seen {
				t.Errorf("seen at %v", at)
			}
			wantKept(t, d.Path(name)+"-target")
		})
	}
}

func TestWriteReplacesAnUnsafeFile(t *testing.T) {
	const name = "guardrails-s.json"
	for what, file := range unsafeFiles() {
		t.Run(what, func(t *testing.T) {
			d := folder(t)
			file.make(t, d.Path(name))
			if err := d.Write(name, []byte("new")); what == "a folder" {
				if failed, ok := errors.AsType[*private.Failed](err); !ok || failed.What != "cannot be replaced" {
					t.Errorf("got %v", err)
				}
				expect(t, names(t, d, "guardrails.draft"), nil)
				return
			} else if err != nil {
				t.Fatal(err)
			}
			if text, err := d.Read(name, 100); err != nil || string(text) != "new" {
				t.Errorf("read %q, %v", text, err)
			}
			wantKept(t, d.Path(name)+"-target")
		})
	}
}

// wantKept checks that the target of a link has not changed, and that it was not created through the link. The target
// may be missing.
func wantKept(t *testing.T, path string) {
	t.Helper()
	if text, err := os.ReadFile(path); err == nil && string(text) != "kept" {
		t.Errorf("%s is now %q", path, text)
	}
	if info, err := os.Lstat(path); err == nil && info.Size() == 0 {
		t.Errorf("%s was created through a link", path)
	}
}

func TestFileReplacedDuringAReadIsReadToItsEnd(t *testing.T) {
	d := folder(t)
	must(t, d.Write("guardrails-s.json", []byte("old")))
	f, _, err := d.OpenFile("guardrails-s.json")
	must(t, err)
	defer f.Close()
	must(t, d.Write("guardrails-s.json", []byte("new")))
	text := make([]byte, 3)
	if _, err := f.ReadAt(text, 0); err != nil || string(text) != "old" {
		t.Errorf("read %q, %v", text, err)
	}
}

func TestFolderIsNeverRemovedAsAFile(t *testing.T) {
	d := folder(t)
	must(t, os.Mkdir(d.Path("guardrails-s.allow-1"), 0o700))
	was, err := d.Remove("guardrails-s.allow-1")
	if _, ok := errors.AsType[*private.Failed](err); !ok || was || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, %v", was, err)
	}
}
