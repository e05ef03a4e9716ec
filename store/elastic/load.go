package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"guardrails/store"
)

// Load adds a dump in one transaction. Other writers of the tenant in this process wait until the transaction ends.
func (s *Store) Load(ctx context.Context, tenant string, dump iter.Seq2[store.Record, error]) (store.Loaded, error) {
	release, err := s.acquire(ctx, tenant)
	if err != nil {
		return store.Loaded{}, err
	}
	l, err := s.stage(ctx, tenant, dump)
	if err != nil {
		release()
		return store.Loaded{}, s.failure(ctx, err)
	}
	return finish(ctx, s, release, func(ctx context.Context) (store.Loaded, error) {
		if l.isEmpty() {
			return l.Done, nil
		}
		err := s.commit(ctx, l.transaction)
		if errors.Is(err, errConflict) {
			err = store.Errorf(store.Unavailable, "the tenant changed while the dump was loaded; load it again")
		}
		if err != nil {
			return store.Loaded{}, err
		}
		return l.Done, nil
	})
}

// The type "load" is the state of one call of Load.
type load struct {
	*transaction
	*store.Loading
	store *Store
	// The fields "entries" and "revisions" have the records that have not been compared with the store yet.
	entries   []*store.Entry
	revisions []*store.Revision
	// The map "before" has the newest version of each guideline, from the dump or from the store. Its keys are the keys of
	// the guidelines.
	before map[string]*storedRevision
}

// stage() reads and checks a dump, compares it with the store, and plans a transaction with the new records.
func (s *Store) stage(ctx context.Context, tenant string, dump iter.Seq2[store.Record, error]) (*load, error) {
	j, err := s.ready(ctx, tenant)
	if err != nil {
		return nil, err
	}
	if err := s.checkWritable(ctx, j); err != nil {
		return nil, err
	}
	l := &load{transaction: s.begin(j), Loading: store.NewLoading(tenant), store: s, before: map[string]*storedRevision{}}
	if err := l.all(ctx, dump); err != nil {
		return nil, errors.Join(err, s.dropParts(context.WithoutCancel(ctx), tenant, &l.next))
	}
	return l, nil
}

func (l *load) all(ctx context.Context, dump iter.Seq2[store.Record, error]) error {
	if err := l.Each(ctx, dump, func(r store.Record) error { return l.take(ctx, r) }); err != nil {
		return err
	}
	if err := errors.Join(l.addEntries(ctx), l.addRevisions(ctx)); err != nil {
		return err
	}
	if err := l.End(); err != nil {
		return err
	}
	l.moveHeads()
	return l.addResults(ctx)
}

func (l *load) take(ctx context.Context, r store.Record) error {
	switch {
	case r.Head != nil:
		return l.addHead(l.Chains[r.Head.Chain])
	case r.Entry != nil:
		if l.entries = append(l.entries, r.Entry); len(l.entries) >= batchSize {
			return l.addEntries(ctx)
		}
	default:
		if l.revisions = append(l.revisions, r.Revision); len(l.revisions) >= batchSize {
			return l.addRevisions(ctx)
		}
	}
	return nil
}

func (l *load) addHead(c *store.LoadedChain) error {
	had := c.Had
	for _, there := range l.from.Heads {
		if there.Chain == had.Chain {
			had = there
		}
	}
	return c.Follows(had)
}

// moveHeads moves the heads of the chains forward to the heads in the dump, and increases the generation.
func (l *load) moveHeads() {
	for chain, c := range l.Chains {
		h := l.head(chain)
		if *h = c.Had; c.Grows() {
			h.Seq, h.Hash = c.Want.Seq, c.Want.Hash
		}
	}
	if l.Done.Revisions > 0 {
		l.next.Generation = l.generation()
	}
}

// generation() returns the generation that all loaded revisions get. Each write that made changes has increased the
// generation by one. If an older copy has replaced the store, a server may have seen a higher generation before the
// replacement. The result is higher than every generation that a server can have seen. Every server therefore reads all
// loaded revisions.
func (l *load) generation() int64 { return l.from.Generation + max(1, l.Ahead()) }

