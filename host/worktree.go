package host

import (
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile is how long the .git file of a worktree may be.
const maxGitFile = 8 << 10

// worktrees finds in which other worktree of a project's repository a path lies. It reads the .git files upwards from the
// path and starts no git; in a repository without worktrees it looks for them once.
func worktrees(root string) func(path string) string {
	own, common, looked := "", "", false
	return func(path string) string {
		if !looked {
			own, common = checkout(root)
			looked = true
			if common != "" && !exists(filepath.Join(common, "worktrees")) {
				common = ""
			}
		}
		if common == "" {
			return ""
		}
		at, found := checkout(path)
		if found != common || at == own {
			return ""
		}
		return at
	}
}

// checkout finds the root of the worktree that a path lies in and the folder of its repository, which all worktrees share.
func checkout(path string) (root, common string) {
	for at := filepath.Clean(path); filepath.IsAbs(at); at = filepath.Dir(at) {
		name := filepath.Join(at, ".git")
		if info, err := os.Lstat(name); err == nil {
			if info.IsDir() {
				return at, name
			}
			return at, sharedFolder(at, name)
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return "", ""
}

// sharedFolder is the repository that a worktree's .git file leads to: gitdir: REPOSITORY/worktrees/NAME.
func sharedFolder(root, file string) string {
	text, ok := readScript(file, maxGitFile)
	dir, found := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if !ok || !found {
		return ""
	}
	dir = strings.TrimSpace(dir)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	if all := filepath.Dir(filepath.Clean(dir)); filepath.Base(all) == "worktrees" {
		return Resolve(filepath.Dir(all))
	}
	return ""
}
