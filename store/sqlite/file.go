package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"guardrails/store"
)

// file is the database's file as it was when it was opened.
type file struct {
	path string
	info fs.FileInfo
}

// secure makes sure that nobody else can read or replace the file, and makes it when it is missing. It never opens a
// file that exists: closing it again would drop the locks that another store of this process holds on it.
func secure(path string, readOnly bool) (*file, error) {
	if err := secureFolder(filepath.Dir(path), readOnly); err != nil {
		return nil, err
	}
	for _, side := range []string{"-wal", "-shm", "-journal"} {
		if err := secureFile(path + side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	err := secureFile(path)
	if errors.Is(err, fs.ErrNotExist) && !readOnly {
		err = create(path)
	}
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, cannot("open", path, err)
	}
	return &file{path, info}, nil
}

func secureFolder(path string, readOnly bool) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && !readOnly {
		if err = os.MkdirAll(path, 0o700); err == nil {
			info, err = os.Lstat(path)
		}
	}
	if err != nil {
		return cannot("use the folder", path, err)
	}
	if !info.IsDir() {
		return unsafe(path, "is a symbolic link or no folder", "name the folder itself")
	}
	if why := shared(info, 0o022); why != "" {
		return unsafe(path, why, "put the database into a folder of its own (chmod 700)")
	}
	return nil
}

func secureFile(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return cannot("open", path, err)
	}
	if !info.Mode().IsRegular() {
		return unsafe(path, "is a symbolic link or no file", "remove it, or name another file")
	}
	if why := shared(info, 0o077); why != "" {
		return unsafe(path, why, "make it yours alone (chmod 600) after looking at who changed it")
	}
	return nil
}

// create makes the empty file, so that it never has other rights than ours; another process may be faster.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return secureFile(path)
	}
	if err != nil {
		return cannot("make", path, err)
	}
	return f.Close()
}

// intact tells whether the file is still the one that was opened: what is written to one that was removed is lost.
func (f *file) intact() error {
	info, err := os.Lstat(f.path)
	if err != nil || !os.SameFile(info, f.info) {
		gone := store.Errorf(store.Unavailable, "the database %s was removed or replaced while it was in use; put it back and start again", f.path)
		gone.Err = store.ErrGone
		return gone
	}
	return nil
}

func unsafe(path, why, remedy string) error {
	return store.Errorf(store.Unavailable, "the database cannot be used: %s %s; %s", path, why, remedy)
}

func cannot(do, path string, err error) error {
	code := store.Unavailable
	if errors.Is(err, fs.ErrPermission) {
		return store.Errorf(code, "cannot %s %s: there is no permission; check its owner and rights: %w", do, path, err)
	}
	return store.Errorf(code, "cannot %s %s: %w", do, path, err)
}
