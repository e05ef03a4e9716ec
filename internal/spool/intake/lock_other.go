//go:build !unix

package intake

import (
	"guardrails/internal/private"
)

// lock opens the lock file. On this system, that does not keep other processes out. Two processes may then do the same
// work twice, which does no harm.
func lock(dir *private.Dir) (*private.File, error) {
	if err := dir.Touch(lockName); err != nil {
		return nil, err
	}
	f, _, err := dir.OpenFile(lockName)
	return f, err
}
