//go:build unix

package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"guardrails/store"
	"guardrails/store/sqlite"
)

func TestOnlyTheOwnerHasAccessToTheFile(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	path := newPath(t)
	s := open(t, path)
	defer s.Close()
	addOne(t, s)
	for name, want := range map[string]os.FileMode{
		filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info, err := os.Lstat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, want %v (%v)", filepath.Base(name), info.Mode(), want, err)
		}
	}
}

func TestAFileThatOtherUsersCanAccessIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"the file is a link": func(path string) error {
			return join(os.Rename(path, path+".real"), os.Symlink(path+".real", path))
		},
		"the log is a link": func(path string) error {
			return join(os.WriteFile(path+".other", nil, 0o600), os.Symlink(path+".other", path+"-wal"))
		},
		"the folder is a link": func(path string) error {
			folder := filepath.Dir(path)
			return join(os.Rename(folder, folder+"2"), os.Symlink(folder+"2", folder))
		},
		"the file is a folder":     func(path string) error { return join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"the file is a pipe":       func(path string) error { return join(os.Remove(path), syscall.Mkfifo(path, 0o600)) },
		"others can read the file": func(path string) error { return os.Chmod(path, 0o644) },
		"others can create files":  func(path string) error { return os.Chmod(filepath.Dir(path), 0o777) },
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			if err := join(open(t, path).Close(), spoil(path)); err != nil {
				t.Fatal(err)
			}
			refuse(t, sqlite.Options{Path: path}, store.Unavailable, "cannot be used")
		})
	}
}

func TestARemovedOrReplacedFileIsNotUsed(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"removed":  os.Remove,
		"replaced": func(path string) error { return join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			defer s.Close()
			addOne(t, s)
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			_, appended := s.Append(t.Context(), "a", entry("lost"))
			_, asked := store.GenerationOf(t.Context(), s, "a")
			_, read := s.All(t.Context(), "a")
			for _, err := range []error{appended, asked, read} {
				if store.CodeOf(err) != store.Unavailable || !strings.Contains(err.Error(), "removed or replaced") {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}

func TestAPathIsRequired(t *testing.T) {
	refuse(t, sqlite.Options{}, store.Invalid, "use the path of a file")
	refuse(
		t, sqlite.Options{Path: filepath.Join(t.TempDir(), "none.db"), ReadOnly: true}, store.Unavailable, "cannot open",
	)
}

func TestPathsCanHaveAnyCharacters(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "special ?#%41&mode=memory", "gu'ard \"rails\" 日本.db"))
	defer s.Close()
	addOne(t, s)
}
