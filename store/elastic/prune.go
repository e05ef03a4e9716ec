package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// pruneBatch is how many documents one request deletes.
const pruneBatch = 5000

// Prune deletes old decisions. First, one transaction moves the beginnings of the chains and records the pruning in the
// audit. From then on, readers no longer see the old decisions. Finally, Prune deletes the documents of these
// decisions.
func (s *Store) Prune(ctx context.Context, w store.Write, r store.Retention) (int64, error) {
	if err := errors.Join(w.Validate(), r.Validate()); err != nil {
		return 0, s.failure(ctx, err)
	}
	return write(ctx, s, w.Tenant, func(ctx context.Context) (deleted int64, err error) {
		var earlier []store.Head
		p := store.Planner{Write: w, Now: s.now()}
		err = s.transact(ctx, w.Tenant, func(ctx context.Context, j *journal) (*transaction, error) {
			earlier = j.Heads
			cuts, err := s.findCuts(ctx, j, r, p.Now)
			if err != nil || len(cuts) == 0 {
				return nil, err
			}
			t := s.begin(j)
			deleted = t.cut(cuts)
			return t, s.recordPruning(ctx, t, p, cuts)
		})
		if err != nil {
			return 0, err
		}
		return deleted, s.deletePruned(ctx, w.Tenant, earlier)
	})
}

// findCuts finds the last entry to delete in every chain that has old decisions.
func (s *Store) findCuts(
	ctx context.Context, j *journal, r store.Retention, now time.Time,
) (cuts []store.Pruning, err error) {
	if len(j.Heads) == 0 {
		return nil, nil
	}
	if err := s.refresh(ctx, auditIndex); err != nil {
		return nil, err
	}
	before, err := s.keepSince(ctx, j, r)
	if err != nil {
		return nil, err
	}
	for _, h := range j.Heads {
		if h.Kind != store.KindDecision {
			continue
		}
		cut := store.NewCut(h.Writer, before, now)
		if err := s.findCut(ctx, j, h.Chain, cut); err != nil {
			return nil, err
		}
		if cut.Seq > 0 {
			cuts = append(cuts, cut.Pruning)
		}
	}
	return cuts, nil
}

// keepSince returns the time of the oldest entries to keep. The result is the later of two times: r.Before, and the
// time of the oldest entry among the newest r.Keep entries.
func (s *Store) keepSince(ctx context.Context, j *journal, r store.Retention) (time.Time, error) {
	if r.Keep == 0 {
		return r.Before, nil
	}
	q := query{
		index: auditIndex, Query: matchAll(j.entries()...), Source: []string{"timestamp"},
		Sort: order{}.by("timestamp", "desc").by("seq", "desc").by("id", "desc"),
	}
	var err error
	if q.After, err = s.skip(ctx, q, r.Keep-1); err != nil {
		return r.Before, err
	}
	q.Size = 1
	found, err := s.search(ctx, &q)
	if err != nil || len(found.Hits.Hits) == 0 {
		return r.Before, err
	}
	var last struct {
		Time time.Time `json:"timestamp"`
	}
	if err := json.Unmarshal(found.Hits.Hits[0].Source, &last); err != nil || last.Time.Before(r.Before) {
		return r.Before, err
	}
	return last.Time, nil
}

// findCut passes the entries of a chain to a store.Cut, the oldest first, until the store.Cut has found the last entry
// to delete.
func (s *Store) findCut(ctx context.Context, j *journal, c store.Chain, cut *store.Cut) error {
	q := query{
		index: auditIndex, Query: matchAll(append(j.entries(), chainFilters(c)...)...),
		Source: []string{"seq", "timestamp", "hash"}, Sort: order{}.by("seq", "asc"),
	}
	err := s.eachDocument(ctx, q, func(source json.RawMessage) error {
		var e struct {
			Seq  int64     `json:"seq"`
			Time time.Time `json:"timestamp"`
			Hash string    `json:"hash"`
		}
		if err := json.Unmarshal(source, &e); err != nil {
			return err
		}
		if !cut.Next(e.Seq, e.Time.UnixMilli(), e.Hash) {
			return errStopped
		}
		return nil
	})
	if errors.Is(err, errStopped) {
		return nil
	}
	return err
}

