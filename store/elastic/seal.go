package elastic

import (
	"context"

	"guardrails/store"
)

// seal() adds entries to the chains of the store. If the store already has an entry with the same id, the method
// overwrites the given entry with the stored entry. The result "existed" is true if the store already had at least one
// of the entries.
func (s *Store) seal(ctx context.Context, t *transaction, entries []*store.Entry) (existed bool, err error) {
	existing, err := s.existingEntries(ctx, t.from, entries)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if had, known := existing[e.ID]; known {
			*e, existed = had, true
			continue
		}
		if err := t.seal(s.writer, e); err != nil {
			return false, err
		}
		existing[e.ID] = *e
	}
	return existed, nil
}

// existingEntries returns the stored entries that have the ids of the given entries. It ignores pruned entries. If the
// document of a pruned entry is still in a segment, existingEntries deletes the document, so that a new entry can have
// the same id.
func (s *Store) existingEntries(
	ctx context.Context, j *journal, entries []*store.Entry,
) (map[string]store.Entry, error) {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = entryID(j.Tenant, e.ID)
	}
	docs, err := s.findEntries(ctx, j, ids)
	if err != nil {
		return nil, err
	}
	existing := map[string]store.Entry{}
	for _, d := range docs {
		e, err := decodeEntry(d.Source)
		if err != nil {
			return nil, err
		}
		if e.Seq > baseOf(j.Heads, e.Chain()) {
			existing[e.ID] = e
		} else if err := s.deleteDocument(ctx, &d); err != nil {
			return nil, err
		}
	}
	return existing, nil
}

// seal() adds an entry to its chain.
func (t *transaction) seal(writer string, e *store.Entry) error {
	h := t.head(store.Chain{Tenant: t.from.Tenant, Writer: writer, Kind: e.Kind})
	next, text, err := h.Seal(e)
	if err != nil {
		return err
	}
	doc, err := docOf(text, e)
	if err != nil {
		return err
	}
	*h = next
	t.actions = append(t.actions, action{t.indexOf(e.Kind), entryID(e.Tenant, e.ID), false, doc})
	return nil
}

// head() returns the head of a chain. It adds the chain if the tenant does not have it yet.
func (t *transaction) head(c store.Chain) *store.Head {
	for i := range t.next.Heads {
		if t.next.Heads[i].Chain == c {
			return &t.next.Heads[i]
		}
	}
	t.next.Heads = append(t.next.Heads, store.Head{Chain: c})
	return &t.next.Heads[len(t.next.Heads)-1]
}
