package session

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// temporary is the runtime folder: a user's temporary folder is the user's own.
func temporary(env func(string) string) string {
	for _, variable := range []string{"TMP", "TEMP"} {
		if base := env(variable); filepath.IsAbs(base) {
			return filepath.Join(base, "guardrails")
		}
	}
	return filepath.Join(os.TempDir(), "guardrails")
}

func closeFolder(string) error { return nil }

func oddity(err error) string {
	if errors.Is(err, syscall.ELOOP) {
		return "is a symbolic link"
	}
	return ""
}

func unlink(path string) error { return os.Remove(path) }
