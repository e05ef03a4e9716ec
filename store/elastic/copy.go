package elastic

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// lastWrites returns a number for each index of an alias. The servers give each write to an index a number, in
// ascending order. The result for an index is the number of the last write that all copies of the index have. Each
// index of the store has only one shard.
func (s *Store) lastWrites(ctx context.Context, alias string) (map[string]int64, error) {
	var answer struct {
		Indices map[string]struct {
			Shards map[string][]struct {
				Routing struct {
					Primary bool `json:"primary"`
				} `json:"routing"`
				Numbers *struct {
					Done int64 `json:"global_checkpoint"`
				} `json:"seq_no"`
			} `json:"shards"`
		} `json:"indices"`
	}
	err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesStatsRequest{Index: []string{alias}, Metric: []string{"docs"}, Level: "shards"}
	}, &answer)
	out := map[string]int64{}
	for name, index := range answer.Indices {
		for _, copies := range index.Shards {
			for _, c := range copies {
				if c.Routing.Primary && c.Numbers != nil {
					out[name] = c.Numbers.Done
				}
			}
		}
	}
	return out, err
}

// copyNew copies documents of the audit to another index. It copies only the documents that were written since the last
// call, and returns their number. The map "copied" has, for each index, the number of the last write whose documents
// were copied. Pass an empty map in the first call. Other programs may write at the same time.
func (s *Store) copyNew(ctx context.Context, to string, copied map[string]int64) (count int, err error) {
	audit := s.indices.name(auditIndex)
	versions, err := s.versions(ctx, audit)
	if err != nil {
		return 0, err
	}
	now, err := s.lastWrites(ctx, audit)
	if err != nil {
		return 0, err
	}
	if err := s.sendRefresh(ctx, auditIndex); err != nil {
		return 0, err
	}
	for _, index := range oldestFirst(versions) {
		done, has := now[index]
		if !has {
			return count, store.Errorf(store.Unavailable, "the index %s of %s does not answer; try again", index, s.client.Address())
		}
		after, isKnown := copied[index]
		if !isKnown {
			after = -1
		}
		n, err := s.copyIndex(ctx, index, to, after, "index")
		if err != nil {
			if now, other := s.versions(ctx, audit); other == nil && now[index] == 0 {
				continue // all entries of the segment were pruned, and the segment was removed
			}
			return count, err
		}
		count, copied[index] = count+n, done
	}
	return count, nil
}

// oldestFirst returns the names of the indices of the audit, in the order in which their documents must be copied. The
// id of a pruned entry can be used again. The document in the newer segment must then replace the document in the older
// segment.
func oldestFirst(versions map[string]int) []string {
	return slices.SortedFunc(maps.Keys(versions), func(x, y string) int {
		return cmp.Or(cmp.Compare(segmentOf(x), segmentOf(y)), cmp.Compare(x, y))
	})
}

// segmentOf returns the number of a segment. This number is at the end of the name of the index. The name of segment 0
// has no number at its end.
func segmentOf(index string) int {
	number, err := strconv.Atoi(index[strings.LastIndexByte(index, '-')+1:])
	if err != nil {
		return 0
	}
	return number
}

// copyIndex copies documents from an index to another index, and returns their number. It copies only documents whose
// last write has a higher number than the parameter "after". If this parameter is -1, it copies all documents. The
// parameter "how" says what happens to documents that the other index already has. With "create", they stay as they
// are. With "index", copyIndex replaces them. Copying may take long, so the servers copy in the background. copyIndex
// waits until the servers have finished.
func (s *Store) copyIndex(ctx context.Context, from, to string, after int64, how string) (int, error) {
	which := `{"match_all": {}}`
	if after >= 0 {
		which = fmt.Sprintf(`{"range": {"_seq_no": {"gt": %d}}}`, after)
	}
	body := fmt.Sprintf(
		`{"conflicts": "proceed", "source": {"index": %q, "query": %s}, "dest": {"index": %q, "op_type": %q}}`,
		from, which, to, how,
	)
	no, yes := false, true
	var started struct {
		Task string `json:"task"`
	}
	if err := s.client.Do(ctx, func() esapi.Request {
		return esapi.ReindexRequest{Body: strings.NewReader(body), WaitForCompletion: &no, Refresh: &yes}
	}, &started); err != nil {
		return 0, err
	}
	return s.awaitCopy(ctx, started.Task)
}

// awaitCopy waits until the servers have copied an index, and returns the number of copied documents.
func (s *Store) awaitCopy(ctx context.Context, task string) (int, error) {
	for {
		var t struct {
			Completed bool `json:"completed"`
			Error     *struct {
				Reason string `json:"reason"`
			} `json:"error"`
			Response struct {
				Total    int `json:"total"`
				Created  int `json:"created"`
				Updated  int `json:"updated"`
				Existing int `json:"version_conflicts"`
				Failures []struct {
					Cause struct {
						Reason string `json:"reason"`
					} `json:"cause"`
				} `json:"failures"`
			} `json:"response"`
		}
		err := s.client.Do(ctx, func() esapi.Request { return esapi.TasksGetRequest{TaskID: task} }, &t)
		if err != nil {
			return 0, err
		}
		did := t.Response
		switch {
		case t.Error != nil:
			return 0, store.Errorf(store.Internal, "%s failed to copy an index: %s", s.client.Address(), t.Error.Reason)
		case len(did.Failures) > 0:
			return 0, store.Errorf(
				store.Internal, "%s failed to copy an index: %s", s.client.Address(), did.Failures[0].Cause.Reason,
			)
		case t.Completed && did.Created+did.Updated+did.Existing < did.Total:
			return 0, store.Errorf(store.Internal, "%s copied only %d of %d documents of an index; try again",
				s.client.Address(), did.Created+did.Updated+did.Existing, did.Total)
		case t.Completed:
			return did.Created + did.Updated, nil
		}
		if !cluster.Wait(ctx, pollInterval) {
			return 0, store.Interrupted(ctx)
		}
	}
}

// compareCounts checks that the copy has at least as many documents as the original.
func (s *Store) compareCounts(ctx context.Context, from, to string) error {
	var counts [2]struct {
		Count  int `json:"count"`
		Shards struct {
			Total      int `json:"total"`
			Successful int `json:"successful"`
		} `json:"_shards"`
	}
	for i, index := range []string{from, to} {
		err := s.client.Do(ctx, func() esapi.Request { return esapi.CountRequest{Index: []string{index}} }, &counts[i])
		if err != nil {
			return err
		}
		if counts[i].Shards.Successful < counts[i].Shards.Total {
			return store.Errorf(store.Unavailable, "a part of %s does not answer at %s; try again", index, s.client.Address())
		}
	}
	if counts[1].Count < counts[0].Count {
		return store.Errorf(store.Internal, "only %d of %d documents of %s were copied to %s; try again",
			counts[1].Count, counts[0].Count, from, to)
	}
	return nil
}
