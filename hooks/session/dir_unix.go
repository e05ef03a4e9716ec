//go:build unix

package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// temporary is the runtime folder of a session without XDG_RUNTIME_DIR.
func temporary(env func(string) string) string {
	base := env("TMPDIR")
	if !filepath.IsAbs(base) {
		base = "/tmp"
	}
	return filepath.Join(base, "guardrails-"+strconv.Itoa(os.Geteuid()))
}

// foreign says that a file belongs to another user than it must; it is empty when all is well.
func foreign(info fs.FileInfo, uid int) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "does not say whose it is"
	}
	if int(stat.Uid) != uid {
		return "belongs to another user (uid " + strconv.Itoa(int(stat.Uid)) + ")"
	}
	return ""
}

func writableByOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

func readableByOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// linked reports whether a file has a second name, through which others may reach it. A file without any name is one that
// was replaced a moment ago.
func linked(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stat.Nlink > 1
}

// closeFolder sets a folder's mode by its handle, because chmod would follow a link that was put there meanwhile.
func closeFolder(path string) error {
	f, err := openPlain(path, os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o700), f.Close())
}

// openPlain opens a file without following a link and without waiting for the other end of a pipe. os.OpenFile would
// first ask the system whether it can be polled, which costs more than all the rest.
func openPlain(path string, flags int, mode uint32) (*os.File, error) {
	flags |= syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
	for {
		fd, err := syscall.Open(path, flags, mode)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		// The file is looked at before anything is read from it, so that nothing can wait from here on.
		if err := syscall.SetNonblock(fd, false); err != nil {
			return nil, errors.Join(err, syscall.Close(fd))
		}
		return os.NewFile(uintptr(fd), path), nil
	}
}

// oddity says what an error of openPlain tells about the file; it is empty when it tells nothing.
func oddity(err error) string {
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.EMLINK):
		return "is a symbolic link"
	case errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.EISDIR):
		return "is not a regular file"
	}
	return ""
}

// unlink removes a name; os.Remove would remove a folder as well.
func unlink(path string) error { return syscall.Unlink(path) }
