//go:build !unix

package intake

import (
	"guardrails/internal/private"
)

// lock opens the file of the lock. On this system, the file does not lock anything. Two processes may then do the same
// work twice, but this does no harm.
func lock(dir *private.Dir) (*private.File, error) {
	if err := dir.Touch(lockName); err != nil {
		return nil, err
	}
	f, _, err := dir.OpenFile(lockName)
	return f, err
}
