package session

import (
	"errors"
	"io/fs"
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

// The system's access lists are inherited from the user's folder; modes and owners say nothing here.

func foreign(fs.FileInfo, int) string { return "" }

func writableByOthers(fs.FileInfo) bool { return false }

func readableByOthers(fs.FileInfo) bool { return false }

func linked(fs.FileInfo) bool { return false }

func closeFolder(string) error { return nil }

// openPlain opens a file unless it is a link.
func openPlain(path string, flags int, mode uint32) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, syscall.ELOOP
	}
	return os.OpenFile(path, flags, fs.FileMode(mode))
}

func oddity(err error) string {
	if errors.Is(err, syscall.ELOOP) {
		return "is a symbolic link"
	}
	return ""
}

func unlink(path string) error { return os.Remove(path) }
