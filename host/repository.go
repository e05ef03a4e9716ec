package host

import (
	"os"
	"path/filepath"
)

// maxSearched is the largest number of entries of a folder that are searched for repositories.
const maxSearched = 500

// hasRepository reports whether a folder is the root of a git repository or directly contains one. The .git of a
// linked worktree is a file, so a worktree does not count.
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
