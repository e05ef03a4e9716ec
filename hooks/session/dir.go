// Package session is the folder in which the hooks of a session leave what later hooks need: small files, each of which is
// read, written and appended to in a way that neither a link, nor a pipe, nor another user's file, nor a process that was
// killed can turn into something else.
//
// Start with Open. file.go and write.go say how a single file is handled, key.go how files are called, ledger.go what is
// remembered of a session, spool.go where audit events go.
package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"guardrails/internal/product"
)

// Dir is a folder that is ours alone.
type Dir struct {
	path string
	// uid is who must own every file; -1 where the system does not say who does.
	uid int
}

// Open finds the runtime folder that an environment names and makes it when it is missing. The error is an *Unsafe when
// the folder must not be used, and a *Failed when it cannot be.
func Open(env func(string) string) (*Dir, error) {
	if path := env(product.VariableCache); path != "" {
		return at(path, product.VariableCache)
	}
	if path := product.SessionRuntimeDir(env); path != "" {
		if d, err := look(path, product.VariableCache); err == nil {
			return d, nil
		}
		if ours(filepath.Dir(path)) {
			return at(path, product.VariableCache)
		}
	}
	return at(product.TemporaryRuntimeDir(env), product.VariableCache)
}

// At opens any folder in the same way as the runtime folder: it is made when it is missing, with the folders above it, and
// refused when it is not ours alone.
func At(path string) (*Dir, error) { return at(path, "") }

// at opens the folder at a path. The variable is what a message advises to set.
func at(path, variable string) (*Dir, error) {
	if !filepath.IsAbs(path) {
		return nil, &Unsafe{path, "is not an absolute path", "write it from the root of the file system on"}
	}
	path = filepath.Clean(path) // a slash at its end would make lstat follow a link
	d, err := look(path, variable)
	if !errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, failed("cannot be made", path, elsewhere(variable), err)
	}
	return look(path, variable)
}

// look is the whole cost of a folder that is as it should be: one call of the system.
func look(path, variable string) (*Dir, error) {
	info, err := lookAt(path)
	if err != nil {
		return nil, failed("cannot be looked at", path, elsewhere(variable), err)
	}
	d := &Dir{path: path, uid: os.Geteuid()}
	if err := d.check(info, variable); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *Dir) check(info *Info, variable string) error {
	remedy := "remove it" + elsewhere(variable)
	switch {
	case info.kind() == fs.ModeSymlink:
		return &Unsafe{d.path, "is a symbolic link", remedy}
	case info.kind() != fs.ModeDir:
		return &Unsafe{d.path, "is not a folder", remedy}
	}
	if why := info.foreign(d.uid); why != "" {
		return &Unsafe{d.path, why, remedy}
	}
	if info.writableByOthers() {
		return &Unsafe{d.path, "can be written by others, who may have left files in it", remedy}
	}
	if info.readableByOthers() {
		return d.tighten(variable)
	}
	return nil
}

// tighten closes a folder of ours that others could read: they cannot have put anything into it.
func (d *Dir) tighten(variable string) error {
	if err := closeFolder(d.path); err != nil {
		return failed("cannot be closed to others", d.path, elsewhere(variable), err)
	}
	return nil
}

// ours reports whether a path is a folder of this user: the variable of another user's session is none of our business.
func ours(path string) bool {
	info, err := lookAt(filepath.Clean(path))
	return err == nil && info.kind() == fs.ModeDir && info.foreign(os.Geteuid()) == ""
}

// Path is where the file of a name is.
func (d *Dir) Path(name string) string { return d.path + string(filepath.Separator) + name }
