package trace

// Env is what the analysis knows of the machine. The zero value knows nothing; then only what the call itself says
// is used.
type Env struct {
	// Root is the project's root, Cwd where the call runs, Home the user's home directory: absolute paths, or empty.
	Root, Cwd, Home string
	// Resolve follows symbolic links in the part of an absolute path that exists; nil follows none.
	Resolve func(path string) string
	// Guarded are absolute paths of files and folders that belong to the guard on this machine.
	Guarded []string
	// Pending lists the files that a commit in the project would take in: what is staged, with all also what is changed,
	// with untracked also what is new. It is asked again only for more than before; nil means that nobody knows.
	Pending func(all, untracked bool) []string
	// Script reads the text of a script that the call runs, if it is a regular file of no more bytes than the limit; nil
	// reads none.
	Script func(path string, limit int64) ([]byte, bool)
	// Worktree is the root of the worktree that a path lies in, when that is another one of the project's repository; nil
	// knows of none. It is asked for what is changed, and for what is read outside the project.
	Worktree func(path string) string
	// Guardless reports whether the project would be without files of its guard after a change of its working tree. It is
	// asked for commands of git alone that change the tree; nil means that nobody knows.
	Guardless func(TreeChange) bool
}

// Staging is how much of what is pending in the work tree a commit takes in; each is more than the one before.
type Staging uint8

// The client reads its settings anew when they change. Where they stand in the working tree, git can put others in their
// place without a file being named: then no hook is called any more.

// TreeChange is what a git command does to the files of the project.
type TreeChange struct {
	// Dir is the folder in which git runs; empty is the project's root.
	Dir string
	// From and To are revisions: what differs between them comes into the working tree. An empty From is HEAD, an empty
	// To what is staged.
	From, To string
	// Merge is set when the difference begins where the histories of From and To part.
	Merge bool
	// Forced is set when files get their state in To, however they are. Overlay is set when what To lacks stays.
	Forced, Overlay bool
	// Untracked and Ignored are set when files that git does not track, or is told to ignore, go away.
	Untracked, Ignored bool
}

// NoFiles is the revision in which there is no file: git's name of the empty tree.
const NoFiles = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

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
