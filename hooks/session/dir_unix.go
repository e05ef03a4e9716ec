//go:build unix

package session

import (
	"errors"
	"os"
	"syscall"
)

// closeFolder sets a folder's mode by its handle, because chmod would follow a link that was put there meanwhile.
func closeFolder(path string) error {
	f, err := openPlain(path, os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	return errors.Join(syscall.Fchmod(f.fd, 0o700), f.Close())
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
