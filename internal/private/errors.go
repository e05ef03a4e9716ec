package private

import (
	"errors"
	"io/fs"
	"syscall"
)

// Unsafe is the error for a folder or file that must not be used, because another user may have changed it.
type Unsafe struct {
	Path, Why, Remedy string
}

func (u *Unsafe) Error() string { return u.Path + " " + u.Why + "; " + u.Remedy }

// Failed is the error for an operation that the system refused.
type Failed struct {
	// The field "What" is the failure in words, for example "cannot be written".
	What   string
	Path   string
	Err    error
	Remedy string
}

func (f *Failed) Error() string {
	return f.Path + " " + f.What + ": " + f.Err.Error() + "; " + f.Remedy
}

// Unwrap returns the system's error.
func (f *Failed) Unwrap() error { return f.Err }

var (
	// ErrTooLarge means that a file is larger than the caller's limit.
	ErrTooLarge = errors.New("the file is too large")
	// ErrName means that the folder does not allow this name for a file.
	ErrName = errors.New("the file name is not allowed")
	// ErrLine means that a line cannot be appended, because it contains a line end.
	ErrLine = errors.New("the record contains a line end")
	// ErrHome means that the environment names no home folder.
	ErrHome = errors.New("HOME is not set to an absolute path")
)

// failed() returns a *Failed with a remedy. If another folder could solve the problem, it adds the parameter "advice"
// to the remedy.
func failed(what, path, advice string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return &Failed{what, path, err, remedy(err, advice)}
}

// ReportBug is the remedy if only a mistake in the product can cause the error.
const ReportBug = "report this as a bug in guardrails"

func remedy(err error, advice string) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return "free space on its disk" + advice
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return "make it writable for yourself" + advice
	case errors.Is(err, syscall.ENOTDIR):
		return "one of its parent folders is a file: move that file away" + advice
	case errors.Is(err, ErrTooLarge):
		return "remove it"
	case errors.Is(err, ErrName), errors.Is(err, ErrLine):
		return ReportBug
	}
	return "check the path" + advice
}

// moveAdvice returns the last part of a remedy: the advice to set the environment variable to another folder.
func moveAdvice(variable string) string {
	if variable == "" {
		return ""
	}
	return ", or set " + variable + " to another folder"
}
