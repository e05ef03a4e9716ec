//go:build unix

package session

import (
	"errors"
	"io"
	"io/fs"
	"strconv"
	"syscall"
	"time"
)

// File is an open file of the folder. It is a bare descriptor: what os.File prepares so that reading can be interrupted
// costs a hook more than all that it does with its files.
type File struct{ fd int }

// Info is what is known of a file.
type Info struct{ stat syscall.Stat_t }

// Size is how long the file is.
func (i *Info) Size() int64 { return i.stat.Size }

// Touched is when the file was last written or touched.
func (i *Info) Touched() time.Time {
	at := modified(&i.stat)
	return time.Unix(at.Unix())
}

func (i *Info) kind() fs.FileMode {
	switch i.stat.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return 0
	case syscall.S_IFDIR:
		return fs.ModeDir
	case syscall.S_IFLNK:
		return fs.ModeSymlink
	}
	return fs.ModeIrregular
}

// foreign says that a file belongs to another user than it must; it is empty when all is well.
func (i *Info) foreign(uid int) string {
	if int(i.stat.Uid) == uid {
		return ""
	}
	return "belongs to another user (uid " + strconv.Itoa(int(i.stat.Uid)) + ")"
}

func (i *Info) writableByOthers() bool { return i.stat.Mode&0o022 != 0 }

func (i *Info) readableByOthers() bool { return i.stat.Mode&0o077 != 0 }

// linked reports whether a file has a second name, through which others may reach it. A file without any name is one that
// was replaced a moment ago.
func (i *Info) linked() bool { return i.stat.Nlink > 1 }

// lookAt is what is at a path; a link is not followed.
func lookAt(path string) (*Info, error) {
	i := &Info{}
	return i, again(func() error { return syscall.Lstat(path, &i.stat) })
}

// openPlain opens a file without following a link and without waiting for the other end of a pipe. The file is looked at
// before anything is read from it, so that nothing can wait from there on.
func openPlain(path string, flags int, mode uint32) (*File, error) {
	f := &File{}
	return f, again(func() (err error) {
		f.fd, err = syscall.Open(path, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, mode)
		return err
	})
}

// again repeats what a signal interrupts.
func again(do func() error) error {
	for {
		if err := do(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func (f *File) info() (*Info, error) {
	i := &Info{}
	return i, again(func() error { return syscall.Fstat(f.fd, &i.stat) })
}

// Descriptor is what the system knows the open file by.
func (f *File) Descriptor() int { return f.fd }

// ReadAt reads from a place on.
func (f *File) ReadAt(into []byte, at int64) (int, error) {
	return whole(into, func(part []byte, done int) (int, error) { return syscall.Pread(f.fd, part, at+int64(done)) }, io.EOF)
}

// Write writes all of it, in one piece where the system takes it.
func (f *File) Write(data []byte) (int, error) {
	return whole(data, func(part []byte, _ int) (int, error) { return syscall.Write(f.fd, part) }, io.ErrShortWrite)
}

// WriteAt writes from a place on.
func (f *File) WriteAt(data []byte, at int64) (int, error) {
	return whole(data, func(part []byte, done int) (int, error) { return syscall.Pwrite(f.fd, part, at+int64(done)) }, io.ErrShortWrite)
}

// whole goes on until everything is done; none is the error where there is no more.
func whole(data []byte, do func(part []byte, done int) (int, error), none error) (done int, err error) {
	for done < len(data) {
		n, err := do(data[done:], done)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return done, err
		case n == 0:
			return done, none
		}
		done += n
	}
	return done, nil
}

// Close closes the file.
func (f *File) Close() error { return syscall.Close(f.fd) }
