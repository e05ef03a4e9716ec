//go:build unix

package private

import (
	"errors"
	"io"
	"io/fs"
	"strconv"
	"syscall"
	"time"
)

// File is an open file of the folder. It is a plain descriptor, because os.File would prepare interruptible reads, and
// this preparation takes longer than everything else that a hook does with files.
type File struct{ fd int }

// Info describes a file.
type Info struct{ stat syscall.Stat_t }

// Size returns the file's length in bytes.
func (i *Info) Size() int64 { return i.stat.Size }

// Touched returns the time at which the file was last written, or at which its time was last set.
func (i *Info) Touched() time.Time {
	at := modified(&i.stat)
	return time.Unix(at.Unix())
}

func (i *Info) stamp() Stamp {
	at := changed(&i.stat)
	return Stamp{i.kind() | fs.FileMode(i.stat.Mode&0o777), i.stat.Size, int64(i.stat.Ino), at.Nano()}
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

// ownerProblem returns a message if a file belongs to a user whose id is not uid. Otherwise it returns "".
func (i *Info) ownerProblem(uid int) string {
	if int(i.stat.Uid) == uid {
		return ""
	}
	return "belongs to another user (uid " + strconv.Itoa(int(i.stat.Uid)) + ")"
}

func (i *Info) writableByOthers() bool { return i.stat.Mode&0o022 != 0 }

func (i *Info) readableByOthers() bool { return i.stat.Mode&0o077 != 0 }

// linked() reports whether a file has a second name, with which other users may be able to open it. A file that has
// just been replaced has no name, which is allowed.
func (i *Info) linked() bool { return i.stat.Nlink > 1 }

// lookAt returns the Info of the file or folder at a path. It does not follow a link.
func lookAt(path string) (*Info, error) {
	i := &Info{}
	return i, retry(func() error { return syscall.Lstat(path, &i.stat) })
}

// openPlain opens a file, but does not follow a link. If the file is a pipe, openPlain does not wait until another
// process opens the other end. Reading does not wait either, because callers check the file before they read.
func openPlain(path string, flags int, mode uint32) (*File, error) {
	f := &File{}
	return f, retry(func() (err error) {
		f.fd, err = syscall.Open(path, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, mode)
		return err
	})
}

// retry() repeats a system call if a signal has interrupted it.
func retry(do func() error) error {
	for {
		if err := do(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func (f *File) info() (*Info, error) {
	i := &Info{}
	return i, retry(func() error { return syscall.Fstat(f.fd, &i.stat) })
}

// TryLock locks an open file or folder, unless another program has locked it. The lock ends when the file is closed or
// the program ends.
func (f *File) TryLock() (bool, error) { return f.try(syscall.LOCK_EX) }

// TryShare does the same as TryLock, but other programs that call TryShare can lock the file at the same time.
func (f *File) TryShare() (bool, error) { return f.try(syscall.LOCK_SH) }

func (f *File) try(how int) (bool, error) {
	err := f.flock(how | syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Lock does the same as TryLock, but it waits for the other program.
func (f *File) Lock() error { return f.flock(syscall.LOCK_EX) }

func (f *File) flock(how int) error {
	return retry(func() error { return syscall.Flock(f.fd, how) })
}

// ReadAt reads data at an offset.
func (f *File) ReadAt(into []byte, at int64) (int, error) {
	return transferAll(into, func(part []byte, done int) (int, error) { return syscall.Pread(f.fd, part, at+int64(done)) }, io.EOF)
}

// Write writes all data, with one system call if possible.
func (f *File) Write(data []byte) (int, error) {
	return transferAll(data, func(part []byte, _ int) (int, error) { return syscall.Write(f.fd, part) }, io.ErrShortWrite)
}

// WriteAt writes all data at an offset.
func (f *File) WriteAt(data []byte, at int64) (int, error) {
	return transferAll(data, func(part []byte, done int) (int, error) { return syscall.Pwrite(f.fd, part, at+int64(done)) }, io.ErrShortWrite)
}

// transferAll repeats a system call until all data is read or written. If a call transfers nothing, transferAll returns
// the error atEnd.
func transferAll(data []byte, do func(part []byte, done int) (int, error), atEnd error) (done int, err error) {
	for done < len(data) {
		n, err := do(data[done:], done)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return done, err
		case n == 0:
			return done, atEnd
		}
		done += n
	}
	return done, nil
}

// Close closes the file.
func (f *File) Close() error { return syscall.Close(f.fd) }
