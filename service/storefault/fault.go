// Package storefault finds faults of a store: the store lacks changes that this computer has seen, or the clock is
// wrong.
//
// The function Of returns the name of a fault. GuardWrites keeps processes from changing a store that lacks something.
package storefault

import (
	"errors"

	"guardrails/store"
)

// The names of faults of a store. The name of any other fault is the code of its error.
const (
	Older = "older"
	Lost  = "lost"
	Clock = "clock"
	Full  = "full"
)

// Of is a function that returns the name of the fault that an error reports. It returns "" if err is nil.
func Of(err error) string {
	_, clock := errors.AsType[*ClockError](err)
	switch {
	case IsLoss(err), errors.Is(err, store.ErrOlder):
		return Older
	case errors.Is(err, store.ErrMissing), errors.Is(err, store.ErrLost):
		return Lost
	case errors.Is(err, store.ErrFull):
		return Full
	case clock:
		return Clock
	}
	return string(store.CodeOf(err))
}

// Named is a function that returns the name of the fault that an error reports, if the fault has a name of its own.
// Otherwise, it returns "", and the code of the error says what is wrong.
func Named(err error) string {
	switch fault := Of(err); fault {
	case Older, Lost, Full:
		return fault
	}
	return ""
}

// WithoutPlace returns err for a caller who must not learn where the store is. If the fault has a name, the message
// contains this name.
func WithoutPlace(err error) error {
	fault := Named(err)
	general, ok := errors.AsType[*store.Error](store.WithoutPlace(err))
	if fault == "" || !ok {
		return store.WithoutPlace(err)
	}
	switch fault {
	case Older:
		general.Message = "older: the store lacks changes or decisions that it had before, so nothing in it can be changed"
	case Lost:
		general.Message = "lost: the store or a part of it is missing"
	case Full:
		general.Message = "full: the disk of the store is full"
	}
	return general
}
