// Package lock gives a resource, such as a socket or a port, to one process of a user, while other processes wait for
// it.
//
// A lock is a locked file. The system releases it when the process ends, even after a crash.
package lock

import (
	"context"
	"errors"

	"guardrails/internal/private"
)

// Lock is an open file that can be locked.
type Lock struct{ file *private.File }

// Open opens a file in a folder, and creates it if it is missing.
func Open(dir *private.Dir, name string) (*Lock, error) {
	if err := dir.Touch(name); err != nil {
		return nil, err
	}
	f, _, err := dir.OpenFile(name)
	if err != nil {
		return nil, err
	}
	return &Lock{f}, nil
}

// Try is a method that takes the lock if no other process has it. It does not wait.
func (l *Lock) Try() (bool, error) { return l.file.TryLock() }

// Release releases the lock and closes the file.
func (l *Lock) Release() error { return l.file.Close() }

// Take is a function that waits until this process has the lock, or until the context is done. If it has to wait, it
// calls waiting() first.
func Take(ctx context.Context, dir *private.Dir, name string, waiting func()) (*Lock, error) {
	l, err := Open(dir, name)
	if err != nil {
		return nil, err
	}
	if taken, err := l.Try(); err != nil || taken {
		return l, l.orClose(err)
	}
	waiting()
	got := make(chan error, 1)
	go func() { got <- l.file.Lock() }()
	select {
	case err := <-got:
		return l, l.orClose(err)
	case <-ctx.Done():
		// The system call that waits cannot be canceled. If the call gets the lock later, the lock is released immediately.
		go func() { _ = errors.Join(<-got, l.Release()) }()
		return nil, ctx.Err()
	}
}

// orClose releases the lock if err is not nil.
func (l *Lock) orClose(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, l.Release())
}
