package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"guardrails/store"
)

// The type "file" identifies the database file that was opened.
type file struct {
	path string
	info fs.FileInfo
}

// secure() returns an error if another user could read or replace the file. It creates the file if it is missing. It
// never opens an existing file, because closing the file again would release the locks that another Store in this
// process holds on it.
func secure(path string, readOnly bool) (*file, error) {
	if err := secureFolder(filepath.Dir(path), readOnly); err != nil {
		return nil, err
	}
	for _, side := range []string{"-wal", "-shm", "-journal"} {
		if err := secureFile(path + side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		adjust(path+side, path, readOnly)
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

// adjust() gives a file beside the database the permissions of the database. SQLite creates such a file with the
// permissions that the database has at that time. The database may have been read-only then.
func adjust(side, path string, readOnly bool) {
	from, err := os.Lstat(path)
	if err != nil || readOnly {
		return
	}
	if to, err := os.Lstat(side); err == nil && to.Mode().Perm() != from.Mode().Perm() {
		_ = os.Chmod(side, from.Mode().Perm()) // if this fails, SQLite reports that it cannot write the file
	}
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
		return unsafe(path, "is a symbolic link or not a folder", "use the path of the folder itself")
	}
	if why := exposed(info, 0o022); why != "" {
		return unsafe(path, why, "move the database to a folder of its own (chmod 700)")
	}
	return nil
}

func secureFile(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return cannot("open", path, err)
	}
	if !info.Mode().IsRegular() {
		return unsafe(path, "is a symbolic link or not a file", "remove it, or use another path")
	}
	if why := exposed(info, 0o077); why != "" {
		return unsafe(path, why, "check who changed it, then run chmod 600 on it")
	}
	return nil
}

// create() creates an empty file. Only the owner can read or write this file. If another process creates the file
// first, the function checks that file.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return secureFile(path)
	}
	if err != nil {
		return cannot("create", path, err)
	}
	return f.Close()
}

// intact() returns an error if the file was removed or replaced since it was opened. This check is important, because
// everything that is written to a removed file is lost.
func (f *file) intact() error {
	info, err := os.Lstat(f.path)
	if err != nil || !os.SameFile(info, f.info) {
		gone := store.Errorf(
			store.Unavailable, "the database %s was removed or replaced while it was in use; restore it and try again", f.path,
		)
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
		return store.Errorf(code, "cannot %s %s: permission denied; check its owner and permissions: %w", do, path, err)
	}
	return store.Errorf(code, "cannot %s %s: %w", do, path, err)
}
