package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// migrate copies an index of an older version to a new one and moves the alias. The old index becomes read-only. It is
// not deleted, so that people can go back to the older version of guardrails. An interrupted migration continues when
// the store is opened again.
func (s *Store) migrate(ctx context.Context, l target, old string) error {
	if err := s.protect(ctx, old); err != nil {
		return err
	}
	if err := s.create(ctx, l); err != nil && !cluster.IsKind(err, "resource_already_exists_exception") {
		return err
	}
	if err := errors.Join(s.copyIndex(ctx, old, l.name), s.compareCounts(ctx, old, l.name)); err != nil {
		return err
	}
	var actions []tree
	for _, alias := range l.aliases {
		actions = append(actions, removeAlias(old, alias), addAlias(l.name, alias, l.isWrittenBy(alias)))
	}
	return s.changeAliases(ctx, actions)
}

func removeAlias(index, alias string) tree {
	return tree{"remove": tree{"index": index, "alias": alias}}
}

func addAlias(index, alias string, isWritten bool) tree {
	return tree{"add": tree{"index": index, "alias": alias, "is_write_index": isWritten}}
}

func removeIndex(index string) tree { return tree{"remove_index": tree{"index": index}} }

// changeAliases makes all changes at the same moment, or none.
func (s *Store) changeAliases(ctx context.Context, actions []tree) error {
	body, err := json.Marshal(tree{"actions": actions})
	if err != nil {
		return err
	}
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesUpdateAliasesRequest{Body: bytes.NewReader(body)}
	}, nil)
}

// protect makes an index read-only. When it returns, all earlier writes are done and searches see their documents. This
// matters because the servers copy what a search finds.
func (s *Store) protect(ctx context.Context, index string) error {
	if err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesAddBlockRequest{Index: []string{index}, Block: "write"}
	}, nil); err != nil {
		return err
	}
	return s.client.Do(ctx, func() esapi.Request { return esapi.IndicesRefreshRequest{Index: []string{index}} }, nil)
}

// copyIndex copies the documents that the target lacks. Copying may take long, so the servers do it in the background.
// copyIndex waits for the end.
func (s *Store) copyIndex(ctx context.Context, from, to string) error {
	body := fmt.Sprintf(
		`{"conflicts": "proceed", "source": {"index": %q}, "dest": {"index": %q, "op_type": "create"}}`, from, to,
	)
	no, yes := false, true
	var started struct {
		Task string `json:"task"`
	}
	if err := s.client.Do(ctx, func() esapi.Request {
		return esapi.ReindexRequest{Body: strings.NewReader(body), WaitForCompletion: &no, Refresh: &yes}
	}, &started); err != nil {
		return err
	}
	return s.awaitTask(ctx, started.Task)
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

// awaitTask waits until a background task of the servers is done.
func (s *Store) awaitTask(ctx context.Context, task string) error {
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
		err := s.client.Do(ctx, func() esapi.Request { return esapi.TasksGetRequest{TaskID: task} }, &t)
		if err != nil {
			return err
		}
		switch {
		case t.Error != nil:
			return store.Errorf(store.Internal, "%s failed to copy an index: %s", s.client.Address(), t.Error.Reason)
		case len(t.Response.Failures) > 0:
			return store.Errorf(
				store.Internal, "%s failed to copy an index: %s", s.client.Address(), t.Response.Failures[0].Cause.Reason,
			)
		case t.Completed:
			return nil
		}
		if !cluster.Wait(ctx, pollInterval) {
			return store.Interrupted(ctx)
		}
	}
}
