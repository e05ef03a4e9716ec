package intake

import (
	"errors"

	"guardrails/internal/private"
)

// lock() locks a folder. If another process has the lock, it returns nil. The system releases the lock when the process
// ends. On Windows, or if the lock did not work, two processes can do the same work, which does no harm.
func lock(dir *private.Dir) (*private.File, error) {
	if err := dir.Touch(lockName); err != nil {
		return nil, err
	}
	f, _, err := dir.OpenFile(lockName)
	if err != nil {
		return nil, err
	}
	if locked, err := f.TryLock(); !locked {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
