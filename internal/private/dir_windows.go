package private

import (
	"errors"
	"os"
	"syscall"
)

func closeFolder(string) error { return nil }

func describeOpenError(err error) string {
	if errors.Is(err, syscall.ELOOP) {
		return "is a symbolic link"
	}
	return ""
}

func unlink(path string) error { return os.Remove(path) }
