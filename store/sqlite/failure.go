package sqlite

import (
	"context"
	"database/sql"
	"errors"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"guardrails/store"
)

// failure() converts every error to a *store.Error that tells a person what to do.
func (s *Store) failure(ctx context.Context, err error) error {
	var known *store.Error
	var sqlError *driver.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case ctx.Err() != nil:
		return store.Interrupted(ctx)
	case errors.Is(err, sql.ErrConnDone):
		return store.Closed()
	case errors.As(err, &sqlError):
		return s.checkReopen(sqlError, explain(s.file.path, sqlError))
	default:
		return store.Errorf(store.Internal, "the database %s failed: %w", s.file.path, err)
	}
}

// explain() converts an error of SQLite. The low byte of the result code is the kind of failure.
func explain(path string, err *driver.Error) *store.Error {
	code, text := store.Internal, "failed"
	switch err.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		code, text = store.Unavailable, "is busy: another process is writing to it; try again"
	case sqlite3.SQLITE_FULL:
		code, text = store.ReadOnly, "cannot be changed: the disk is full; free some space"
	case sqlite3.SQLITE_READONLY:
		code, text = store.ReadOnly, "cannot be changed: it is read-only; check the permissions of the file and its folder"
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		code, text = store.Internal, "is damaged or not a database; "+
			"replace it with a backup, or move it away and create a new one"
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		code, text = store.Unavailable, "cannot be opened; "+
			"check the permissions of the file and its folder, and that the disk is writable"
	case sqlite3.SQLITE_IOERR:
		code, text = store.Unavailable, "cannot be read or written: the disk failed; see the system log"
	case sqlite3.SQLITE_NOMEM:
		code, text = store.Unavailable, "ran out of memory; close other programs"
	case sqlite3.SQLITE_INTERRUPT:
		code, text = store.Unavailable, "was interrupted; try again"
	}
	failed := store.Errorf(code, "the database %s %s: %w", path, text, err)
	if err.Code()&0xff == sqlite3.SQLITE_FULL {
		return failed.CausedBy(store.ErrFull)
	}
	return failed
}
