package sqlite

import (
	"context"
	"errors"
	"slices"

	"guardrails/store"
)

// Heads returns the head of every chain of a tenant.
func (s *Store) Heads(ctx context.Context, tenant string) (heads []store.Head, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		heads, _, err = v.heads(tenant)
		return err
	})
	return heads, err
}

// heads() returns the heads of a tenant's chains. The map "byID" maps the id that a chain has in the database file to
// the chain.
func (v *view) heads(tenant string) (heads []store.Head, byID map[int64]store.Chain, err error) {
	heads, byID = []store.Head{}, map[int64]store.Chain{}
	const find = "SELECT id, writer, kind, seq, hash, base, base_hash FROM chain WHERE tenant = ? ORDER BY writer, kind"
	err = eachRow(v.ctx, v, find, []any{v.tenant}, func(scan func(...any) error) error {
		h, id := store.Head{Chain: store.Chain{Tenant: tenant}}, int64(0)
		err := scan(&id, &h.Writer, &h.Kind, &h.Seq, &h.Hash, &h.Base, &h.BaseHash)
		heads, byID[id] = append(heads, h), h.Chain
		return err
	})
	return heads, byID, err
}

// Verify reads the audit of a tenant. It does not see writes that happen while it reads.
func (s *Store) Verify(
	ctx context.Context, tenant string, known store.Known, noted ...store.Head,
) (verdicts []store.Verdict, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		heads, chains, err := v.heads(tenant)
		if err != nil {
			return err
		}
		r := &reading{view: v, chains: chains, days: map[int64]bool{}, ended: map[int64]bool{}}
		r.verification = store.NewVerification(tenant, heads, known, noted)
		err = errors.Join(r.entries(), v.compare(r.verification.Guidelines()))
		verdicts = r.verification.Verdicts()
		if err != nil || slices.ContainsFunc(verdicts, func(v store.Verdict) bool { return v.Fault != nil }) {
			return err // checking the indices would only find the same damage again
		}
		wrong, err := r.wrongIndices(tenant)
		verdicts = append(verdicts, wrong...)
		return err
	})
	return verdicts, err
}

// compare() adds two things to c: every revision, and every version that lists show.
func (v *view) compare(c *store.Comparison) error {
	const find = "SELECT event, deleted, actor, at, write_id, body, id, version FROM revision " +
		"WHERE tenant = ? ORDER BY row"
	revisions := eachRow(v.ctx, v, find, []any{v.tenant}, func(scan func(...any) error) error {
		var key string
		var version int
		r, err := v.store.scanRevision(func(into ...any) error { return scan(append(into, &key, &version)...) })
		if err == nil && (store.KeyOf(&r.Guideline) != key || r.Guideline.Version != version) {
			err = errors.New("its id, project or version differs from the index")
		}
		if err != nil {
			c.Unreadable(key, version, err.Error())
			return nil
		}
		c.Revision(&r)
		return nil
	})
	return errors.Join(revisions, v.compareListed(c), v.compareWrites(c))
}

// compareWrites finds stored results of writes if somebody removed, altered or added these results. It also notices if
// the generation was lowered.
func (v *view) compareWrites(c *store.Comparison) error {
	var writer string
	if err := v.QueryRowContext(v.ctx, "SELECT name FROM identity").Scan(&writer); err != nil {
		return err
	}
	generation, err := v.generation()
	if err != nil {
		return err
	}
	c.Counted(generation, writer)
	stored := map[string]bool{}
	const find = "SELECT id, fingerprint, result FROM written WHERE tenant = ?"
	err = eachRow(v.ctx, v, find, []any{v.tenant}, func(scan func(...any) error) error {
		var id, fingerprint, result string
		if err := scan(&id, &fingerprint, &result); err != nil {
			return err
		}
		stored[id] = true
		c.Result(id, fingerprint, result)
		return nil
	})
	for _, id := range c.Writes(writer) {
		if !stored[id] && err == nil {
			c.Forgotten(id)
		}
	}
	return err
}

func (v *view) compareListed(c *store.Comparison) error {
	const listed = "SELECT g.id, coalesce(r.version, -1) FROM guideline g " +
		"LEFT JOIN revision r ON r.row = g.revision AND r.id = g.id AND r.tenant = g.tenant WHERE g.tenant = ?"
	return eachRow(v.ctx, v, listed, []any{v.tenant}, func(scan func(...any) error) error {
		var key string
		var version int
		err := scan(&key, &version)
		c.Listed(key, version)
		return err
	})
}
