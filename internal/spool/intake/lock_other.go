//go:build !unix

package intake

import (
	"guardrails/internal/private"
)

// lock opens the lock's file. Who takes a folder in at the same time does the same work again, and no harm.
func lock(dir *private.Dir) (*private.File, error) {
	if err := dir.Touch(lockName); err != nil {
		return nil, err
	}
	f, _, err := dir.OpenFile(lockName)
	return f, err
}
