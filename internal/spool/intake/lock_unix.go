//go:build unix

package intake

import (
	"errors"
	"syscall"

	"guardrails/internal/private"
)

// lock takes the right to take a folder in, if nobody else has it; nil when somebody does. The system takes it from a
// process that ends, however it ends. Two at once would do no harm, only the same work.
func lock(dir *private.Dir) (*private.File, error) {
	if err := dir.Touch(lockName); err != nil {
		return nil, err
	}
	f, _, err := dir.OpenFile(lockName)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(f.Descriptor(), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return nil, f.Close()
		default:
			return nil, errors.Join(err, f.Close())
		}
	}
}
