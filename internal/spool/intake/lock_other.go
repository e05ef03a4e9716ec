//go:build !unix

package intake

import (
	"guardrails/internal/private"
)

// lock opens the lock's file. Without a lock two processes may do the same work twice, which does no harm.
func lock(dir *private.Dir) (*private.File, error) {
	if err := dir.Touch(lockName); err != nil {
		return nil, err
	}
	f, _, err := dir.OpenFile(lockName)
	return f, err
}
