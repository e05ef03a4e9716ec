//go:build unix

package socket

import (
	"errors"

	"guardrails/internal/private"
)

// lock gives the process that holds it the right to bind the socket.
type lock struct{ file *private.File }

func openLock(dir *private.Dir) (*lock, error) {
	if err := dir.Touch(lockName); err != nil {
		return nil, err
	}
	f, _, err := dir.OpenFile(lockName)
	if err != nil {
		return nil, err
	}
	return &lock{f}, nil
}

// try takes the lock if no other process has it. It does not wait.
func (l *lock) try() (bool, error) { return l.file.TryLock() }

// wait waits until the lock is free, and takes it.
func (l *lock) wait() error { return l.file.Lock() }

// orClose releases the lock if err is not nil.
func (l *lock) orClose(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, l.release())
}

func (l *lock) release() error { return l.file.Close() }
