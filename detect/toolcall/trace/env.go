package trace

// Env describes the machine to the analysis. With the zero value, the analysis uses only what the call itself says.
type Env struct {
	// Root is the project's root, Cwd the folder in which the call runs, Home the user's home folder. Each is an
	// absolute path or empty.
	Root, Cwd, Home string
	// Resolve follows symbolic links in the part of an absolute path that exists. Nil follows none.
	Resolve func(path string) string
	// Guarded are the absolute paths of files and folders that belong to the guard on this machine.
	Guarded []string
	// Pending returns the files that a commit in the project would contain: the staged files, also the changed files if
	// all is set, and also the new files if untracked is set. The analysis calls it again only if it needs more files
	// than before. If it is nil, the files are unknown.
	Pending func(all, untracked bool) []string
	// Script reads a script that the call runs, if it is a regular file and not larger than limit. Nil reads none.
	Script func(path string, limit int64) ([]byte, bool)
	// Worktree returns the root of the worktree that contains a path, if that is another worktree of the project's
	// repository. The analysis calls it for paths that are changed, and for paths outside the project that are read.
	// If it is nil, the project has no other worktrees.
	Worktree func(path string) string
	// HasRepository reports whether a folder outside of the project is the root of a git repository or directly contains
	// one. The analysis calls it only for folders that are deleted. If it is nil, no other repositories are known.
	HasRepository func(folder string) bool
	// Guardless reports whether a change of the working tree would leave the project without files of its guard. The
	// analysis calls it only for git commands that change the tree. If it is nil, the answer is unknown.
	Guardless func(TreeChange) bool
}

// Staging says which pending files a commit contains. Each value includes the one before.
type Staging uint8

// TreeChange describes what a git command does to the files of the project.
//
// The client reads its settings again when they change. If the settings are in the working tree, a git command can
// replace them without naming a file. The client may then stop calling hooks.
type TreeChange struct {
	// Dir is the folder in which git runs. Empty means the project's root.
	Dir string
	// From and To are revisions. The difference between them is applied to the working tree. An empty From means
	// HEAD, an empty To means the index.
	From, To string
	// Merge is set if the difference starts at the merge base of From and To.
	Merge bool
	// Forced is set if the command overwrites local changes. Overlay is set if it keeps files that do not exist in To.
	Forced, Overlay bool
	// Untracked and Ignored are set if untracked or ignored files are deleted.
	Untracked, Ignored bool
}

// NoFiles is the hash of git's empty tree. As a revision, it has no files.
const NoFiles = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// What returns a short description of the change, for use in a reason.
func (c *TreeChange) What() string {
	switch {
	case c.Untracked || c.Ignored:
		return "it takes away"
	case c.To == "":
		return "what is staged lacks"
	case c.To == NoFiles:
		return "it leaves out"
	}
	return Shorten(c.To) + " lacks or changes"
}
