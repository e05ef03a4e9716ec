package session

import (
	"errors"
	"io/fs"
	"syscall"
)

// Unsafe is a folder or file that must not be used because somebody else may have a hand in it.
type Unsafe struct {
	Path, Why, Remedy string
}

func (u *Unsafe) Error() string { return u.Path + " " + u.Why + "; " + u.Remedy }

// Failed is something that could not be done, by what the system says.
type Failed struct {
	// What could not be done, for example "cannot be written".
	What   string
	Path   string
	Err    error
	Remedy string
}

func (f *Failed) Error() string {
	return f.Path + " " + f.What + ": " + f.Err.Error() + "; " + f.Remedy
}

// Unwrap gives the system's error to errors.Is.
func (f *Failed) Unwrap() error { return f.Err }

var (
	// ErrTooLarge is the cause when a file is larger than its reader takes.
	ErrTooLarge = errors.New("is too large")
	// ErrName is the cause when a name cannot be a file's of ours.
	ErrName = errors.New("the name is none of ours")
	// ErrLine is the cause when a record has a line end in it.
	ErrLine = errors.New("the record has a line end in it")
	// ErrKind is the cause when an entry of the ledger is of no known kind.
	ErrKind = errors.New("the entry is of no known kind")
	// ErrHome is the cause when there is no home to keep the state in.
	ErrHome = errors.New("HOME is not set to an absolute path")
)

// failed names the path, what could not be done with it, and a remedy; somewhere is where else one can go.
func failed(what, path, somewhere string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return &Failed{what, path, err, remedy(err, somewhere)}
}

func remedy(err error, somewhere string) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return "make room on its disk" + somewhere
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return "make it writable for yourself" + somewhere
	case errors.Is(err, syscall.ENOTDIR):
		return "a file stands where a folder above it should be: move that file away" + somewhere
	case errors.Is(err, ErrTooLarge):
		return "remove it"
	case errors.Is(err, ErrName), errors.Is(err, ErrLine), errors.Is(err, ErrKind):
		return "report this, it is a mistake in guardrails"
	}
	return "look at what is there" + somewhere
}

// elsewhere completes a remedy with the variable that moves the folder.
func elsewhere(variable string) string {
	if variable == "" {
		return ""
	}
	return ", or set " + variable + " to another folder"
}
