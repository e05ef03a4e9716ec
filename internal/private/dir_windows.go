package private

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

func closeFolder(string) error { return nil }

// lock() locks the folder for this program. While the folder is locked, other programs wait when they call lock(). If
// another program keeps its lock for a second, lock() assumes that the other program was killed, and removes that lock.
func (d *Dir) lock() (unlock func(), err error) {
	const name, tries, step = DraftPrefix + "lock", 500, 2 * time.Millisecond
	for range tries {
		if err = d.Create(name, nil); !errors.Is(err, fs.ErrExist) {
			return func() { d.discard(name) }, err
		}
		time.Sleep(step)
	}
	d.discard(name)
	return func() { d.discard(name) }, d.Create(name, nil)
}

func describeOpenError(err error) string {
	if errors.Is(err, syscall.ELOOP) {
		return "is a symbolic link"
	}
	return ""
}

func unlink(path string) error { return os.Remove(path) }
