package elastic

import (
	"context"
	"errors"
	"iter"

	"guardrails/store"
)

// Load takes a dump in, as one transaction. Other writers of the tenant in this process wait until it is done.
func (s *Store) Load(ctx context.Context, tenant string, dump iter.Seq2[store.Record, error]) (store.Loaded, error) {
	leave, err := s.enter(ctx, tenant)
	if err != nil {
		return store.Loaded{}, err
	}
	l, err := s.stage(ctx, tenant, dump)
	if err != nil {
		leave()
		return store.Loaded{}, s.failure(ctx, err)
	}
	return finish(ctx, s, leave, func(ctx context.Context) (store.Loaded, error) {
		if l.isEmpty() {
			return l.Done, nil
		}
		err := s.commit(ctx, l.transaction)
		if errors.Is(err, errMoved) {
			err = store.Errorf(store.Unavailable, "the tenant was changed while the dump was loaded; load it again")
		}
		if err != nil {
			return store.Loaded{}, err
		}
		return l.Done, nil
	})
}

// load is a dump on its way into the store.
type load struct {
	*transaction
	*store.Loading
	store *Store
	// entries and revisions wait to be compared with what is there.
	entries   []*store.Entry
	revisions []*store.Revision
	// before are the newest versions, of the dump or of the store.
	before map[string]*kept
}

// stage reads a dump, checks it, compares it with what is there, and puts what is new where it can be carried out.
func (s *Store) stage(ctx context.Context, tenant string, dump iter.Seq2[store.Record, error]) (*load, error) {
	j, err := s.ready(ctx, tenant)
	if err != nil {
		return nil, err
	}
	l := &load{transaction: s.begin(j), Loading: store.NewLoading(tenant), store: s, before: map[string]*kept{}}
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
	return nil
}

func (l *load) take(ctx context.Context, r store.Record) error {
	switch {
	case r.Head != nil:
		return l.addHead(l.Chains[r.Head.Chain])
	case r.Entry != nil:
		if l.entries = append(l.entries, r.Entry); len(l.entries) >= batch {
			return l.addEntries(ctx)
		}
	default:
		if l.revisions = append(l.revisions, r.Revision); len(l.revisions) >= batch {
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

// moveHeads moves the chains' ends to those of the dump.
func (l *load) moveHeads() {
	for chain, c := range l.Chains {
		h := l.head(chain)
		if *h = c.Had; c.Grows() {
			h.Seq, h.Hash = c.Want.Seq, c.Want.Hash
		}
	}
	if l.Done.Revisions > 0 {
		l.next.Generation++
	}
}

// isEmpty tells whether all of the dump was there.
func (l *load) isEmpty() bool {
	return l.Done == (store.Loaded{}) && len(l.next.Heads) == len(l.from.Heads)
}
