package intake

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"guardrails/store"
)

// CatchUp moves the lines of the spool. One store takes the lines that have no project. CatchUp fails if this store has
// not read all lines that were in the spool when CatchUp began. If this store has read them, errors of other stores do
// not matter. If another process holds the lock, CatchUp waits up to the given time, or until that process has moved
// the lines.
func (i *Intake) CatchUp(ctx context.Context, patience time.Duration) error {
	want, err := i.ends()
	if err != nil {
		return err
	}
	for end := time.Now().Add(patience); ; time.Sleep(askAgain) {
		r, err := i.Turn(ctx)
		own := i.home(ctx, "")
		if err == nil && !r.Busy && !r.More && own.Catalog != nil {
			return nil
		}
		has, failed := i.hasReadAll(own.Store, want)
		if has && failed == nil {
			return nil
		}
		switch err = errors.Join(err, failed); {
		case err != nil:
			return err
		case r.More:
		case !r.Busy:
			return store.Errorf(store.Unavailable, "the store is unavailable")
		case time.Now().After(end):
			return stillBusy(patience)
		}
	}
}

// stillBusy returns the error for a process that waited for another one.
func stillBusy(after time.Duration) error {
	return store.Errorf(store.Unavailable, "another process has been adding the hooks' records to the audit for %s; "+
		"check whether a guardrails server hangs", after)
}

// ends returns the sizes of the files in each folder of the spool.
func (i *Intake) ends() (map[string]map[string]int64, error) {
	all := map[string]map[string]int64{}
	for _, path := range i.o.Dirs {
		dir, err := existing(path)
		if err != nil {
			return nil, err
		}
		if dir == nil {
			continue
		}
		if _, all[path], err = sizes(dir); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// hasReadAll reports whether a store has read every file up to the given size. Files that were removed do not
// count, because they had been read before.
func (i *Intake) hasReadAll(name string, want map[string]map[string]int64) (bool, error) {
	for path, size := range want {
		dir, err := existing(path)
		if err != nil {
			return false, err
		}
		c, err := readCursor(dir, cursorName(name))
		if err != nil {
			return false, err
		}
		for file, end := range size {
			f, err := openFile(dir, file)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return false, err
			}
			at, err := positionIn(c, f)
			if err = errors.Join(err, f.Close()); err != nil || at < end {
				return false, err
			}
		}
	}
	return true, nil
}

// positionIn returns how far a store has read a file. Without a cursor, it has read nothing.
func positionIn(c *cursor, f *file) (int64, error) {
	if c == nil {
		return 0, nil
	}
	return c.positionIn(f)
}
