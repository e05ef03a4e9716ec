package store

import (
	"context"
	"errors"
	"fmt"
)

// Code is the kind of an error. It tells the caller what to do.
type Code string

// The codes of store errors.
const (
	// Invalid means that the request is wrong. Repeating the request does not help.
	Invalid Code = "invalid"
	// NotFound means that the request names something that does not exist.
	NotFound Code = "not_found"
	// Conflict means that somebody else changed the guideline first. The field Version of the error has the current
	// version. Read the guideline again before you repeat the change.
	Conflict Code = "conflict"
	// Unavailable means that the store does not respond. Try again later with the same write id.
	Unavailable Code = "unavailable"
	// ReadOnly means that the store can be read, but cannot be changed now.
	ReadOnly Code = "read_only"
	// Internal means that the store is damaged or that the program has a bug.
	Internal Code = "internal"
)

// Error is an error of a store: a code for programs and a message for people.
type Error struct {
	Code    Code
	Message string
	// Version is the current version, if the code is Conflict.
	Version int
	// Unchanged is set if a call certainly changed nothing. If Unchanged is not set and the code is Unavailable, the call
	// may have made its change.
	Unchanged bool
	// Err is the cause, if there is one.
	Err error
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrGone is the cause of an error if an open store has disappeared, for example because another file has replaced the
// database file. Open the store again.
var ErrGone = errors.New("the open store is gone")

// ErrMissing is the cause of an error if a store cannot be opened because it does not exist.
var ErrMissing = errors.New("the store does not exist")

// ErrLost, ErrOlder and ErrFull are causes of errors. ErrLost means that a part of the store is missing. ErrOlder means
// that a part of the store is older than the other parts. ErrFull means that the disk of the store is full.
var (
	ErrLost  = errors.New("a part of the store is missing")
	ErrOlder = errors.New("a part of the store is older than the others")
	ErrFull  = errors.New("the disk of the store is full")
)

// CausedBy adds a cause to the error and returns it.
func (e *Error) CausedBy(cause error) *Error {
	e.Err = errors.Join(cause, e.Err)
	return e
}

// Missing is a function that returns the error for a store that does not exist.
func Missing(format string, args ...any) *Error {
	err := Errorf(Unavailable, format, args...)
	err.Err = ErrMissing
	return err
}

// Errorf returns an error with a code. The verb %w sets the cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// CodeOf returns the code of an error. It returns Internal if the error has no code, and "" if err is nil.
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

// ConcernsAll reports whether an error concerns all tenants of a store. Other errors can concern a single tenant. For
// example, in Elasticsearch the documents of a single tenant can be too old.
func ConcernsAll(err error) bool {
	isDown := CodeOf(err) == Unavailable && !errors.Is(err, ErrOlder)
	return isDown || errors.Is(err, ErrFull) || errors.Is(err, ErrGone)
}

// Interrupted returns the error for a call whose context has ended. The store may have been changed.
func Interrupted(ctx context.Context) *Error {
	return Errorf(Unavailable, "the store did not answer in time: %w", context.Cause(ctx))
}

// NothingChanged is the part of a message for a call that changed nothing.
const NothingChanged = "nothing was changed"

// Crowded is a function that returns the error for a call whose context ended while the call was still waiting for its
// turn.
func Crowded(ctx context.Context) *Error {
	e := Errorf(Unavailable, "the store was busy with other calls and "+NothingChanged+"; try again: %w",
		context.Cause(ctx))
	e.Unchanged = true
	return e
}

// Untouched is a function that returns a copy of err for a call that changed nothing. If err is not an *Error, it
// returns err itself.
func Untouched(err error) error {
	var known *Error
	if !errors.As(err, &known) {
		return err
	}
	e := *known
	e.Unchanged = true
	return &e
}

// ChangedNothing reports whether a failed call certainly changed nothing.
func ChangedNothing(err error) bool {
	var known *Error
	return errors.As(err, &known) && (known.Unchanged || known.Code != Unavailable && known.Code != Internal)
}

// WithoutPlace returns err for a caller who must not learn where the store is. Errors with certain codes can have a
// path or an address in their message. WithoutPlace replaces the message of such an error by a general one and removes
// the cause.
func WithoutPlace(err error) error {
	var known *Error
	if !errors.As(err, &known) {
		return err
	}
	e := *known
	switch known.Code {
	case Unavailable:
		e.Message = "the store does not answer at the moment"
	case ReadOnly:
		e.Message = "the store cannot be changed at the moment"
	case Internal:
		e.Message = "the store failed"
	default:
		return err
	}
	e.Err = nil
	return &e
}

// Closed is a function that returns the error for a call on a closed store.
func Closed() *Error {
	return Errorf(Unavailable, "the store is closed; open it again")
}

func conflict(id string, current int) *Error {
	e := Errorf(Conflict, "the guideline %s has version %d now; read it again", id, current)
	e.Version = current
	return e
}

// NoGuideline returns the error for a key that belongs to no existing guideline.
func NoGuideline(key string) *Error {
	return Errorf(NotFound, "there is no guideline %s", shownKey(key))
}

// NeverExisted returns the error for a key that has never belonged to a guideline.
func NeverExisted(key string) *Error {
	return Errorf(NotFound, "there was never a guideline %s", shownKey(key))
}

// shownKey returns a key in a form that is safe in a message. This matters because a key from a caller may be any text.
func shownKey(key string) string {
	projectID, id := SplitKey(key)
	if projectID == "" {
		return fmt.Sprintf("%.140q", id)
	}
	return fmt.Sprintf("%.140q of the project %.200s", id, projectID)
}
