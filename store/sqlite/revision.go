package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

const (
	revisionColumns = "SELECT event, deleted, actor, at, write_id, body FROM revision WHERE tenant = ?"
	revisionsOfOne  = revisionColumns + " AND id = ?"
	newestRevision  = revisionsOfOne + " ORDER BY version DESC LIMIT 1"
)

// History returns one page of the revisions of a guideline, newest first.
func (s *Store) History(
	ctx context.Context, tenant, key string, p store.Paging,
) (page store.Page[store.Revision], err error) {
	pager, err := store.NewPager[int](p, "sqlite history", tenant, key)
	if err != nil {
		return page, err
	}
	found, total := []store.Revision{}, 0
	err = s.read(ctx, tenant, func(v *view) error {
		newest := math.MaxInt
		if pager.Place != nil {
			newest = *pager.Place - 1
		} else if total, err = v.versions(key); err != nil {
			return err
		}
		const revisions = revisionsOfOne + " AND version <= ? ORDER BY version DESC LIMIT ? OFFSET ?"
		args := []any{v.tenant, key, newest, pager.Limit(), pager.Skip()}
		return eachRow(ctx, v, revisions, args, func(scan func(...any) error) error {
			r, err := s.scanRevision(scan)
			found = append(found, r)
			return err
		})
	})
	if err != nil {
		return page, err
	}
	return store.PageOf(&pager, found, total, func(i int) int { return found[i].Guideline.Version })
}

// versions() counts the revisions of a guideline. If there are none, the error is NotFound.
func (v *view) versions(key string) (count int, err error) {
	const query = "SELECT count(*) FROM revision WHERE tenant = ? AND id = ?"
	err = v.QueryRowContext(v.ctx, query, v.tenant, key).Scan(&count)
	if err == nil && count == 0 {
		err = store.NeverExisted(key)
	}
	return count, err
}

// newest() returns the newest revision of a guideline, or nil.
func (t *tx) newest(tenant, key string) (*store.Revision, error) {
	number, err := t.number(tenant)
	if err != nil {
		return nil, err
	}
	return scanOptional(t.store, t.row(newestRevision, number, key))
}

// revision() returns one version of a guideline, or nil.
func (t *tx) revision(tenant, key string, version int) (*store.Revision, error) {
	number, err := t.number(tenant)
	if err != nil {
		return nil, err
	}
	return scanOptional(t.store, t.row(revisionsOfOne+" AND version = ?", number, key, version))
}

// scanOptional reads a revision that may not exist.
func scanOptional(s *Store, scan func(...any) error) (*store.Revision, error) {
	r, err := s.scanRevision(scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &r, err
}

func (s *Store) scanRevision(scan func(...any) error) (r store.Revision, err error) {
	var at int64
	var body string
	if err := scan(&r.Event, &r.Deleted, &r.Actor, &at, &r.WriteID, &body); err != nil {
		return r, err
	}
	r.At = time.UnixMilli(at).UTC()
	r.Guideline, err = s.parse(body)
	return r, err
}

// apply() stores the revisions of changes and their audit entries. If one of these entries exists already, the write id
// was used before, for example in a store whose dump was loaded into this store.
func (t *tx) apply(changes []store.Change) error {
	if len(changes) == 0 {
		return nil
	}
	t.applied = true
	entries := make([]*store.Entry, len(changes))
	for i := range changes {
		if err := t.applyRevision(&changes[i].Revision); err != nil {
			return err
		}
		entries[i] = &changes[i].Entry
	}
	tenant, err := t.number(entries[0].Tenant)
	if err != nil {
		return err
	}
	if err := t.addGenerations(tenant, 1); err != nil {
		return err
	}
	existed, err := t.append(entries)
	if err == nil && existed {
		err = store.Reused(changes[0].Revision.WriteID)
	}
	return err
}

// addGenerations increases the generation of a tenant.
func (t *tx) addGenerations(tenant, count int64) error {
	const add = "INSERT INTO generation VALUES (?, ?) ON CONFLICT (tenant) DO UPDATE SET number = number + excluded.number"
	_, err := t.exec(add, tenant, count)
	return err
}

func (t *tx) applyRevision(r *store.Revision) error {
	tenant, err := t.number(r.Guideline.TenantID)
	if err != nil {
		return err
	}
	body, err := guideline.Encode(&r.Guideline)
	if err != nil {
		return err
	}
	row, err := t.insertRevision(tenant, r, string(body))
	if err != nil {
		return err
	}
	return t.list(tenant, row, r)
}

func (t *tx) insertRevision(tenant int64, r *store.Revision, body string) (row int64, err error) {
	const insert = "INSERT INTO revision (tenant, id, version, event, deleted, actor, at, write_id, body) " +
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	stored, err := t.exec(
		insert, tenant, store.KeyOf(&r.Guideline), r.Guideline.Version, r.Event, r.Deleted, r.Actor,
		r.At.UnixMilli(), r.WriteID, body,
	)
	if err != nil {
		return 0, err
	}
	return stored.LastInsertId()
}

// list() makes readers see the guideline as it is in the revision r. If r is a deletion, readers no longer see the
// guideline.
func (t *tx) list(tenant, row int64, r *store.Revision) error {
	_, err := t.exec("DELETE FROM guideline WHERE tenant = ? AND id = ?", tenant, store.KeyOf(&r.Guideline))
	if err != nil || r.Deleted {
		return err
	}
	return t.listGuideline(tenant, row, &r.Guideline)
}

// listGuideline stores those fields of a guideline by which lists can be filtered and sorted.
func (t *tx) listGuideline(tenant, revision int64, g *guideline.Guideline) error {
	const insert = "INSERT INTO guideline (tenant, id, revision, priority, category, enabled, updated, name, search) " +
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	listed, err := t.exec(insert, tenant, store.KeyOf(g), revision, g.Priority, string(g.Category), g.Enabled,
		g.UpdatedAt.UnixMilli(), store.Fold(g.Name), store.Searchable(g))
	if err != nil {
		return err
	}
	row, err := listed.LastInsertId()
	if err != nil {
		return err
	}
	for field, values := range labels(g) {
		for _, value := range values {
			const label = "INSERT INTO label VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
			if _, err := t.exec(label, tenant, field, value, row); err != nil {
				return err
			}
		}
	}
	return nil
}
