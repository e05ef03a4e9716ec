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
