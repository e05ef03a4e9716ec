//go:build !windows

package setup

import (
	"io/fs"
	"os"
)

func chmod(file *os.File, mode fs.FileMode) error { return file.Chmod(mode) }
