package decide

import "time"

// Facts are what a judgement depends on besides the guidelines and the call itself. Facts that cost a look at the disk
// are functions: Judge calls them only when a guideline depends on them. The zero value states nothing.
type Facts struct {
	// Session returns what the session did before this call. It is nil when the session is not known: the call is then
	// judged as the first one of a session.
	Session func() (Session, error)
	// Exceptions are the project's exceptions. Judge ignores an exception that has expired at the time Now.
	Exceptions []Exception
	Now        time.Time
	// List returns up to a number of entries of a folder in the project, given relative to its root, and whether these
	// are all. It is nil when the project's files are not known.
	List func(folder string, limit int) (entries []Entry, complete bool)
}

// Session is what a session has done so far.
type Session struct {
	// Changed are the files of the project that were changed since the last commit, in the order of their first change.
	Changed []string
	Tests   Tests
}

// Tests is the state of a session's tests.
type Tests uint8

// The states of a session's tests.
const (
	TestsUpToDate Tests = iota // no source file has changed since the tests last ran
	TestsFailed                // as TestsUpToDate, but the last run failed
	TestsMissing               // a source file has changed since the tests last ran
)

// Exception lets calls pass that a guideline would stop, for a reason and until a time.
type Exception struct {
	Guideline string
	// Tools are tool patterns. An exception without any covers every call.
	Tools   []string
	Reason  string
	Expires time.Time
}

// Entry is a file, folder or link in a folder.
type Entry struct {
	Name         string
	Folder, Link bool
}
