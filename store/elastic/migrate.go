package elastic

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// migrate copies an index of an older version into a new one and moves the alias there. The old one takes no changes
// from then on; it stays, for whoever wants to go back. Interrupted, it goes on when the store is opened again.
func (s *Store) migrate(ctx context.Context, l layout, old string) error {
	alias, fresh := s.indices.name(l.index), s.versioned(l)
	if err := s.protect(ctx, old); err != nil {
		return err
	}
	if err := s.create(ctx, l, ""); err != nil && !isKind(err, "resource_already_exists_exception") {
		return err
	}
	if err := errors.Join(s.copyIndex(ctx, old, fresh), s.compareCounts(ctx, old, fresh)); err != nil {
		return err
	}
	body := fmt.Sprintf(`{"actions": [{"remove": {"index": %q, "alias": %q}}, {"add": {"index": %q, "alias": %q, "is_write_index": true}}]}`, old, alias, fresh, alias)
	return s.client.ask(ctx, func() esapi.Request { return esapi.IndicesUpdateAliasesRequest{Body: strings.NewReader(body)} }, nil)
}

// protect lets nobody write to an index any more. What was on its way is there when the servers answer, and searches,
// by which it is copied, see all of it.
func (s *Store) protect(ctx context.Context, index string) error {
	if err := s.client.ask(ctx, func() esapi.Request {
		return esapi.IndicesAddBlockRequest{Index: []string{index}, Block: "write"}
	}, nil); err != nil {
		return err
	}
	return s.client.ask(ctx, func() esapi.Request { return esapi.IndicesRefreshRequest{Index: []string{index}} }, nil)
}

// copyIndex copies what is not there yet. It may take long, so the servers do it by themselves and are asked how far
// they are.
func (s *Store) copyIndex(ctx context.Context, from, to string) error {
	body := fmt.Sprintf(`{"conflicts": "proceed", "source": {"index": %q}, "dest": {"index": %q, "op_type": "create"}}`, from, to)
	no, yes := false, true
	var started struct {
		Task string `json:"task"`
	}
	if err := s.client.ask(ctx, func() esapi.Request {
		return esapi.ReindexRequest{Body: strings.NewReader(body), WaitForCompletion: &no, Refresh: &yes}
	}, &started); err != nil {
		return err
	}
	return s.await(ctx, started.Task)
}

// compareCounts makes sure that nothing is missing in a copy.
func (s *Store) compareCounts(ctx context.Context, from, to string) error {
	var counts [2]struct {
		Count int `json:"count"`
	}
	for i, index := range []string{from, to} {
		if err := s.client.ask(ctx, func() esapi.Request { return esapi.CountRequest{Index: []string{index}} }, &counts[i]); err != nil {
			return err
		}
	}
	if counts[1].Count < counts[0].Count {
		return store.Errorf(store.Internal, "%d documents of %s were copied to %s, and it has %d; open the store again", counts[1].Count, from, to, counts[0].Count)
	}
	return nil
}

// await waits for something that the servers do by themselves.
func (s *Store) await(ctx context.Context, task string) error {
	for {
		var t struct {
			Completed bool `json:"completed"`
			Error     *struct {
				Reason string `json:"reason"`
			} `json:"error"`
			Response struct {
				Failures []struct {
					Cause struct {
						Reason string `json:"reason"`
					} `json:"cause"`
				} `json:"failures"`
			} `json:"response"`
		}
		if err := s.client.ask(ctx, func() esapi.Request { return esapi.TasksGetRequest{TaskID: task} }, &t); err != nil {
			return err
		}
		switch {
		case t.Error != nil:
			return store.Errorf(store.Internal, "%s failed to copy an index: %s", s.client.place, t.Error.Reason)
		case len(t.Response.Failures) > 0:
			return store.Errorf(store.Internal, "%s failed to copy an index: %s", s.client.place, t.Response.Failures[0].Cause.Reason)
		case t.Completed:
			return nil
		}
		if !wait(ctx, pollEvery) {
			return store.Interrupted(ctx)
		}
	}
}
