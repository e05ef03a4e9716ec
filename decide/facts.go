package decide

import "time"

// Facts has the data that a judgement depends on besides the guidelines and the call itself. Facts that require a look
// at the disk are functions, which Judge calls only when a guideline depends on them. The zero value has no facts.
type Facts struct {
	// Session returns what the session did before this call. It is nil when the session is not known: the call is then
	// judged as the first one of a session.
	Session func() (Session, error)
	// Agreed returns the ids of the guidelines whose questions a person has answered with a yes that still holds for this
	// agent. It is nil when none is known.
	Agreed func() []string
	// Now is the time of the call. Exceptions are checked at it, and it is the source of weekday and time.
	Now time.Time
	// Branch returns the branch that is checked out. It is nil when the project's files are not known.
	Branch func() string
	// Project is the name of the project's folder, OS the operating system, and PermissionMode the client's mode. Each
	// may be empty.
	Project, OS, PermissionMode string
	// Headless says whether a person is there to answer. It is nil if that is not known.
	Headless *bool
	// List returns at most limit entries of a folder, and whether these are all. The folder is relative to the
	// project's root. List is nil when the project's files are not known.
	List ListFunc
	// Tests returns what is known about the project's tests. It is nil when the project's files are not known: then it
	// is assumed to have tests.
	Tests func() ProjectTests
}

// ProjectTests says whether a project has tests.
type ProjectTests struct {
	// None is set if the project has no tests.
	None bool
	// Command runs the tests, such as go test ./...; it is "" if it is not known.
	Command string
}

// Session is what a session has done so far.
type Session struct {
	// Changed are the files of the project that were changed since the last commit, in the order of their first change.
	Changed []string
	Tests   Tests
	// Untested are the source files that were changed since the tests last passed, if their names are known.
	Untested []string
	// Passed are the commands that settings list as tests and that succeeded after the last change of a source file.
	Passed []string
}

// Tests is the state of a session's tests.
type Tests uint8

// The states of a session's tests.
const (
	TestsUpToDate Tests = iota // no source file has changed since the tests last passed
	TestsFailed                // a source file has changed since then, and a test command that ran has failed
	TestsMissing               // a source file has changed since then
)

// Entry is a file, folder or link in a folder.
type Entry struct {
	Name         string
	Folder, Link bool
}
