package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// dropPruned removes the oldest segments if all of their decisions were pruned. The newest segment stays.
func (s *Store) dropPruned(ctx context.Context, list *segments) error {
	if err := s.dropLeftovers(ctx, list); err != nil {
		return err
	}
	for len(list.List.Segments) > 1 {
		dropped, err := s.dropOldest(ctx, list)
		if err != nil || !dropped {
			return err
		}
	}
	return nil
}

// dropOldest removes the oldest segment if all of its decisions were pruned. During this check, the segment is
// read-only. Otherwise, a transaction that was planned long ago could still write to the segment.
func (s *Store) dropOldest(ctx context.Context, list *segments) (dropped bool, err error) {
	alias := segmentIndex(list.List.Segments[0].Number)
	if pruned, err := s.newestIsPruned(ctx, alias); err != nil || !pruned {
		return false, err
	}
	name, _, err := s.lookup(ctx, s.indices.name(alias))
	if err != nil {
		return false, err
	}
	if name == "" {
		return false, s.lost([]string{s.indices.name(alias)}, []string{s.indices.name(stateIndex)})
	}
	if err := s.protect(ctx, name); err != nil {
		return false, err
	}
	err = s.sendRefresh(ctx, alias) // searches must see the last entries that were written
	pruned := false
	if err == nil {
		pruned, err = s.isPruned(ctx, alias)
	}
	if err != nil || !pruned {
		return false, errors.Join(err, s.unprotect(ctx, name))
	}
	return s.drop(ctx, list, name)
}

// drop() removes the oldest segment from the list, and then deletes its index. If the method is interrupted between
// these two steps, the index remains until dropLeftovers deletes it. Readers ignore the entries in this index, because
// all of them were pruned.
func (s *Store) drop(ctx context.Context, list *segments, name string) (bool, error) {
	list.List.Segments = slices.Clone(list.List.Segments[1:])
	err := s.writeSegments(ctx, list)
	if cluster.IsRefusal(err, http.StatusConflict) {
		return false, s.unprotect(ctx, name) // another process has changed the segments
	}
	if err != nil {
		return false, err
	}
	return true, s.deleteIndex(ctx, name)
}

// dropLeftovers removes the indices of segments that are no longer in the list, because a process was interrupted after
// it removed them from the list.
func (s *Store) dropLeftovers(ctx context.Context, list *segments) error {
	there, err := s.findIndices(ctx)
	if err != nil {
		return err
	}
	for alias, names := range there {
		number := segmentNumber(strings.TrimPrefix(alias, s.indices.prefix))
		if number == 0 || number >= list.List.Next || list.List.has(number) {
			continue
		}
		if err := s.deleteIndex(ctx, names[0]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) deleteIndex(ctx context.Context, name string) error {
	return s.client.Do(ctx, func() esapi.Request { return esapi.IndicesDeleteRequest{Index: []string{name}} }, nil)
}

// newestIsPruned reports whether the latest decision of a segment was pruned. It also returns true if the segment is
// empty. If the result is false, the segment must stay, and the caller need not look at the other decisions.
func (s *Store) newestIsPruned(ctx context.Context, alias string) (bool, error) {
	q := query{
		index: alias, Query: tree{"match_all": tree{}}, Sort: order{}.by("timestamp", "desc"), Size: 1,
		Source: []string{"tenant_id", "writer", "kind", "seq"},
	}
	var newest struct {
		store.Head
		Tenant string `json:"tenant_id"`
	}
	if err := s.first(ctx, &q, &newest); err != nil || newest.Seq == 0 {
		return err == nil, err
	}
	newest.Head.Tenant = newest.Tenant
	return s.arePruned(ctx, newest.Head)
}

// isPruned reports whether all decisions of a segment were pruned.
func (s *Store) isPruned(ctx context.Context, alias string) (bool, error) {
	var after json.RawMessage
	for {
		newest, next, err := s.newestOfChains(ctx, alias, after)
		if err != nil || len(newest) == 0 {
			return err == nil, err
		}
		if pruned, err := s.arePruned(ctx, newest...); err != nil || !pruned {
			return false, err
		}
		after = next
	}
}

// newestOfChains returns the newest entry of each chain in a segment. Each call returns the entries of only some of the
// chains. In the first call, pass nil for the last parameter. In each later call, pass the second result of the
// previous call. When all chains were read, the returned list of entries is empty.
func (s *Store) newestOfChains(
	ctx context.Context, alias string, after json.RawMessage,
) (newest []store.Head, next json.RawMessage, err error) {
	chains := tree{"size": maxItems, "sources": []tree{
		{"tenant": tree{"terms": tree{"field": "tenant_id"}}},
		{"writer": tree{"terms": tree{"field": "writer"}}},
		{"kind": tree{"terms": tree{"field": "kind"}}},
	}}
	if after != nil {
		chains["after"] = after
	}
	var answer struct {
		Aggregations struct {
			Chains struct {
				After   json.RawMessage `json:"after_key"`
				Buckets []struct {
					Key struct {
						Tenant string     `json:"tenant"`
						Writer string     `json:"writer"`
						Kind   store.Kind `json:"kind"`
					} `json:"key"`
					Last struct {
						Value float64 `json:"value"`
					} `json:"last"`
				} `json:"buckets"`
			} `json:"chains"`
		} `json:"aggregations"`
	}
	err = s.aggregate(ctx, alias, tree{"size": 0, "aggs": tree{"chains": tree{
		"composite": chains, "aggs": tree{"last": tree{"max": tree{"field": "seq"}}},
	}}}, &answer)
	for _, b := range answer.Aggregations.Chains.Buckets {
		chain := store.Chain{Tenant: b.Key.Tenant, Writer: b.Key.Writer, Kind: b.Key.Kind}
		newest = append(newest, store.Head{Chain: chain, Seq: int64(b.Last.Value)})
	}
	return newest, answer.Aggregations.Chains.After, err
}

// aggregate() sends a search with aggregations. An incomplete result is an error.
func (s *Store) aggregate(ctx context.Context, index string, request tree, into any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	no := false
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.SearchRequest{
			Index: []string{s.indices.name(index)}, Body: bytes.NewReader(body), AllowPartialSearchResults: &no,
		}
	}, into)
}

// arePruned reports whether all of the entries come before the beginnings of their chains.
func (s *Store) arePruned(ctx context.Context, entries ...store.Head) (bool, error) {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = documentID(kindJournal, e.Tenant)
	}
	slices.Sort(ids)
	found, err := s.documents(ctx, stateIndex, slices.Compact(ids))
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		var j journal
		if source := found[documentID(kindJournal, e.Tenant)]; source != nil {
			if err := json.Unmarshal(source, &j); err != nil {
				return false, err
			}
		}
		if e.Seq > baseOf(j.Heads, e.Chain) {
			return false, nil
		}
	}
	return true, nil
}

func baseOf(heads []store.Head, c store.Chain) int64 {
	for _, h := range heads {
		if h.Chain == c {
			return h.Base
		}
	}
	return 0
}
