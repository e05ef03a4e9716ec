package host

import (
	"os"
	"path/filepath"
)

const maxSearched = 500

// hasRepository reports whether a folder is the root of a Git repository or directly contains such a root. Worktrees
// do not count: their .git is a file.
func hasRepository(folder string) bool {
	if isFolder(filepath.Join(folder, ".git")) {
		return true
	}
	entries, _ := list(folder, maxSearched)
	for _, entry := range entries {
		if entry.Folder && isFolder(filepath.Join(folder, entry.Name, ".git")) {
			return true
		}
	}
	return false
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
