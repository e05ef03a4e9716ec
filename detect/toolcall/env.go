// Package toolcall finds out what a tool call would do: what it reads, writes, deletes, runs and fetches, and which
// events that means. It parses shell commands and never searches their text. Text that is only data has no effect. What
// the call does not show becomes an opaque effect with a reason.
//
// Start with Analyze and AnalyzeCommand.
package toolcall

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
