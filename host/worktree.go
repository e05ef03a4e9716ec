package host

import (
	"os"
	"path/filepath"
	"strings"
)

const maxGitFile = 8 << 10

// worktrees() returns a function for a project. The function takes a path. If the path is in another worktree of the
// project's repository, the function returns the root of that worktree. The returned function reads .git files and does
// not start git. Only its first call checks whether the repository has worktrees.
func worktrees(root string) func(path string) string {
	own, common, looked := "", "", false
	return func(path string) string {
		if !looked {
			own, common = worktreeOf(root)
			looked = true
			if common != "" && !exists(filepath.Join(common, "worktrees")) {
				common = ""
			}
		}
		if common == "" {
			return ""
		}
		at, found := worktreeOf(path)
		if found != common || at == own {
			return ""
		}
		return at
	}
}

// worktreeOf returns the root of the worktree that a path is in. The result "common" is the Git folder that all
// worktrees of the repository share.
func worktreeOf(path string) (root, common string) {
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

// sharedFolder returns the repository that a worktree belongs to. The worktree's .git file contains a line such as
// "gitdir: REPOSITORY/worktrees/NAME".
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
