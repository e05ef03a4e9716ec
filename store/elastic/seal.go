package elastic

import (
	"context"

	"guardrails/store"
)

// seal makes entries the next ones of the store's chains. Those whose id is there already become what is there; existed
// tells whether there were any.
func (s *Store) seal(ctx context.Context, t *transaction, entries []*store.Entry) (existed bool, err error) {
	there, err := s.sealed(ctx, t.from.Tenant, entries)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if had, known := there[e.ID]; known {
			*e, existed = had, true
			continue
		}
		if err := t.seal(s.writer, e); err != nil {
			return false, err
		}
		there[e.ID] = *e
	}
	return existed, nil
}

// sealed finds those of the entries that are there, by their ids.
func (s *Store) sealed(ctx context.Context, tenant string, entries []*store.Entry) (map[string]store.Entry, error) {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = entryID(tenant, e.ID)
	}
	docs, err := s.documents(ctx, auditIndex, ids)
	if err != nil {
		return nil, err
	}
	there := map[string]store.Entry{}
	for _, source := range docs {
		e, err := decodeEntry(source)
		if err != nil {
			return nil, err
		}
		there[e.ID] = e
	}
	return there, nil
}

// seal makes an entry the next one of its chain.
func (t *transaction) seal(writer string, e *store.Entry) error {
	h := t.head(store.Chain{Tenant: t.from.Tenant, Writer: writer, Kind: e.Kind})
	next, text, err := h.Seal(e)
	if err != nil {
		return err
	}
	doc, err := docOf(text, e.Hash)
	if err != nil {
		return err
	}
	*h = next
	return t.add(auditIndex, entryID(e.Tenant, e.ID), false, doc)
}

// head is the end of a chain, which begins when there is none.
func (t *transaction) head(c store.Chain) *store.Head {
	for i := range t.next.Heads {
		if t.next.Heads[i].Chain == c {
			return &t.next.Heads[i]
		}
	}
	t.next.Heads = append(t.next.Heads, store.Head{Chain: c})
	return &t.next.Heads[len(t.next.Heads)-1]
}
