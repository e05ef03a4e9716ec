//go:build !unix

package spool

import (
	"guardrails/hooks/session"
)

// lock opens the lock's file. Who takes a folder in at the same time does the same work again, and no harm.
func lock(dir *session.Dir) (*session.File, error) {
	if err := dir.Touch(lockName); err != nil {
		return nil, err
	}
	f, _, err := dir.OpenFile(lockName)
	return f, err
}
