package elastic

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store/elastic/cluster"
)

// migrate() copies an index of an older version to a new index, and makes the alias point to the new index. The old
// index becomes read-only. The old index is not deleted, so that people can go back to the older version of guardrails.
// An interrupted migration continues when the store is opened again.
func (s *Store) migrate(ctx context.Context, l target, old string) error {
	if err := s.protect(ctx, old); err != nil {
		return err
	}
	if err := s.create(ctx, l); err != nil && !cluster.IsKind(err, "resource_already_exists_exception") {
		return err
	}
	if _, err := s.copyIndex(ctx, old, l.name, -1, "create"); err != nil {
		return err
	}
	if err := s.compareCounts(ctx, old, l.name); err != nil {
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

// changeAliases makes all changes of aliases at the same moment, or none of them.
func (s *Store) changeAliases(ctx context.Context, actions []tree) error {
	body, err := json.Marshal(tree{"actions": actions})
	if err != nil {
		return err
	}
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesUpdateAliasesRequest{Body: bytes.NewReader(body)}
	}, nil)
}

// protect() makes an index read-only. When the method returns, all earlier writes are done and searches see their
// documents. Searches must see these documents, because the servers copy what a search finds.
func (s *Store) protect(ctx context.Context, index string) error {
	if err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesAddBlockRequest{Index: []string{index}, Block: "write"}
	}, nil); err != nil {
		return err
	}
	return s.client.Do(ctx, func() esapi.Request { return esapi.IndicesRefreshRequest{Index: []string{index}} }, nil)
}
