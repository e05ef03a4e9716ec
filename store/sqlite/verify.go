package sqlite

import (
	"context"
	"errors"
	"slices"

	"guardrails/store"
)

// Heads returns the newest entry of every chain of a tenant.
func (s *Store) Heads(ctx context.Context, tenant string) (heads []store.Head, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		heads, _, err = v.heads(tenant)
		return err
	})
	return heads, err
}

// heads returns the heads of a tenant's chains, and the chains by their ids in the file.
func (v *view) heads(tenant string) (heads []store.Head, byID map[int64]store.Chain, err error) {
	heads, byID = []store.Head{}, map[int64]store.Chain{}
	const find = "SELECT id, writer, kind, seq, hash, base, base_hash FROM chain WHERE tenant = ? ORDER BY writer, kind"
	err = each(v.ctx, v, find, []any{v.tenant}, func(scan func(...any) error) error {
		h, id := store.Head{Chain: store.Chain{Tenant: tenant}}, int64(0)
		err := scan(&id, &h.Writer, &h.Kind, &h.Seq, &h.Hash, &h.Base, &h.BaseHash)
		heads, byID[id] = append(heads, h), h.Chain
		return err
	})
	return heads, byID, err
}

// Verify reads the whole audit of a tenant. It does not see writes that happen while it reads.
func (s *Store) Verify(ctx context.Context, tenant string, noted ...store.Head) (verdicts []store.Verdict, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		heads, chains, err := v.heads(tenant)
		if err != nil {
			return err
		}
		verification := store.NewVerification(tenant, heads, noted)
		err = each(ctx, v, auditRows, []any{v.tenant}, func(scan func(...any) error) error {
			var r auditRow
			if err := r.scan(scan); err != nil {
				return err
			}
			r.verify(verification, chains[r.chain])
			return nil
		})
		err = errors.Join(err, v.compare(verification.Guidelines()))
		verdicts = verification.Verdicts()
		if err != nil || slices.ContainsFunc(verdicts, func(v store.Verdict) bool { return v.Fault != nil }) {
			return err // the indices would show the same damage
		}
		wrong, err := v.wrongIndices(tenant)
		verdicts = append(verdicts, wrong...)
		return err
	})
	return verdicts, err
}

// compare adds every revision to c, and every version that lists show.
func (v *view) compare(c *store.Comparison) error {
	const find = "SELECT event, deleted, actor, at, write_id, body, id, version FROM revision " +
		"WHERE tenant = ? ORDER BY row"
	revisions := each(v.ctx, v, find, []any{v.tenant}, func(scan func(...any) error) error {
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

// compareWrites finds writes whose results were removed, and a generation that was lowered.
func (v *view) compareWrites(c *store.Comparison) error {
	var writer string
	if err := v.QueryRowContext(v.ctx, "SELECT writer FROM identity").Scan(&writer); err != nil {
		return err
	}
	generation, err := v.generation()
	if err != nil {
		return err
	}
	c.Counted(generation, writer)
	results := map[string]bool{}
	err = each(v.ctx, v, "SELECT id FROM written WHERE tenant = ?", []any{v.tenant}, func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		results[id] = true
		return err
	})
	for _, id := range c.Writes(writer) {
		if !results[id] && err == nil {
			c.Forgotten(id)
		}
	}
	return err
}

func (v *view) compareListed(c *store.Comparison) error {
	const listed = "SELECT g.id, coalesce(r.version, -1) FROM guideline g " +
		"LEFT JOIN revision r ON r.row = g.revision AND r.id = g.id AND r.tenant = g.tenant WHERE g.tenant = ?"
	return each(v.ctx, v, listed, []any{v.tenant}, func(scan func(...any) error) error {
		var key string
		var version int
		err := scan(&key, &version)
		c.Listed(key, version)
		return err
	})
}

// auditRows selects the entries in the order of appending, with the texts in their indexed columns.
const auditRows = `SELECT e.chain, e.seq, e.time, e.id, ev.text, g.text, s.text, a.text, e.hash, e.body FROM entry e
	LEFT JOIN name ev ON ev.id = e.event LEFT JOIN name g ON g.id = e.guideline
	LEFT JOIN name s ON s.id = e.session LEFT JOIN name a ON a.id = e.actor
	WHERE e.tenant = ? ORDER BY e.row`

// auditRow is an entry and its indexed columns. Searches would not find an entry whose columns were altered.
type auditRow struct {
	chain, seq, time int64
	id, hash, body   string

	event, guideline, session, actor *string
}

func (r *auditRow) scan(scan func(...any) error) error {
	return scan(&r.chain, &r.seq, &r.time, &r.id, &r.event, &r.guideline, &r.session, &r.actor, &r.hash, &r.body)
}

func (r *auditRow) verify(v *store.Verification, c store.Chain) {
	e, err := store.DecodeEntry([]byte(r.body))
	if err != nil {
		v.Unreadable(c, r.seq, err.Error())
		return
	}
	e.Hash = r.hash
	if c.Writer == "" {
		c = e.Chain() // its head is missing
	}
	if column := r.differs(&e); column != "" {
		v.Unreadable(c, e.Seq, "its "+column+" in the index differs from the entry")
		return
	}
	v.Next(c, &e)
}

// differs returns the name of an indexed column that differs from the entry, or "".
func (r *auditRow) differs(e *store.Entry) string {
	switch {
	case r.seq != e.Seq:
		return "number"
	case r.time != e.Time.UnixMilli():
		return "time"
	case r.id != e.ID:
		return "id"
	case text(r.event) != e.Event:
		return "event"
	case text(r.guideline) != e.Guideline:
		return "guideline"
	case text(r.session) != e.Session:
		return "session"
	case text(r.actor) != e.Actor:
		return "actor"
	}
	return ""
}

// text returns the text that a number stands for. If s is nil, the number has no text, and text returns one that no
// entry can have.
func text(s *string) string {
	if s == nil {
		return "\x00"
	}
	return *s
}
