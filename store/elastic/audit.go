package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// Query returns one page of the audit.
func (s *Store) Query(ctx context.Context, tenant string, q store.AuditQuery) (store.Page[store.Entry], error) {
	pager, err := store.NewPager[sortValues](q.Paging, "elastic audit", tenant, q.AuditFilter)
	if err != nil {
		return store.Page[store.Entry]{}, err
	}
	return read(ctx, s, tenant, func(ctx context.Context, j *journal) (store.Page[store.Entry], error) {
		if err := s.showEntries(ctx, j); err != nil {
			return store.Page[store.Entry]{}, err
		}
		preference := ""
		if pager.Place == nil { // later pages lack the newest entries anyway
			if preference, err = s.newestCopies(ctx, j); err != nil {
				return store.Page[store.Entry]{}, err
			}
		}
		return s.entriesPage(ctx, j, &q, &pager, preference)
	})
}

// newestCopies returns the search parameter "preference" for searches that must find the newest entries of a tenant. A
// node that is cut off from the other nodes has an old copy of the audit. The journal says which entry is the last one
// of each chain. If the copy of a node lacks such an entry, newestCopies asks the other nodes. If all copies lack the
// entry, it is lost, and the verification of the audit reports the loss.
func (s *Store) newestCopies(ctx context.Context, j *journal) (preference string, err error) {
	heads := j.headFilters()
	if len(heads) == 0 {
		return "", nil
	}
	for i := range s.client.Nodes() + 1 {
		preference = fmt.Sprint("copies-", j.Tenant, "-", i)
		r, err := s.search(ctx, &query{
			index: auditIndex, Query: matchAll(term("tenant_id", j.Tenant), tree{"bool": tree{"should": heads}}), Total: true,
			preference: preference,
		})
		if err != nil || r.Hits.Total.Value >= len(heads) {
			return preference, err
		}
		cluster.LeaveNode(ctx)
		if err := s.refresh(ctx, auditIndex); err != nil {
			return "", err
		}
	}
	return preference, nil
}

// headFilters returns a query for the last entry of each chain, for at most maxHeads chains.
func (j *journal) headFilters() (heads []tree) {
	for _, h := range j.Heads {
		if h.Seq > h.Base && len(heads) < maxHeads {
			heads = append(heads, matchAll(append(chainFilters(h.Chain), term("seq", h.Seq))...))
		}
	}
	return heads
}

// maxHeads limits the number of chains whose last entries are searched.
const maxHeads = 100

// entries() returns filters that match a tenant's entries. They exclude pruned entries, whose documents may still
// exist.
func (j *journal) entries() []tree {
	out := []tree{term("tenant_id", j.Tenant)}
	for _, h := range j.Heads {
		if h.Base > 0 {
			out = append(out, not(matchAll(append(chainFilters(h.Chain), span("seq", tree{"lte": h.Base}))...)))
		}
	}
	return out
}

// shownEntries returns filters that match the entries up to the heads of the journal. They exclude the entries of a
// pending transaction. These entries may be written already, but readers do not see the guidelines of the transaction
// yet.
func (j *journal) shownEntries() []tree {
	out, known := j.entries(), map[store.Chain]bool{}
	for _, h := range j.Heads {
		known[h.Chain] = true
		out = append(out, not(matchAll(append(chainFilters(h.Chain), span("seq", tree{"gt": h.Seq}))...)))
	}
	if j.Pending == nil {
		return out
	}
	for _, h := range j.Pending.Heads {
		if !known[h.Chain] {
			out = append(out, not(matchAll(chainFilters(h.Chain)...)))
		}
	}
	return out
}

// chainFilters returns filters that match the entries of a chain. The filters do not check the tenant.
func chainFilters(c store.Chain) []tree {
	return []tree{term("writer", c.Writer), term("kind", string(c.Kind))}
}

// entryFilters converts an audit filter into filters of a search request.
func entryFilters(f *store.AuditFilter) []tree {
	var out []tree
	for field, value := range map[string]string{
		"id": f.ID, "kind": string(f.Kind), "event_type": f.Event, "decision.result": f.Result, "guideline_id": f.Guideline,
		"actor": f.Actor, "session_id": f.Session, "project_id": f.Project, "context.agent": f.Agent, "mode": f.Mode,
	} {
		if value != "" {
			out = append(out, term(field, value))
		}
	}
	bounds := tree{"format": "epoch_millis"}
	if !f.From.IsZero() {
		bounds["gte"] = roundUp(f.From)
	}
	if !f.To.IsZero() {
		bounds["lt"] = roundUp(f.To)
	}
	if len(bounds) > 1 {
		out = append(out, span("timestamp", bounds))
	}
	return out
}

// roundUp returns a time in milliseconds. It rounds up, because the times of entries are rounded down.
func roundUp(t time.Time) int64 { return t.Add(time.Millisecond - 1).UnixMilli() }

// Export yields the entries that match a filter, oldest first.
func (s *Store) Export(ctx context.Context, tenant string, f store.AuditFilter) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		stopped := false
		_, err := read(ctx, s, tenant, func(ctx context.Context, j *journal) (struct{}, error) {
			if err := s.showEntries(ctx, j); err != nil {
				return struct{}{}, err
			}
			q := query{
				Query: matchAll(append(j.shownEntries(), entryFilters(&f)...)...),
				Sort:  order{}.by("timestamp", "asc").by("seq", "asc").by("id", "asc"),
			}
			return struct{}{}, s.withPIT(ctx, auditIndex, func(pit any) error {
				q.PIT = pit
				return s.eachDocument(ctx, q, func(source json.RawMessage) error {
					e, err := decodeEntry(source)
					if err != nil {
						return err
					}
					if stopped = !yield(e, nil); stopped {
						return errStopped
					}
					return nil
				})
			})
		})
		if err != nil && !stopped {
			yield(store.Entry{}, err)
		}
	}
}

// maxBatch is the maximum number of entries in one transaction.
const maxBatch = 2000

// Append adds entries to the audit.
func (s *Store) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	if err := s.calls.Begin(); err != nil {
		return nil, err
	}
	defer s.calls.End()
	sealed, err := store.PrepareAll(tenant, entries, s.now())
	if err != nil || len(entries) == 0 {
		return sealed, err
	}
	if err := s.append(ctx, tenant, sealed); err != nil {
		return nil, err
	}
	return sealed, nil
}

// append() adds entries, and returns when they are written or when ctx ends. All waiting appends share one transaction.
// The call that writes the transaction continues after its own ctx has ended, because other calls wait for the
// transaction.
func (s *Store) append(ctx context.Context, tenant string, entries []store.Entry) error {
	l := s.locks.of(tenant)
	own, leads, err := l.appends.Join(ctx, l.lock, store.Pointers(entries))
	if !leads {
		return err
	}
	s.calls.Fork()
	go func() {
		defer s.calls.End()
		defer func() { <-l.lock }()
		detached := context.WithoutCancel(ctx)
		_ = l.appends.Lead(own, maxBatch, func(entries []*store.Entry) error { // own.Wait returns the error
			return s.failure(detached, s.writeBatch(detached, tenant, entries))
		})
	}()
	return own.Wait(ctx)
}

func (s *Store) writeBatch(ctx context.Context, tenant string, entries []*store.Entry) error {
	return s.transact(ctx, tenant, func(ctx context.Context, j *journal) (*transaction, error) {
		t := s.begin(j)
		if _, err := s.seal(ctx, t, entries); err != nil || len(t.actions) == 0 {
			return nil, err
		}
		return t, nil
	})
}
