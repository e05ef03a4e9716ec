package reach

import (
	"os"
	"runtime"
)

// cannotStart returns an error that says why a process did not start. It checks the file itself, because the kernel
// returns the same error code for several reasons.
func (c *command) cannotStart(err error) error {
	why := err.Error()
	info, unseen := os.Stat(c.path)
	switch {
	case unseen != nil && os.IsNotExist(unseen):
		why = "it does not exist; install it again"
	case unseen == nil && info.IsDir():
		why = "it is a folder"
	case unseen == nil && !executable(info):
		why = "it is not executable; install it again"
	case c.dir != "" && !isFolder(c.dir):
		why = "the folder " + c.dir + " to start it in does not exist"
	}
	return &Failure{StageStart, c.path + " cannot be started: " + why}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func executable(info os.FileInfo) bool {
	return info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}
