// Package private stores small files in folders that only their owner can read and write. It protects them against
// links, pipes, files of other users and killed processes.
//
// Start with Open, or with Runtime and StateDir for the product's own folders. Dir reads, writes, appends to and
// removes single files.
package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Dir is a folder that only its owner can use.
type Dir struct {
	path string
	// The field "uid" is the user who must own every file, or -1 if the system does not report owners.
	uid int
	// The field "state" is the folder with the key that signs the files. If it is nil, the key is in the folder
	// itself.
	state    *Dir
	once     sync.Once
	key      Key
	keyError error
}

// Open opens the folder at an absolute path. It creates the folder and its parents if they are missing. It rejects a
// folder that other users can write to.
func Open(path string) (*Dir, error) { return OpenMovable(path, "") }

// OpenMovable is like Open. Its errors mention the environment variable with which the user can choose another folder.
func OpenMovable(path, variable string) (*Dir, error) {
	if !filepath.IsAbs(path) {
		return nil, &Unsafe{path, "is not an absolute path", "start it with /"}
	}
	path = filepath.Clean(path) // Lstat would follow a link if the path ended with a slash
	d, err := lookAtFolder(path, variable)
	if !errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, failed("cannot be created", path, moveAdvice(variable), err)
	}
	return lookAtFolder(path, variable)
}

// lookAtFolder checks an existing folder. If nothing is wrong, this takes one system call.
func lookAtFolder(path, variable string) (*Dir, error) {
	info, err := lookAt(path)
	if err != nil {
		return nil, failed("cannot be examined", path, moveAdvice(variable), err)
	}
	d := &Dir{path: path, uid: os.Geteuid()}
	if err := d.check(info, variable); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *Dir) check(info *Info, variable string) error {
	remedy := "remove it" + moveAdvice(variable)
	switch {
	case info.kind() == fs.ModeSymlink:
		return &Unsafe{d.path, "is a symbolic link", remedy}
	case info.kind() != fs.ModeDir:
		return &Unsafe{d.path, "is not a folder", remedy}
	}
	if problem := info.ownerProblem(d.uid); problem != "" {
		return &Unsafe{d.path, problem, remedy}
	}
	if info.writableByOthers() {
		return &Unsafe{d.path, "can be written by others, who may have left files in it", remedy}
	}
	if info.readableByOthers() {
		return d.tighten(variable)
	}
	return nil
}

// tighten() removes the permission of other users to read our folder. Other users never had permission to write, so the
// folder's content can be trusted.
func (d *Dir) tighten(variable string) error {
	if err := closeFolder(d.path); err != nil {
		return failed("cannot be protected from other users", d.path, moveAdvice(variable), err)
	}
	return nil
}

// isOurs reports whether a path is a folder of this user. The variable XDG_RUNTIME_DIR may still name the folder of
// another user, for example after the command su.
func isOurs(path string) bool {
	info, err := lookAt(filepath.Clean(path))
	return err == nil && info.kind() == fs.ModeDir && info.ownerProblem(os.Geteuid()) == ""
}

// Path returns the path of the file with the given name.
func (d *Dir) Path(name string) string { return d.path + string(filepath.Separator) + name }
