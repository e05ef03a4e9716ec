package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// Join copies all segments of the audit into one index, so that programs that do not know segments can use the store
// again. Until it returns, the store can be read, but changes are refused. The Store must be opened again afterwards.
// Repeating an interrupted Join completes it.
func (s *Store) Join(ctx context.Context) error {
	if err := s.calls.Begin(); err != nil {
		return err
	}
	defer s.calls.End()
	return s.failure(ctx, s.joinAudit(ctx))
}

func (s *Store) joinAudit(ctx context.Context) error {
	if !s.indices.split {
		return s.endJoin(ctx)
	}
	list, err := s.beginJoin(ctx)
	if err != nil {
		return err
	}
	state, _, err := s.lookup(ctx, s.indices.name(stateIndex))
	if err != nil {
		return err
	}
	if err := s.stopWriters(ctx, state); err != nil {
		return err
	}
	if err := s.copySegments(ctx, list); err != nil {
		return err
	}
	if err := s.switchToOne(ctx, list, state); err != nil {
		return err
	}
	return s.openForWriters(ctx, list)
}

// beginJoin notes in the list of segments that the segments are being joined. From then on, no program begins a
// transaction.
func (s *Store) beginJoin(ctx context.Context) (*segments, error) {
	list, err := s.readSegments(ctx)
	if err != nil || list.List.Joining != "" {
		return list, err
	}
	list.List.Joining = fmt.Sprintf("%s-joined-%d", s.versioned(layouts()[1]), list.List.Next)
	return list, s.writeSegments(ctx, list)
}

// maxRounds is the maximum number of rounds in stopWriters. A round succeeds if there is no pending transaction at its
// end.
const maxRounds = 100

// stopWriters finishes all transactions and makes the state read-only. Until the state is read-only, another process
// can still commit a transaction that it planned before the join began.
func (s *Store) stopWriters(ctx context.Context, state string) error {
	for range maxRounds {
		// A failed round and an interrupted join leave the state read-only.
		if err := s.unprotect(ctx, state); err != nil {
			return err
		}
		if err := s.settleAll(ctx); err != nil {
			return err
		}
		if err := s.protect(ctx, state); err != nil {
			return err
		}
		left, err := s.unsettled(ctx)
		if err != nil || len(left) == 0 {
			return err
		}
	}
	return store.Errorf(store.Unavailable, "other programs keep changing the store at %s; try again", s.client.Address())
}

// settleAll finishes the pending transactions of all tenants.
func (s *Store) settleAll(ctx context.Context) error {
	if err := s.sendRefresh(ctx, stateIndex); err != nil {
		return err
	}
	tenants, err := s.unsettled(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		if _, err := write(ctx, s, tenant, func(ctx context.Context) (*journal, error) {
			return s.ready(ctx, tenant)
		}); err != nil {
			return err
		}
	}
	return nil
}

// The method unsettled returns the tenants whose pending transactions are visible to searches.
func (s *Store) unsettled(ctx context.Context) (tenants []string, err error) {
	q := query{
		index: stateIndex, Query: matchAll(term("kind", kindJournal)), Sort: order{}.by("tenant_id", "asc"),
		Source: []string{"tenant_id", "pending.id"},
	}
	err = s.eachDocument(ctx, q, func(source json.RawMessage) error {
		var j journal
		if err := json.Unmarshal(source, &j); err != nil {
			return err
		}
		if j.Pending != nil {
			tenants = append(tenants, j.Tenant)
		}
		return nil
	})
	return tenants, err
}

// unprotect makes an index writable again.
func (s *Store) unprotect(ctx context.Context, index string) error {
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesPutSettingsRequest{
			Index: []string{index}, Body: strings.NewReader(`{"index.blocks.write": null}`),
		}
	}, nil)
}

// copySegments copies all entries to the new index.
func (s *Store) copySegments(ctx context.Context, list *segments) error {
	audit := s.indices.name(auditIndex)
	joined := target{layout: layouts()[1], name: list.List.Joining}
	if err := s.createOnce(ctx, joined); err != nil {
		return err
	}
	if err := s.sendRefresh(ctx, auditIndex); err != nil {
		return err
	}
	return errors.Join(s.copyIndex(ctx, audit, joined.name), s.compareCounts(ctx, audit, joined.name))
}

// switchToOne replaces the segments by the joined index, and deletes the segments.
func (s *Store) switchToOne(ctx context.Context, list *segments, state string) error {
	prefix := s.indices.prefix
	actions := []tree{
		addAlias(list.List.Joining, prefix+auditIndex, true),
		removeAlias(state, prefix+splitStateIndex), addAlias(state, prefix+stateIndex, true),
	}
	old, err := s.versions(ctx, s.indices.name(auditIndex))
	if err != nil {
		return err
	}
	for name := range old {
		actions = append(actions, removeIndex(name))
	}
	there, err := s.findIndices(ctx)
	if err != nil {
		return err
	}
	if there[prefix+fence] != nil {
		actions = append(actions, removeIndex(prefix+fence))
	}
	return s.changeAliases(ctx, actions)
}

// endJoin completes a join that was interrupted after the segments were replaced.
func (s *Store) endJoin(ctx context.Context) error {
	list, err := s.readSegments(ctx)
	if err != nil || list.List.Joining == "" {
		return err
	}
	return s.openForWriters(ctx, list)
}

// openForWriters makes the state writable again, and notes that there are no segments.
func (s *Store) openForWriters(ctx context.Context, list *segments) error {
	if err := s.unprotect(ctx, list.state.Index); err != nil {
		return err
	}
	list.List.Segments, list.List.Joining = nil, ""
	return s.writeSegments(ctx, list)
}
