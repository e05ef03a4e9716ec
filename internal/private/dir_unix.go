//go:build unix

package private

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// closeFolder removes all permissions of other users. It works on the open folder, because chmod would follow a link
// that has replaced the folder in the meantime.
func closeFolder(path string) error {
	f, err := openPlain(path, os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	return errors.Join(syscall.Fchmod(f.fd, 0o700), f.Close())
}

// lock() locks the folder for this program. While the folder is locked, other programs wait when they call lock(). The
// lock ends when this program calls unlock() or ends. If another program keeps the lock for a second, lock() returns an
// error.
func (d *Dir) lock() (unlock func(), err error) {
	const tries, step = 500, 2 * time.Millisecond
	f, err := openPlain(d.path, os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, failed("cannot be locked", d.path, "", err)
	}
	for range tries {
		locked, err := f.TryLock()
		if locked {
			return func() { ignoreClose(f) }, nil
		}
		if err != nil {
			ignoreClose(f)
			return nil, failed("cannot be locked", d.path, "", err)
		}
		time.Sleep(step)
	}
	ignoreClose(f)
	return nil, failed("cannot be locked", d.path, "", syscall.EWOULDBLOCK)
}

// describeOpenError says what an error of openPlain shows about the file. It returns "" if the error shows nothing.
func describeOpenError(err error) string {
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.EMLINK):
		return "is a symbolic link"
	case errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.EISDIR):
		return "is not a regular file"
	}
	return ""
}

// unlink() removes a file. Unlike os.Remove, it never removes a folder.
func unlink(path string) error { return syscall.Unlink(path) }