// addResults adds an empty result for each loaded write whose result is not in the store. The results are empty because
// a dump does not contain results.
func (l *load) addResults(ctx context.Context) error {
	writes := l.OwnWrites()
	ids := make([]string, len(writes))
	for i, id := range writes {
		ids[i] = documentID(kindWritten, l.from.Tenant, id)
	}
	existing, err := l.store.documents(ctx, stateIndex, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if existing[id] != nil {
			continue
		}
		doc := writeResult{Kind: kindWritten, Tenant: l.from.Tenant, Result: json.RawMessage("{}")}
		if err := l.add(stateIndex, id, false, doc); err != nil {
			return err
		}
	}
	return l.flush(ctx)
}

// isEmpty reports whether the load has nothing left to write, because the store already has every record of the dump.
func (l *load) isEmpty() bool {
	return l.Done == (store.Loaded{}) && len(l.next.Heads) == len(l.from.Heads)
}

// addEntries adds the collected entries that the store does not have. It does not add entries that the store has
// pruned.
func (l *load) addEntries(ctx context.Context) error {
	entries := l.entries
	l.entries = nil
	existing, err := l.store.existingEntries(ctx, l.from, entries)
	if err != nil {
		return err
	}
	for _, e := range entries {
		had, known := existing[e.ID]
		if err := l.addEntry(e, had, known); err != nil {
			return err
		}
	}
	return l.flush(ctx)
}

func (l *load) addEntry(e *store.Entry, had store.Entry, known bool) error {
	c := l.Chains[e.Chain()]
	switch {
	case e.Seq <= c.Had.Base:
		return nil
	case e.Seq <= c.Had.Seq && known && had.Hash == e.Hash && had.Seq == e.Seq && had.Chain() == e.Chain():
		return nil
	case e.Seq <= c.Had.Seq || known:
		return store.Clash("entry", e.ID)
	}
	text, err := e.Sealed()
	if err != nil {
		return err
	}
	doc, err := docOf(text, e)
	if err != nil {
		return err
	}
	l.Done.Entries++
	return l.add(l.indexOf(e.Kind), entryID(e.Tenant, e.ID), false, doc)
}

// addRevisions adds the collected revisions that the store does not have.
func (l *load) addRevisions(ctx context.Context) error {
	revisions := l.revisions
	l.revisions = nil
	ids, names := make([]string, len(revisions)), make([]string, len(revisions))
	for i, r := range revisions {
		names[i] = store.KeyOf(&r.Guideline)
		ids[i] = revisionID(l.from.Tenant, names[i], r.Guideline.Version)
	}
	existing, err := l.store.documents(ctx, configIndex, ids)
	if err != nil {
		return err
	}
	if err := l.lookUp(ctx, names); err != nil {
		return err
	}
	for i, r := range revisions {
		if source, known := existing[ids[i]]; known {
			had, err := l.store.decodeRevision(source)
			if err := errors.Join(err, r.Same(&had.Revision)); err != nil {
				return err
			}
			continue
		}
		if err := l.addLoaded(r); err != nil {
			return err
		}
	}
	return l.flush(ctx)
}

// lookUp reads the newest versions of guidelines into the map "before". It skips the guidelines that are already in the
// map.
func (l *load) lookUp(ctx context.Context, names []string) error {
	var unknown []string
	for _, name := range names {
		if _, known := l.before[name]; !known {
			l.before[name] = nil
			unknown = append(unknown, name)
		}
	}
	newest, err := l.store.newest(ctx, l.from, unknown...)
	for name, k := range newest {
		l.before[name] = k
	}
	return err
}

// addLoaded adds a revision that replaces the newest version of its guideline. Readers see all loaded revisions at
// once, when the journal reaches their highest generation.
func (l *load) addLoaded(r *store.Revision) error {
	g := &r.Guideline
	key := store.KeyOf(g)
	before := l.before[key]
	if before != nil && before.Guideline.Version >= g.Version {
		return store.Clash("guideline", key)
	}
	l.Added(r, l.store.writer)
	next := &storedRevision{*r, l.generation(), 0}
	l.before[key] = next
	if before != nil {
		old := *before
		old.superseded = next.generation
		if err := l.addRevision(&old, true); err != nil {
			return err
		}
	}
	return l.addRevision(next, false)
}

// flush() stores the actions as parts if they are too large for one part.
func (l *load) flush(ctx context.Context) error {
	parts := portions(l.actions)
	if len(parts) < 2 {
		return nil
	}
	for _, actions := range parts {
		if err := l.store.addPart(ctx, l.transaction, actions); err != nil {
			return err
		}
	}
	l.actions = nil
	return nil
}
