package private

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// File is an open file of the folder.
type File struct{ *os.File }

// Info describes a file. On Windows, modes and owners are not checked, because a file inherits its access list from the
// user's folder.
type Info struct{ fs.FileInfo }

// Touched returns the time at which the file was last written, or at which its time was last set.
func (i *Info) Touched() time.Time { return i.ModTime() }

// stamp() returns a stamp with the time of the last write, because Go does not report on Windows when the mode of a
// file last changed.
func (i *Info) stamp() Stamp { return Stamp{i.Mode(), i.Size(), 0, i.ModTime().UnixNano()} }

func (i *Info) kind() fs.FileMode { return i.Mode().Type() }

func (i *Info) ownerProblem(int) string { return "" }

func (i *Info) writableByOthers() bool { return false }

func (i *Info) readableByOthers() bool { return false }

func (i *Info) linked() bool { return false }

func lookAt(path string) (*Info, error) {
	info, err := os.Lstat(path)
	return &Info{info}, err
}

func (f *File) info() (*Info, error) {
	info, err := f.Stat()
	return &Info{info}, err
}

// TryLock always succeeds. On Windows, it does not lock anything.
func (f *File) TryLock() (bool, error) { return true, nil }

// TryShare does the same as TryLock.
func (f *File) TryShare() (bool, error) { return true, nil }

// Lock does the same as TryLock.
func (f *File) Lock() error { return nil }

// openPlain opens a file unless it is a link.
func openPlain(path string, flags int, mode uint32) (*File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, syscall.ELOOP
	}
	f, err := os.OpenFile(path, flags, fs.FileMode(mode))
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}
