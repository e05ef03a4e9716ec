package effect

// CommitFacts is what is known about a git commit that a call makes, beyond its paths.
type CommitFacts struct {
	// Elsewhere is set if the commit is made in another repository than the project's.
	Elsewhere bool
	// Known is set if git said which files differ from the last commit. Files are those that the commit would contain,
	// each once. Globs are patterns for files, and folders with files, that the call changes before it commits.
	Known        bool
	Files, Globs []string
	// Head is the last commit at the time of the analysis. It is "" if git did not say.
	Head string
	// Merging is set if the commit completes a merge.
	Merging bool
}

// Status says whether the result of a call shows that one of its commands succeeded.
type Status uint8

// The states of a command's result. Each hides more than the one before.
const (
	// StatusKept: the call, and what depends on the command, fails if the command fails.
	StatusKept Status = iota
	// StatusHidden: the call may succeed although the command failed, as in npm test | tail.
	StatusHidden
	// StatusIgnored: the call says that a failure does not matter, as in npm test || true.
	StatusIgnored
)
