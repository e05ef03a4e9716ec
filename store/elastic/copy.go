package elastic

import (
	"context"
	"fmt"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// operations says which writes to an index have happened. Each write to an index has a number.
type operations struct {
	// All writes up to the number done have reached every node that has a copy of the index.
	done int64
	// newest is the number of the newest write.
	newest int64
}

// operations returns, for each index of an alias, which writes to the index have happened.
func (s *Store) operations(ctx context.Context, alias string) (map[string]operations, error) {
	var answer struct {
		Indices map[string]struct {
			Shards map[string][]struct {
				Routing struct {
					Primary bool `json:"primary"`
				} `json:"routing"`
				Numbers *struct {
					Newest int64 `json:"max_seq_no"`
					Done   int64 `json:"global_checkpoint"`
				} `json:"seq_no"`
			} `json:"shards"`
		} `json:"indices"`
	}
	err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesStatsRequest{Index: []string{alias}, Metric: []string{"docs"}, Level: "shards"}
	}, &answer)
	out := map[string]operations{}
	for name, index := range answer.Indices {
		for _, copies := range index.Shards {
			for _, c := range copies {
				if c.Routing.Primary && c.Numbers != nil {
					out[name] = operations{c.Numbers.Done, c.Numbers.Newest}
				}
			}
		}
	}
	return out, err
}

// copyNew copies documents from the indices of an alias to another index. It copies only the documents that were
// written since the last call, and returns their number. The map copied has, for each index, the number of the last
// write whose documents were copied. Pass an empty map in the first call. Other programs may write at the same time.
func (s *Store) copyNew(ctx context.Context, alias, to string, copied map[string]int64) (count int, err error) {
	now, err := s.operations(ctx, alias)
	if err != nil {
		return 0, err
	}
	if err := s.sendRefresh(ctx, auditIndex); err != nil {
		return 0, err
	}
	for index, has := range now {
		after, isKnown := copied[index]
		switch {
		case !isKnown:
			after = -1
		case has.newest <= after:
			continue
		}
		n, err := s.copyIndex(ctx, index, to, after)
		if err != nil {
			return count, err
		}
		count, copied[index] = count+n, has.done
	}
	return count, nil
}

// copyIndex copies the documents that the target index lacks, and returns their number. It checks only documents whose
// last write has a higher number than the parameter "after". If this parameter is -1, it checks all documents. Copying
// may take long, so the servers do it in the background. copyIndex waits until they have finished.
func (s *Store) copyIndex(ctx context.Context, from, to string, after int64) (int, error) {
	which := `{"match_all": {}}`
	if after >= 0 {
		which = fmt.Sprintf(`{"range": {"_seq_no": {"gt": %d}}}`, after)
	}
	body := fmt.Sprintf(
		`{"conflicts": "proceed", "source": {"index": %q, "query": %s}, "dest": {"index": %q, "op_type": "create"}}`,
		from, which, to,
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
		case t.Completed && did.Created+did.Existing < did.Total:
			return 0, store.Errorf(store.Internal, "%s copied only %d of %d documents of an index; run the command again",
				s.client.Address(), did.Created+did.Existing, did.Total)
		case t.Completed:
			return did.Created, nil
		}
		if !cluster.Wait(ctx, pollInterval) {
			return 0, store.Interrupted(ctx)
		}
	}
}

// compareCounts checks that the copy has at least as many documents as the original.
func (s *Store) compareCounts(ctx context.Context, from, to string) error {
	var counts [2]struct {
		Count int `json:"count"`
	}
	for i, index := range []string{from, to} {
		err := s.client.Do(ctx, func() esapi.Request { return esapi.CountRequest{Index: []string{index}} }, &counts[i])
		if err != nil {
			return err
		}
	}
	if counts[1].Count < counts[0].Count {
		return store.Errorf(store.Internal, "only %d of %d documents of %s were copied to %s; open the store again",
			counts[1].Count, counts[0].Count, from, to)
	}
	return nil
}
