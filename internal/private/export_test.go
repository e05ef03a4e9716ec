package private

import (
	"io/fs"
	"os"
)

// CheckAs checks a folder as if the user with the id uid used it.
func CheckAs(path string, uid int) error {
	info, err := lookAt(path)
	if err != nil {
		return err
	}
	return (&Dir{path: path, uid: uid}).check(info, "")
}

// ForUser returns a copy of the folder that belongs to the user with the id uid.
func (d *Dir) ForUser(uid int) *Dir { return &Dir{path: d.path, uid: uid} }

// Mode returns a file's permissions.
func (d *Dir) Mode(name string) fs.FileMode {
	info, err := os.Lstat(d.Path(name))
	if err != nil {
		return 0
	}
	return info.Mode().Perm()
}

// TouchByWriting does what Touch does on systems that cannot set a file's time to now.
func (d *Dir) TouchByWriting(name string) error { return d.touchByWriting(name) }

// KeyOf returns the key that consists of the two numbers.
func KeyOf(first, second uint64) Key { return Key{first, second} }

// Hash returns the SipHash of a text.
func (k Key) Hash(text []byte) uint64 { return k.hash(text) }
