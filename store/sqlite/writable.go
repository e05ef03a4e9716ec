package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"guardrails/store"
)

// errTried makes a transaction roll back a change that was made only as a test.
var errTried = errors.New("the change was only tried")

// Writable returns an error if the file cannot be changed now. It makes a change as a test and rolls the change back.
// If the last change was refused, it also checks that the disk has free space.
func (s *Store) Writable(ctx context.Context, _ string) error {
	err := s.write(ctx, func(t *tx) error {
		if _, err := t.exec("UPDATE identity SET name = name"); err != nil {
			return err
		}
		if t.writer.refused {
			if err := s.checkSpace(); err != nil {
				return err
			}
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		return nil
	}
	return err
}

// The constant "enough" is the free disk space in bytes that Writable requires after a change was refused.
const enough = 256 << 10

func (s *Store) checkSpace() error {
	f, err := os.CreateTemp(filepath.Dir(s.file.path), ".guardrails-space-*")
	if err != nil {
		return s.noSpace(err)
	}
	_, err = f.Write(make([]byte, enough))
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return s.noSpace(err)
	}
	return nil
}

func (s *Store) noSpace(err error) error {
	return store.Errorf(store.ReadOnly,
		"the database %s cannot be changed, because nothing can be written to its folder (%w); free some space, or check its permissions",
		s.file.path, err).CausedBy(store.ErrFull)
}

// If a file cannot be written, the store is opened again, but only if it has been open for longer than reopenAfter.
const reopenAfter = 30 * time.Second

// checkReopen makes live.Store open the file again after a change was refused. If a file cannot be written, SQLite
// opens the file only for reading. If the file were not opened again, all connections of the process would stay
// read-only for ever.
func (s *Store) checkReopen(refused *driver.Error, err *store.Error) *store.Error {
	if refused.Code()&0xff == sqlite3.SQLITE_READONLY && s.now().Sub(s.opened) > reopenAfter {
		err.Err = store.ErrGone
	}
	return err
}
