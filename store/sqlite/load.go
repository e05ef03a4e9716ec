package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"guardrails/guideline"
	"guardrails/store"
)

// Load takes a dump in, in one transaction: other writers wait until it is done.
func (s *Store) Load(ctx context.Context, tenant string, dump iter.Seq2[store.Record, error]) (store.Loaded, error) {
	if err := store.CheckTenant(tenant); err != nil {
		return store.Loaded{}, err
	}
	var loaded store.Loaded
	err := s.write(ctx, func(t *tx) error {
		l := &load{tx: t, Loading: store.NewLoading(tenant), dumped: map[store.Chain]*loadedChain{}}
		defer func() { loaded = l.done }()
		return l.all(ctx, tenant, dump)
	})
	if err != nil {
		return store.Loaded{}, err
	}
	return loaded, nil
}

// load is a dump on its way into the file.
type load struct {
	*tx
	*store.Loading
	tenant int64
	dumped map[store.Chain]*loadedChain
	done   store.Loaded
}

// loadedChain is a chain of the dump; had is what was there of it before.
type loadedChain struct {
	id        int64
	had, want store.Head
}

func (l *load) all(ctx context.Context, tenant string, dump iter.Seq2[store.Record, error]) (err error) {
	if l.tenant, err = l.number(tenant); err != nil {
		return err
	}
	for r, err := range dump {
		if err == nil && ctx.Err() != nil {
			err = store.Interrupted(ctx)
		}
		if err == nil {
			err = l.Next(r)
		}
		if err == nil {
			err = l.add(r)
		}
		if err != nil {
			return err
		}
	}
	if err := l.End(); err != nil {
		return err
	}
	return l.finish()
}

func (l *load) add(r store.Record) error {
	switch {
	case r.Head != nil:
		return l.addHead(*r.Head)
	case r.Entry != nil:
		return l.addEntry(r.Entry)
	default:
		return l.addRevision(r.Revision)
	}
}

func (l *load) addHead(h store.Head) error {
	c := &loadedChain{want: h, had: store.Head{Chain: h.Chain, Base: h.Base, BaseHash: h.BaseHash, Seq: h.Base, Hash: h.BaseHash}}
	l.dumped[h.Chain] = c
	find := l.row("SELECT id, seq, hash, base, base_hash FROM chain WHERE tenant = ? AND writer = ? AND kind = ?", l.tenant, h.Writer, string(h.Kind))
	err := find(&c.id, &c.had.Seq, &c.had.Hash, &c.had.Base, &c.had.BaseHash)
	if errors.Is(err, sql.ErrNoRows) {
		const begin = "INSERT INTO chain (tenant, writer, kind, seq, hash, base, base_hash) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id"
		return l.row(begin, l.tenant, h.Writer, string(h.Kind), h.Base, h.BaseHash, h.Base, h.BaseHash)(&c.id)
	}
	if err == nil && h.Base > c.had.Seq {
		return store.Errorf(store.Conflict, "the dump goes on at entry %d of the writer %s, and the database has %d of them; load an older dump first", h.Base+1, h.Writer, c.had.Seq)
	}
	return err
}

// addEntry adds an entry that is not there; what was pruned here stays away.
func (l *load) addEntry(e *store.Entry) error {
	c := l.dumped[e.Chain()]
	if c == nil {
		return store.Errorf(store.Invalid, "the dump has an entry of the writer %.140q, and no head of its chain; use a dump as it was written", e.Writer)
	}
	if e.Seq <= c.had.Base {
		return nil
	}
	bare := *e
	bare.Hash = ""
	text, err := store.EncodeEntry(&bare)
	if err != nil {
		return err
	}
	if e.Seq <= c.had.Seq {
		return l.sameEntry(c, e)
	}
	kept := *e
	added, err := l.tx.addEntry(&chain{id: c.id}, &kept, text)
	if err == nil && !added {
		err = clash("entry", e.ID)
	}
	l.done.Entries++
	return err
}

func (l *load) sameEntry(c *loadedChain, e *store.Entry) error {
	var id, hash string
	err := l.row("SELECT id, hash FROM entry WHERE chain = ? AND seq = ?", c.id, e.Seq)(&id, &hash)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (id != e.ID || hash != e.Hash) {
		return clash("entry", e.ID)
	}
	return err
}

func (l *load) addRevision(r *store.Revision) error {
	g := &r.Guideline
	body, err := guideline.Encode(g)
	if err != nil {
		return err
	}
	had, err := one(l.store, l.row(revisionsOfOne+" AND version = ?", l.tenant, g.ID, g.Version))
	if err != nil {
		return err
	}
	if had != nil {
		return sameRevision(had, r)
	}
	l.done.Revisions++
	_, err = l.insertRevision(l.tenant, r, string(body))
	return err
}

func sameRevision(had, r *store.Revision) error {
	one, err := had.Digest()
	if err != nil {
		return err
	}
	if other, err := r.Digest(); err != nil || one != other {
		return errors.Join(err, clash("guideline", r.Guideline.ID))
	}
	return nil
}

func clash(what, id string) error {
	return store.Errorf(store.Conflict, "the database has another %s %s than the dump; load it into a database without the tenant", what, id)
}

// finish moves the chains' ends and lists the newest versions.
func (l *load) finish() error {
	for _, c := range l.dumped {
		if c.want.Seq <= c.had.Seq {
			continue
		}
		if _, err := l.exec("UPDATE chain SET seq = ?, hash = ? WHERE id = ?", c.want.Seq, c.want.Hash, c.id); err != nil {
			return err
		}
	}
	for id := range l.Newest() {
		if err := l.relist(id); err != nil {
			return err
		}
	}
	if l.done.Revisions == 0 {
		return nil
	}
	return l.nextGeneration(l.tenant)
}

// relist makes the newest version of a guideline the one that is read.
func (l *load) relist(id string) error {
	var row int64
	if err := l.row("SELECT row FROM revision WHERE tenant = ? AND id = ? ORDER BY version DESC LIMIT 1", l.tenant, id)(&row); err != nil {
		return err
	}
	newest, err := one(l.store, l.row(newestRevision, l.tenant, id))
	if err != nil {
		return err
	}
	return l.list(l.tenant, row, newest)
}
