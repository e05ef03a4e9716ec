package setup

import (
	"io/fs"
	"os"
)

// chmod does nothing: a file takes the rights of its folder here.
func chmod(*os.File, fs.FileMode) error { return nil }
