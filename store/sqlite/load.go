package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"guardrails/guideline"
	"guardrails/store"
)

// Load adds a dump in one transaction. Other writers wait until the transaction ends.
func (s *Store) Load(ctx context.Context, tenant string, dump iter.Seq2[store.Record, error]) (store.Loaded, error) {
	if err := store.CheckTenant(tenant); err != nil {
		return store.Loaded{}, err
	}
	var loaded store.Loaded
	err := s.write(ctx, func(t *tx) error {
		l := &load{tx: t, Loading: store.NewLoading(tenant), ids: map[store.Chain]int64{}}
		defer func() { loaded = l.Done }()
		return l.all(ctx, tenant, dump)
	})
	if err != nil {
		return store.Loaded{}, err
	}
	return loaded, nil
}

// The type "load" is the state of one call of Load. The keys of the map "ids" are the chains of the dump. The values
// are the ids of these chains in the file.
type load struct {
	*tx
	*store.Loading
	tenant int64
	// The field "writer" is the name of the file's own writer.
	writer string
	ids    map[store.Chain]int64
}

func (l *load) all(ctx context.Context, tenant string, dump iter.Seq2[store.Record, error]) (err error) {
	if l.tenant, err = l.number(tenant); err != nil {
		return err
	}
	if err := l.row("SELECT name FROM identity")(&l.writer); err != nil {
		return err
	}
	if err := l.Each(ctx, dump, l.add); err != nil {
		return err
	}
	if err := l.End(); err != nil {
		return err
	}
	return l.finish()
}

func (l *load) add(r store.Record) error {
	switch {
	case r.Head != nil:
		return l.addHead(l.Chains[r.Head.Chain])
	case r.Entry != nil:
		return l.addEntry(r.Entry)
	default:
		return l.addRevision(r.Revision)
	}
}

func (l *load) addHead(c *store.LoadedChain) error {
	h, id := c.Had, int64(0)
	const find = "SELECT id, seq, hash, base, base_hash FROM chain WHERE tenant = ? AND writer = ? AND kind = ?"
	err := l.row(find, l.tenant, h.Writer, string(h.Kind))(&id, &h.Seq, &h.Hash, &h.Base, &h.BaseHash)
	if errors.Is(err, sql.ErrNoRows) {
		const insert = "INSERT INTO chain (tenant, writer, kind, seq, hash, base, base_hash) " +
			"VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id"
		err = l.row(insert, l.tenant, h.Writer, string(h.Kind), h.Base, h.BaseHash, h.Base, h.BaseHash)(&id)
	}
	l.ids[h.Chain] = id
	if err != nil {
		return err
	}
	return c.Follows(h)
}

// addEntry adds an entry if the store does not have it yet. It does not add entries that the store has pruned.
func (l *load) addEntry(e *store.Entry) error {
	c := l.Chains[e.Chain()]
	switch {
	case e.Seq <= c.Had.Base:
		return nil
	case e.Seq <= c.Had.Seq:
		return l.checkEntry(e)
	}
	text, err := e.Sealed()
	if err != nil {
		return err
	}
	added := *e
	isNew, err := l.tx.addEntry(&chain{id: l.ids[e.Chain()]}, &added, text)
	if err == nil && !isNew {
		err = store.Clash("entry", e.ID)
	}
	l.Done.Entries++
	return err
}

func (l *load) checkEntry(e *store.Entry) error {
	var id, hash string
	err := l.row("SELECT id, hash FROM entry WHERE chain = ? AND seq = ?", l.ids[e.Chain()], e.Seq)(&id, &hash)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (id != e.ID || hash != e.Hash) {
		return store.Clash("entry", e.ID)
	}
	return err
}

func (l *load) addRevision(r *store.Revision) error {
	g := &r.Guideline
	body, err := guideline.Encode(g)
	if err != nil {
		return err
	}
	had, err := scanOptional(l.store, l.row(revisionsOfOne+" AND version = ?", l.tenant, store.KeyOf(g), g.Version))
	if err != nil {
		return err
	}
	if had != nil {
		return r.Same(had)
	}
	l.Added(r, l.writer)
	_, err = l.insertRevision(l.tenant, r, string(body))
	return err
}

// finish() updates the heads of the chains, makes the newest versions visible to readers, stores an empty result for
// each write that the store did not have, and increases the generation.
func (l *load) finish() error {
	for name, c := range l.Chains {
		if !c.Grows() {
			continue
		}
		const update = "UPDATE chain SET seq = ?, hash = ? WHERE id = ?"
		if _, err := l.exec(update, c.Want.Seq, c.Want.Hash, l.ids[name]); err != nil {
			return err
		}
	}
	for key := range l.Newest() {
		if err := l.relist(key); err != nil {
			return err
		}
	}
	for _, id := range l.OwnWrites() {
		const insert = "INSERT INTO written (tenant, id, fingerprint, result) VALUES (?, ?, '', '') ON CONFLICT DO NOTHING"
		if _, err := l.exec(insert, l.tenant, id); err != nil {
			return err
		}
	}
	if n := l.Generations(); n > 0 {
		return l.addGenerations(l.tenant, n)
	}
	return nil
}

// relist() makes the newest version of a guideline visible to readers.
func (l *load) relist(key string) error {
	var row int64
	const find = "SELECT row FROM revision WHERE tenant = ? AND id = ? ORDER BY version DESC LIMIT 1"
	if err := l.row(find, l.tenant, key)(&row); err != nil {
		return err
	}
	newest, err := scanOptional(l.store, l.row(newestRevision, l.tenant, key))
	if err != nil {
		return err
	}
	return l.list(l.tenant, row, newest)
}