// cut() moves the beginning of each chain to the entry after the last entry that must be deleted. It returns the number
// of entries that the chains lose.
func (t *transaction) cut(cuts []store.Pruning) (deleted int64) {
	for _, c := range cuts {
		h := t.head(store.Chain{Tenant: t.from.Tenant, Writer: c.Writer, Kind: store.KindDecision})
		deleted += c.Seq - h.Base
		h.Base, h.BaseHash = c.Seq, c.Hash
	}
	return deleted
}

// recordPruning adds an audit entry for each chain that is about to be pruned.
func (s *Store) recordPruning(ctx context.Context, t *transaction, p store.Planner, cuts []store.Pruning) error {
	entries := make([]*store.Entry, len(cuts))
	for i := range cuts {
		e := p.Prune(cuts[i])
		entries[i] = &e
	}
	existed, err := s.seal(ctx, t, entries)
	if err == nil && existed {
		err = store.Reused(p.Write.ID)
	}
	return err
}

// deletePruned deletes the documents of pruned entries, including those that an interrupted pruning left behind. It
// usually leaves the documents in segments, because Maintain removes a whole segment when all decisions in it were
// pruned. There is one exception: an earlier pruning covered all entries of a chain in a segment, but the segment still
// exists, because other tenants need it. In this case, deletePruned deletes the documents of the chain from the
// segment. The parameter "earlier" has the heads from before this pruning.
func (s *Store) deletePruned(ctx context.Context, tenant string, earlier []store.Head) error {
	j, err := s.journalForReaders(ctx, tenant)
	if err != nil {
		return err
	}
	for _, h := range j.Heads {
		if h.Base == 0 {
			continue
		}
		pruned := append(chainFilters(h.Chain), term("tenant_id", tenant), span("seq", tree{"lte": h.Base}))
		if _, err := s.deleteDocuments(ctx, s.indices.single(auditIndex), matchAll(pruned...)); err != nil {
			return err
		}
		if err := s.deleteFromSegments(ctx, h.Chain, baseOf(earlier, h.Chain)); err != nil {
			return err
		}
	}
	return nil
}

// deleteFromSegments deletes the pruned entries of a chain, but only from segments in which the chain has no other
// entries. The parameter "base" is the number of the last pruned entry.
func (s *Store) deleteFromSegments(ctx context.Context, c store.Chain, base int64) error {
	if !s.indices.split || base == 0 {
		return nil
	}
	entries := matchAll(append(chainFilters(c), term("tenant_id", c.Tenant))...)
	var answer struct {
		Aggregations struct {
			Indices struct {
				Buckets []struct {
					Name string `json:"key"`
					Last struct {
						Value float64 `json:"value"`
					} `json:"last"`
				} `json:"buckets"`
			} `json:"indices"`
		} `json:"aggregations"`
	}
	if err := s.aggregate(ctx, auditIndex, tree{"size": 0, "query": entries, "aggs": tree{"indices": tree{
		"terms": tree{"field": "_index", "size": maxItems}, "aggs": tree{"last": tree{"max": tree{"field": "seq"}}},
	}}}, &answer); err != nil {
		return err
	}
	// A writer may append entries while the segment is searched, so the query for the deletion has the limit, too.
	pruned := matchAll(append(chainFilters(c), term("tenant_id", c.Tenant), span("seq", tree{"lte": base}))...)
	for _, index := range answer.Aggregations.Indices.Buckets {
		if int64(index.Last.Value) > base {
			continue
		}
		if _, err := s.deleteDocuments(ctx, index.Name, pruned); err != nil {
			return err
		}
	}
	return nil
}

// deleteDocuments deletes the documents of an index that match a query, and returns the number of deleted documents.
func (s *Store) deleteDocuments(ctx context.Context, index string, query tree) (deleted int64, err error) {
	body, err := json.Marshal(tree{"query": query})
	if err != nil {
		return 0, err
	}
	size, yes := pruneBatch, true
	for {
		var answer struct {
			Deleted int `json:"deleted"`
		}
		err := s.client.Do(ctx, func() esapi.Request {
			return esapi.DeleteByQueryRequest{
				Index: []string{index}, Body: strings.NewReader(string(body)), Conflicts: "proceed",
				MaxDocs: &size, Refresh: &yes,
			}
		}, &answer)
		if deleted += int64(answer.Deleted); err != nil || answer.Deleted < pruneBatch {
			return deleted, err
		}
	}
}
