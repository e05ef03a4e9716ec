package store

import (
	"context"
	"errors"
	"fmt"
)

// Code says what kind of failure an error is, and so what a caller can do.
type Code string

// The codes.
const (
	// Invalid: the request is wrong; repeating it will not help.
	Invalid Code = "invalid"
	// NotFound: what the request names is not there.
	NotFound Code = "not_found"
	// Conflict: somebody else was faster; read again, the error carries the current version.
	Conflict Code = "conflict"
	// Unavailable: the store does not answer; try again later, with the same write id.
	Unavailable Code = "unavailable"
	// ReadOnly: the store can be read but takes no changes now.
	ReadOnly Code = "read_only"
	// Internal: the store is damaged or the program is wrong.
	Internal Code = "internal"
)

// Error is a failure of a store: a code for programs and a message for people.
type Error struct {
	Code    Code
	Message string
	// Version is the current version of the guideline that a conflict is about.
	Version int
	// Err is the cause, if there is one.
	Err error
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrGone is the cause of an error of a store that was opened and is no longer there, such as a database whose file was
// replaced. It will not come back by itself; opening it anew may help.
var ErrGone = errors.New("what was opened is gone")

// Errorf makes an error of a code; a cause is named with %w.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// CodeOf is the code of an error: Internal when it has none, empty when there is no error.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	default:
		return Internal
	}
}

// Interrupted is the error of a call whose context ended; a change that was on its way may have happened.
func Interrupted(ctx context.Context) *Error {
	return Errorf(Unavailable, "the call was given up before the store answered; repeat it with the same write id: %w", context.Cause(ctx))
}

// Closed is the error of a call on a store that was closed.
func Closed() *Error {
	return Errorf(Unavailable, "the store is closed; open it again")
}

func conflict(id string, current int) *Error {
	e := Errorf(Conflict, "the guideline %s has version %d by now; read it again", id, current)
	e.Version = current
	return e
}

func notFound(id string) *Error {
	return Errorf(NotFound, "there is no guideline %s", id)
}
