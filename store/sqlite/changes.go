package sqlite

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"guardrails/guideline"
	"guardrails/store"
)

// Generations returns for each tenant the number of writes that changed its guidelines.
func (s *Store) Generations(ctx context.Context, tenants ...string) ([]int64, error) {
	for _, tenant := range tenants {
		if err := store.CheckTenant(tenant); err != nil {
			return nil, err
		}
	}
	names, err := json.Marshal(tenants)
	if err != nil {
		return nil, err
	}
	numbers := map[string]int64{}
	err = s.readOn(ctx, func(v *view) error {
		const find = "SELECT n.text, g.number FROM json_each(?) j JOIN name n ON n.text = j.value JOIN generation g ON g.tenant = n.id"
		return eachRow(ctx, v, find, []any{string(names)}, func(scan func(...any) error) error {
			var tenant string
			var number int64
			err := scan(&tenant, &number)
			numbers[tenant] = number
			return err
		})
	})
	out := make([]int64, len(tenants))
	for i, tenant := range tenants {
		out[i] = numbers[tenant]
	}
	return out, err
}

// Changes returns what changed in the guidelines of a tenant. The table of revisions is the log of changes: each
// change adds a row, and no row is ever removed.
func (s *Store) Changes(ctx context.Context, tenant string, since store.Moment) (c store.Changes, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		c, err = v.changes(tenant, &since)
		return err
	})
	return c, err
}

func (v *view) changes(tenant string, since *store.Moment) (store.Changes, error) {
	now, err := v.moment(tenant)
	if err != nil {
		return store.Changes{}, err
	}
	continued, err := v.hasAllUntil(since, &now)
	if err != nil {
		return store.Changes{}, err
	}
	if !continued {
		set, err := v.all(tenant)
		return set.Whole(), err
	}
	c := store.Changes{Moment: now}
	c.Changed, c.Removed, err = v.revisedSince(since.Position)
	return c, err
}

// moment() returns the moment of the view. The position of this moment is the row of the newest revision of all
// tenants, and its mark identifies this revision.
func (v *view) moment(tenant string) (m store.Moment, err error) {
	if m.Generation, err = v.generation(); err != nil {
		return m, err
	}
	if m.Heads, _, err = v.heads(tenant); err != nil {
		return m, err
	}
	newest, err := v.newestPlace()
	m.Position, m.Mark = newest.row, newest.revision
	return m, err
}

// hasAllUntil reports whether the file still contains every change that was made up to a given moment. The parameter
// "since" is this moment.
func (v *view) hasAllUntil(since, now *store.Moment) (bool, error) {
	if !since.ContinuedBy(now) {
		return false, nil
	}
	for _, h := range since.ChangeHeads() {
		if held, err := v.holds(h); err != nil || !held {
			return false, err
		}
	}
	return v.stillHas(place{since.Position, since.Mark})
}

// revisedSince returns the guidelines of the tenant that have a revision after the given row. The plus sign in the
// query makes SQLite read only the rows after this row. Without the plus sign, SQLite would read all rows of the
// tenant.
func (v *view) revisedSince(row int64) (changed []guideline.Guideline, removed []string, err error) {
	const find = "SELECT id, deleted, body FROM revision WHERE row > ? AND +tenant = ? ORDER BY row"
	newest := map[string]*guideline.Guideline{}
	if err := eachRow(v.ctx, v, find, []any{row, v.tenant}, func(scan func(...any) error) error {
		var key, body string
		var deleted bool
		if err := scan(&key, &deleted, &body); err != nil {
			return err
		}
		newest[key] = nil
		if deleted {
			return nil
		}
		g, err := v.store.parse(body)
		newest[key] = &g
		return err
	}); err != nil {
		return nil, nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(newest)) {
		if g := newest[key]; g != nil {
			changed = append(changed, *g)
		} else {
			removed = append(removed, key)
		}
	}
	return changed, removed, nil
}
