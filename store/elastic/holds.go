package elastic

import (
	"context"

	"guardrails/store"
)

// Holds checks whether the store has the entries of the given heads. It returns the heads whose entries are missing or
// differ.
func (s *Store) Holds(ctx context.Context, tenant string, heads ...store.Head) ([]store.Head, error) {
	return read(ctx, s, tenant, func(ctx context.Context, j *journal) (missing []store.Head, err error) {
		for _, h := range heads {
			held, err := s.hasHead(ctx, j, h)
			if err != nil {
				return nil, err
			}
			if !held {
				missing = append(missing, h)
			}
		}
		return missing, nil
	})
}

// hasHead reports whether the audit has the entry of a head. For the newest entry of a chain, it asks the journal,
// because searches do not always see this entry yet.
func (s *Store) hasHead(ctx context.Context, j *journal, h store.Head) (bool, error) {
	for _, now := range j.Heads {
		switch {
		case now.Chain != h.Chain:
		case h.Seq >= now.Seq || h.Seq <= now.Base:
			return h.Seq < now.Seq || h.Seq == now.Seq && h.Hash == now.Hash, nil
		default:
			return s.finds(ctx, h)
		}
	}
	return false, nil
}

func (s *Store) finds(ctx context.Context, h store.Head) (bool, error) {
	q := query{
		index: auditIndex, Size: 1, Source: []string{"hash"},
		Query: matchAll(append(chainFilters(h.Chain), term("tenant_id", h.Tenant), term("seq", h.Seq))...),
	}
	for _, refreshed := range []bool{false, true} {
		if refreshed {
			if err := s.refresh(ctx, auditIndex); err != nil {
				return false, err
			}
		}
		var e struct {
			Hash string `json:"hash"`
		}
		if err := s.first(ctx, &q, &e); err != nil || e.Hash != "" {
			return e.Hash == h.Hash, err
		}
	}
	return false, nil
}
