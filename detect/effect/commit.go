package effect

// CommitFacts describes a git commit that a call makes.
type CommitFacts struct {
	// The field "Elsewhere" is set if the commit is made in a repository other than the project's.
	Elsewhere bool
	// The field "Known" is set if git reported which files differ from the last commit. Files lists the files that the
	// commit would contain, without duplicates. Globs lists patterns and folders of files that the call changes before it
	// makes the commit.
	Known        bool
	Files, Globs []string
	// Head is the last commit at the time of the analysis, or "" if it is unknown.
	Head string
	// Merging is set if the commit completes a merge.
	Merging bool
}

// Status says whether the result of a call shows that one of its commands succeeded.
type Status uint8

// The states of a command's result. Each state hides more failures than the state before it.
const (
	// StatusKept: if the command fails, the call fails too, and commands that depend on it do not run.
	StatusKept Status = iota
	// StatusHidden: the call can succeed although the command failed, as in "npm test | tail".
	StatusHidden
	// StatusIgnored: the call ignores a failure of the command, as in "npm test || true".
	StatusIgnored
)
