package intake

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"guardrails/internal/document"
	"guardrails/store"
)

// maxLate is the largest number of late tenants of a store. If the store refuses the entries of more tenants, the store
// itself has probably failed, and all its lines wait.
const maxLate = 20

// A store can refuse the entries of one tenant, for example because the tenant's hash chain in the audit is damaged. In
// that case, the tenant becomes late. A late tenant gets a cursor of its own, which stays before the refused line. The
// main cursor of the store skips the lines of late tenants, so no other tenant waits. When a late tenant's cursor
// reaches the main cursor, the late cursor is removed. The file of a late cursor is written before the main cursor
// moves on. So after a crash, some lines are read again, but none is skipped.

// isLate reports whether a tenant of a store has a late cursor.
func (t *turn) isLate(of, tenant string) bool {
	return slices.ContainsFunc(t.stores, func(c *cursor) bool { return c.Late && c.Store == of && c.Tenant == tenant })
}

// wants() reports whether a cursor is responsible for a line of a tenant. A line that names no tenant belongs to the
// tenant of its project, and the project can get another tenant while the line waits. So a late cursor also reads lines
// that name no tenant, with one exception: it leaves out a line if the other tenant has a late cursor of its own that
// has not passed the line yet. The store ignores a line that it already has.
func (t *turn) wants(c *cursor, p piece, tenant string, isNamed bool) bool {
	switch {
	case !c.Late:
		return !t.isLate(c.Store, tenant)
	case tenant == c.Tenant || isNamed:
		return tenant == c.Tenant
	}
	return !slices.ContainsFunc(t.stores, func(other *cursor) bool {
		return other.Late && other.Store == c.Store && other.Tenant == tenant && other.Files[p.file].Offset <= p.offset
	})
}

// mayBeLate reports whether a tenant becomes late after an error of Append. A tenant does not become late if the store
// as a whole has failed.
func (t *turn) mayBeLate(c *cursor, err error) bool {
	if c.Late || t.ctx.Err() != nil || store.ConcernsAll(err) {
		return false
	}
	late := len(ofStore(t.stores, c.Store)) - 1
	return late < maxLate
}

// startLate makes a tenant late. The tenant's cursor begins at the position of the main cursor. The same turn then
// reads with the new cursor, and reports an error if the store refuses the entries again.
func (t *turn) startLate(main *cursor, tenant string) {
	t.stores = append(t.stores, &cursor{
		Store: main.Store, Project: main.Project, Late: true, Tenant: tenant, Files: maps.Clone(main.Files), unsaved: true,
	})
}

// postpone() makes a tenant late if no store accepts its name. The store is not even asked. The lines of the tenant
// wait until somebody corrects the settings of the project.
func (t *turn) postpone(c *cursor, tenant string, why error) error {
	if c.Late || !t.mayBeLate(c, why) {
		return why
	}
	t.startLate(c, tenant)
	return nil
}

// takeLate moves the lines of a late tenant.
func (t *turn) takeLate(c *cursor) error {
	if t.catalog(c) == nil || !t.tries(c.Tenant) {
		t.waits = true
		return nil
	}
	if err := t.takeFiles(c); err != nil {
		return fmt.Errorf("the decisions of the tenant %s wait in the spool: %w", document.Excerpt(c.Tenant), err)
	}
	return nil
}

// endLate removes the cursors of the tenants that are no longer late.
func (t *turn) endLate() error {
	var problems []error
	t.stores = slices.DeleteFunc(t.stores, func(c *cursor) bool {
		main := t.mainCursor(c.Store)
		if !c.Late || main == nil {
			return false
		}
		reached, err := t.hasReached(c, main)
		if err == nil && reached {
			_, err = t.dir.Remove(c.fileName())
		}
		problems = append(problems, err)
		return err == nil && reached
	})
	return errors.Join(problems...)
}

// hasReached reports whether, in every file, the position of a cursor is at least as far as the position of another
// cursor.
func (t *turn) hasReached(c, other *cursor) (bool, error) {
	for _, name := range t.names {
		behind := false
		err := t.inFile(name, func(f *file) error {
			at, err := c.positionIn(f)
			end, problem := other.positionIn(f)
			behind = at < end
			return errors.Join(err, problem)
		})
		if err != nil || behind {
			return false, err
		}
	}
	return true, nil
}

// mainCursor returns the cursor for those tenants of a store that are not late, or nil.
func (t *turn) mainCursor(of string) *cursor { return mainOf(ofStore(t.stores, of)) }
