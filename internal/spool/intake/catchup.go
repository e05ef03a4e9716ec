package intake

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"guardrails/internal/private"
	"guardrails/store"
)

// CatchUp moves the lines of the spool into the stores. One of the stores is for lines without a project. CatchUp fails
// if this store has not read all lines that were in the spool when CatchUp began. It ignores the errors of other
// stores. If a store refuses the entries of a tenant, the lines of this tenant wait. CatchUp ignores such a refusal
// too, unless the tenant is one of the given tenants. If another process holds the lock, CatchUp waits up to the given
// time, or until that process has moved the lines. CatchUp leaves out the lines whose audit is on another server. If
// the audit for lines without a project is on another server, CatchUp moves the lines that it can move, and does not
// fail.
func (i *Intake) CatchUp(ctx context.Context, patience time.Duration, tenants ...string) error {
	want, err := i.ends()
	if err != nil {
		return err
	}
	i.onlyHere = true
	defer func() { i.onlyHere = false }()
	isWanted := func(tenant string) bool { return slices.Contains(tenants, tenant) }
	for end := time.Now().Add(patience); ; time.Sleep(askAgain) {
		r, err := i.turn(ctx, isWanted)
		own := i.home(ctx, "")
		if err == nil && !r.Busy && !r.More && own.Catalog != nil {
			return nil
		}
		counts := func(c *cursor) bool {
			return c.damaged != "" || c.Store == own.Store && (!c.Late || isWanted(c.Tenant))
		}
		has, failed := i.hasReadAll(counts, want)
		if has && failed == nil {
			return nil
		}
		switch err = errors.Join(err, failed); {
		case r.goesOn(err):
		case own.Elsewhere && !r.Busy:
			return nil
		case own.Catalog == nil && !r.Busy:
			return store.Errorf(store.Unavailable, "the store is unavailable")
		case err != nil:
			return r.reason(counts, err)
		case time.Now().After(end):
			return stillBusy(patience)
		}
	}
}

// reason() returns the error of the first failed cursor for which counts() returns true. If there is none, it returns
// the parameter "err".
func (r *Report) reason(counts func(*cursor) bool, err error) error {
	for _, f := range r.failures {
		if counts(f.of) {
			return f.err
		}
	}
	return err
}

// stillBusy returns the error for a process that waited for another process.
func stillBusy(after time.Duration) error {
	return store.Errorf(store.Unavailable, "another process has been adding the hooks' records to the audit for %s; "+
		"check whether a guardrails server hangs", after)
}

// ends() returns the sizes of the files in each folder of the spool.
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

// hasReadAll looks at the cursors for which counts() returns true. It reports whether all of these cursors have passed
// the given size in every file. Files that were removed are ignored, because these files had been read before they were
// removed.
func (i *Intake) hasReadAll(counts func(*cursor) bool, want map[string]map[string]int64) (bool, error) {
	for path, size := range want {
		dir, err := existing(path)
		if err != nil {
			return false, err
		}
		if dir == nil {
			continue
		}
		cursors, err := readCursors(dir)
		if err != nil {
			return false, err
		}
		cursors = slices.DeleteFunc(cursors, func(c *cursor) bool { return !counts(c) })
		if mainOf(cursors) == nil {
			cursors = nil // the store has read nothing
		}
		for file, end := range size {
			if has, err := haveReadFile(dir, file, cursors, end); err != nil || !has {
				return false, err
			}
		}
	}
	return true, nil
}

// haveReadFile reports whether all cursors have read every complete line of a file up to the offset "end". Without
// cursors, nothing counts as read.
func haveReadFile(dir *private.Dir, name string, cursors []*cursor, end int64) (bool, error) {
	f, err := openFile(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // an error of Close does not matter after reading
	at, err := firstPosition(cursors, f)
	if err != nil || at >= end {
		return err == nil, err
	}
	_, next, err := f.lines(at, false)
	return err == nil && next == at, err
}
