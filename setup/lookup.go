package setup

import (
	"os"
	"path/filepath"
)

// Lookup returns the path of the program that the client starts for a name. If there is no such program, it returns "".
// The parameter "path" is the value of PATH. The parameter "folder" is the path of the folder in which the
// client works. A relative path in PATH begins at this folder.
func Lookup(name, path, folder string, windows bool) string {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(folder, dir)
		}
		file := ProgramPath(dir, name, windows)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && (windows || info.Mode()&0o111 != 0) {
			return file
		}
	}
	return ""
}
