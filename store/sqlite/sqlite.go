// Package sqlite keeps guidelines and the audit in one SQLite file. Several processes may use the file at once.
//
// Start with Open. writer.go makes changes in one transaction at a time. Each transaction is synced to the disk before
// it is acknowledged. schema.go defines the tables. tally.go keeps counts of entries. With these counts, a page can be
// found fast, even among a million entries.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"time"

	"guardrails/store"
)

// Options configure a Store.
type Options struct {
	// Path is the path of the file. If the file or its folder is missing, it is created with access only for its owner.
	Path string
	// If ReadOnly is set, Open opens an existing file, and the Store never writes to the file.
	ReadOnly bool
	// Now is the clock. The default is time.Now.
	Now func() time.Time
	// Busy is how long a write waits while another process is writing. The default is five seconds.
	Busy time.Duration
}

// Store is an open database.
type Store struct {
	file    *file
	now     func() time.Time
	busy    time.Duration
	readers *sql.DB
	// The field "writer" is nil if the file was opened with ReadOnly.
	writer  *writer
	appends store.Appends
	opened  time.Time
	changes store.Group[*request]
	calls   store.RunningCalls
	// The field "newest" shows whether a backup was restored into the open file.
	newest newest
}

var _ store.Store = (*Store)(nil)

// Open opens the file. It creates the file if it is missing, and migrates it if an older version wrote it.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Busy == 0 {
		o.Busy = 5 * time.Second
	}
	path, err := filepath.Abs(o.Path)
	if err != nil || o.Path == "" {
		return nil, store.Errorf(store.Invalid, "the path %q of the database is invalid; use the path of a file", o.Path)
	}
	f, err := secure(path, o.ReadOnly)
	if err != nil {
		return nil, err
	}
	s := &Store{file: f, now: o.Now, opened: o.Now(), busy: o.Busy}
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
