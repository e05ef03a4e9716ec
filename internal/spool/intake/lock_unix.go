//go:build unix

package intake

import (
	"errors"
	"syscall"

	"guardrails/internal/private"
)

// lock locks a folder. If another process has the lock, it returns nil. The system releases the lock when the process
// ends. If the lock did not work, two processes would do the same work twice, which does no harm.
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
