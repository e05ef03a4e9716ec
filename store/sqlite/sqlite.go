// Package sqlite keeps guidelines and the audit in one SQLite file. Several processes may use the file at once.
//
// Start with Open. writer.go says how changes are made (one transaction at a time, each on the disk before it is
// acknowledged), append.go how many entries one of them takes, schema.go what the file looks like, tally.go how pages
// of a million entries stay quick.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"time"

	"guardrails/store"
)

// Options say where the file is and how to use it.
type Options struct {
	// Path is the file. It is made when it is missing, readable by its owner alone, and so is its folder.
	Path string
	// ReadOnly opens a file that exists and never writes to it.
	ReadOnly bool
	// Now is the clock; unset, the system's.
	Now func() time.Time
	// Busy is how long to wait for another process that is writing; unset, five seconds.
	Busy time.Duration
}

// Store is an open file.
type Store struct {
	file    *file
	now     func() time.Time
	readers *sql.DB
	// writer is nil when the file was opened to be read only.
	writer  *writer
	appends store.Appends
	names   names
	calls   store.RunningCalls
}

var _ store.Store = (*Store)(nil)

// Open opens the file, makes it when it is missing, and brings it up to date when an older version wrote it.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Busy == 0 {
		o.Busy = 5 * time.Second
	}
	path, err := filepath.Abs(o.Path)
	if err != nil || o.Path == "" {
		return nil, store.Errorf(store.Invalid, "the path %q of the database is not usable; give a file", o.Path)
	}
	f, err := secure(path, o.ReadOnly)
	if err != nil {
		return nil, err
	}
	s := &Store{file: f, now: o.Now}
	if err := s.connect(ctx, o); err != nil {
		return nil, errors.Join(s.failure(ctx, err), s.Close())
	}
	return s, nil
}

// Close waits for running calls and closes the file.
func (s *Store) Close() error {
	if !s.calls.Close() {
		return nil
	}
	var errs []error
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	if s.readers != nil {
		errs = append(errs, s.readers.Close())
	}
	if err := errors.Join(errs...); err != nil {
		return s.failure(context.Background(), err)
	}
	return nil
}
