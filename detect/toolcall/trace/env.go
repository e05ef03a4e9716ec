package trace

// Env describes the machine to the analysis. With the zero value, the analysis uses only what the call itself says.
type Env struct {
	// Root is the folder of the project. Cwd is the folder in which the call runs. Home is the user's home folder.
	// Each is an absolute path or empty.
	Root, Cwd, Home string
	// Variable returns the value of a variable in the environment of the client, or "". The shell of a call inherits
	// nearly the same environment. If Variable is nil, no variable is known.
	Variable func(name string) string
	// Resolve follows symbolic links in the part of an absolute path that exists. If Resolve is nil, no links are
	// followed.
	Resolve func(path string) string
	// The field "Guarded" lists the absolute paths of the guard's files and folders on this machine. One of these files is
	// the key that signs the other files. A call must not even read the key.
	Guarded []string
	// OnPath reports whether the shell looks for programs in a folder. The analysis calls OnPath only for the folder of
	// a file that has the name of one of the guard's programs, and is in the project or in a temporary folder. If
	// OnPath is nil, the analysis knows no folder in which the shell looks for programs.
	OnPath func(folder string) bool
	// Pending returns what git says about the working tree that contains a folder of the project. If the parameter
	// "untracked" is set, the result includes the files that git does not track. Pending returns nil if git does not
	// answer. The analysis calls Pending only for commits. The analysis calls Pending again only for another folder, or if
	// the untracked files are needed too. If Pending is nil, nothing is known about the working tree.
	Pending func(dir string, untracked bool) *Pending
	// Script reads a script that the call runs. The script must be a regular file. If the file is larger than the
	// parameter "limit" allows, Script returns the beginning of the file and false. If Script is nil, no scripts are read.
	Script func(path string, limit int64) ([]byte, bool)
	// List returns the names of the files and folders in a folder. The analysis calls it to find the scripts whose paths
	// match a pattern, and for commands that process, send or replace a whole folder. If List is nil, no names are known.
	List func(folder string) (files, folders []string)
	// The function "Missing" reports whether nothing exists at an absolute path. If Missing is nil, the answer is unknown.
	Missing func(path string) bool
	// Worktree returns the root of the worktree that contains a path, if this is another worktree of the project's
	// repository. Otherwise, it returns "". The analysis calls Worktree for each path that is changed. For a path that
	// is only read, the analysis calls Worktree if the path is outside the project or in .claude. If Worktree is nil,
	// the project has no other worktrees.
	Worktree func(path string) string
	// HasRepository reports whether a folder outside the project is the root of a git repository, or whether a git
	// repository is directly inside it. The analysis calls it only for folders that are deleted or moved away. If
	// HasRepository is nil, no other repositories are known.
	HasRepository func(folder string) bool
	// Repository returns what the git repository of a folder says about its branches. The analysis calls it only for
	// pushes, merges, rebases, amended commits and commands that point a branch to another commit. If Repository is
	// nil, nothing is known about branches.
	Repository func(folder string) Repository
	// GitAlias returns the text of a git alias. It looks in the settings of the folder's repository and of the user. If
	// there is no such alias, it returns "". The analysis calls it only for a subcommand that git itself does not have. If
	// GitAlias is nil, no aliases are known.
	GitAlias func(folder, name string) string
	// Guardless reports whether a change of the working tree would remove files of the guard from the project. The
	// analysis calls it only for git commands that change the tree. If Guardless is nil, the answer is unknown.
	Guardless func(TreeChange) bool
}

// Pending is what git says about a working tree before a commit.
type Pending struct {
	// The field "Elsewhere" is set if the working tree does not belong to the project's repository.
	Elsewhere bool
	// Head is the last commit. Merging is set while a merge is incomplete.
	Head    string
	Merging bool
	Files   []PendingFile
}

// PendingFile is a file that differs from the last commit. Name is relative to the project's root.
type PendingFile struct {
	Name string
	// The field "From" is the old name of a staged file that was renamed.
	From string
	// Staged is set if the index differs from the last commit. Changed is set if the file differs from the index.
	// Untracked is set if git does not track the file.
	Staged, Changed, Untracked bool
}

// Commits records the commits that a call has made so far.
type Commits struct {
	// Answer is the last answer of Env.Pending. If Asked is set, AskedDir and AskedNew are the arguments with which
	// Env.Pending was called.
	Answer          *Pending
	Asked, AskedNew bool
	AskedDir        string
	// The field "Done" lists the files in earlier commits of the call. The fields Staged and Effects say how many elements
	// at the beginning of Trace.Staged and of Trace.Effects belong to these commits.
	Done            []string
	Staged, Effects int
}

// Staging says which pending files a commit contains. Each constant of this type also includes the files of the
// constant before it.
type Staging uint8

// TreeChange describes how a git command changes the files of the project.
//
// The client reads its settings again when the settings change. If the settings are in the working tree, a git command
// can replace the settings without naming the file of the settings. With the new settings, the client may no longer
// call the hooks.
type TreeChange struct {
	_ [0]func() // forbids comparisons with ==; see Place
	// Dir is the folder in which git runs. If Dir is empty, git runs in the project's root.
	Dir string
	// From and To are revisions. The command applies the difference between them to the working tree. An empty From
	// means HEAD, and an empty To means the index.
	From, To string
	// Merge is set if the difference starts at the merge base of From and To rather than at From.
	Merge bool
	// The field "Forced" is set if the command overwrites local changes. The field "Overlay" is set if the command keeps
	// the files that are not in the revision To.
	Forced, Overlay bool
	// Untracked is set if the command deletes untracked files. Ignored is set if the command deletes ignored files.
	Untracked, Ignored bool
}

// NoFiles is the hash of git's empty tree: a revision without files.
const NoFiles = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// What is a method. It returns a part of a reason: the words that say how the change loses files, such as "the command
// deletes".
func (c *TreeChange) What() string {
	switch {
	case c.Untracked || c.Ignored:
		return "the command deletes"
	case c.To == "":
		return "the staged version lacks"
	case c.To == NoFiles:
		return "the command removes"
	}
	return Shorten(c.To) + " lacks or changes"
}
