package decide

import "time"

// Facts holds everything that a decision depends on, except for the guidelines and the call. Some fields are functions,
// because they read files. Judge calls such a function only if a guideline needs its result. The zero value has no
// facts.
type Facts struct {
	// Session returns what the agent's session did before this call. It is nil if the session is not known. The call is
	// then judged as if it were the first call of a session.
	Session func() (Session, error)
	// Agreed returns the questions to which a person has said yes, if that yes is still valid for this agent. The
	// questions have the form of Yes.Question. Agreed is nil if there are no such questions.
	Agreed func() []string
	// Now is the time of the call. Judge uses it to check whether exceptions have expired, and for the facts "weekday"
	// and "time".
	Now time.Time
	// Branch returns the name of the Git branch that is checked out. It is nil if the project's files are not known.
	Branch func() string
	// Project is the name of the project's folder. OS is the operating system. PermissionMode is the permission mode
	// of the client. Each may be empty.
	Project, OS, PermissionMode string
	// Headless is true if no person can answer questions. It is nil if this is not known.
	Headless *bool
	// List returns the entries of a folder. The folder is relative to the project's root. List is nil if the
	// project's files are not known.
	List ListFunc
	// Tests returns what is known about the project's tests. It is nil if the project's files are not known. Judge
	// then assumes that the project has tests.
	Tests func() ProjectTests
}

// ProjectTests says whether a project has tests.
type ProjectTests struct {
	// The field None is set if the project has no tests.
	None bool
	// Command is the command that runs the tests, for example "go test ./...". It is "" if the command is not known.
	Command string
}

// Session is what a session has done so far.
type Session struct {
	// The field "Changed" lists the files of the project that changed since the last commit, in the order of their first
	// change.
	Changed []string
	Tests   Tests
	// The field Untested lists the source files that changed since the tests last passed. It is empty if the names of
	// these files are not known.
	Untested []string
	// The field Passed lists the commands that the settings name as test commands and that have succeeded since the last
	// change of a source file.
	Passed []string
}

// Tests is the state of a session's tests.
type Tests uint8

// The states of a session's tests.
const (
	TestsUpToDate Tests = iota // no source file has changed since the tests last passed
	TestsFailed                // a source file has changed since the tests last passed, and a test command has failed
	TestsMissing               // a source file has changed since the tests last passed
)

// Entry is a file, folder or link in a folder.
type Entry struct {
	Name         string
	Folder, Link bool
}
