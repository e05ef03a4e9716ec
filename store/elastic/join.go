package elastic

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// Join copies all segments of the audit into one index, so that programs that do not know segments can use the store
// again. At first, programs can still write. While the last entries are copied, changes are refused, usually for some
// seconds. Afterwards, the Store must be opened again. Repeating an interrupted Join completes the work.
func (s *Store) Join(ctx context.Context) error {
	if err := s.calls.Begin(); err != nil {
		return err
	}
	defer s.calls.End()
	return s.failure(ctx, s.joinAudit(ctx))
}

func (s *Store) joinAudit(ctx context.Context) error {
	state, _, err := s.lookup(ctx, s.indices.name(stateIndex))
	if err != nil {
		return err
	}
	if !s.indices.split {
		return s.endJoin(ctx, state)
	}
	to, err := s.joinedIndex(ctx)
	if err != nil {
		return err
	}
	copied := map[string]int64{}
	if err := s.copyWhileOthersWrite(ctx, to.name, copied); err != nil {
		return err
	}
	if err := s.beginJoin(ctx, to.name); err != nil {
		return err
	}
	err = s.copyLast(ctx, to, state, copied)
	var actions []tree
	if err == nil {
		actions, err = s.switchActions(ctx, to.name, state)
	}
	if err == nil {
		err = s.changeAliases(ctx, actions)
		if cluster.IsTemporary(err) { // the request may still be carried out
			return store.Errorf(store.Unavailable, "%s did not say whether the segments were replaced; until "+
				"guardrails audit join has been run again, nothing can be changed: %v", s.client.Address(), err)
		}
	}
	if err != nil {
		return errors.Join(err, s.cancelJoin(context.WithoutCancel(ctx), to.name))
	}
	return s.openForWriters(ctx)
}

// joinedIndex creates the index to which the segments are copied. First it undoes joins that were interrupted: it lets
// programs write again, and deletes the indices that have no alias.
func (s *Store) joinedIndex(ctx context.Context) (target, error) {
	if err := s.cancelJoin(ctx, ""); err != nil {
		return target{}, err
	}
	there, err := s.findIndices(ctx)
	if err != nil {
		return target{}, err
	}
	prefix := s.versioned(layouts()[1]) + joinedPart
	for name := range there {
		if strings.HasPrefix(name, prefix) && !there.hasAlias(name) {
			if err := s.deleteIndex(ctx, name); err != nil {
				return target{}, err
			}
		}
	}
	to := target{layout: layouts()[1], name: prefix + strings.ToLower(rand.Text())}
	return to, s.create(ctx, to)
}

// hasAlias reports whether an index has an alias.
func (f found) hasAlias(index string) bool {
	for alias, names := range f {
		if alias != index && slices.Contains(names, index) {
			return true
		}
	}
	return false
}

// joinedPart is in the name of every index to which segments were copied.
const joinedPart = "-joined-"

// copyWhileOthersWrite first copies all entries. Then it repeatedly copies the entries that were written in the
// meantime, until only a few entries are left to copy.
func (s *Store) copyWhileOthersWrite(ctx context.Context, to string, copied map[string]int64) error {
	const few, rounds = 1000, 20
	for range rounds {
		n, err := s.copyNew(ctx, to, copied)
		if err != nil || n <= few {
			return err
		}
	}
	return nil
}

// beginJoin records in the list of segments that the segments are being joined. From then on, no program begins a
// transaction.
func (s *Store) beginJoin(ctx context.Context, to string) error {
	return s.changeSegments(ctx, s.indices.name(stateIndex), func(list *segmentList) error {
		if list.Joining != "" {
			return store.Errorf(store.Unavailable, "another process is joining the segments of the audit at %s; "+
				"wait until it has ended", s.client.Address())
		}
		list.Joining = to
		return nil
	})
}

// changeSegments changes the list of segments in a state index. If another process changes the list at the same time,
// changeSegments reads the list again.
func (s *Store) changeSegments(ctx context.Context, state string, change func(*segmentList) error) error {
	for attempt := 1; ; attempt++ {
		list, err := s.readSegmentsFrom(ctx, state)
		if err != nil {
			return err
		}
		if err := change(&list.List); err != nil {
			return err
		}
		err = s.writeSegments(ctx, list)
		if !cluster.IsRefusal(err, http.StatusConflict) || attempt == cluster.Attempts {
			return err
		}
	}
}

// joiningAlias is the alias of an index while a process copies the last entries to it. Before another process lets
// programs write again, it removes this alias. Without the alias, the first process cannot replace the segments by an
// index in which entries may be missing.
const joiningAlias = "guardrails-joining"

// copyLast stops the writers and copies the last entries. Then it checks that the new index has all entries.
func (s *Store) copyLast(ctx context.Context, to target, state string, copied map[string]int64) error {
	alias := s.indices.prefix + joiningAlias
	if err := s.changeAliases(ctx, []tree{addAlias(to.name, alias, false)}); err != nil {
		return err
	}
	if err := s.stopWriters(ctx, state); err != nil {
		return err
	}
	if _, err := s.copyNew(ctx, to.name, copied); err != nil {
		return err
	}
	// If somebody deleted the new index in the meantime, the next copied document created an index with the same name.
	// This index lacks the mapping, so it has no version.
	versions, err := s.versions(ctx, to.name)
	if err != nil {
		return err
	}
	if versions[to.name] != to.version {
		return store.Errorf(store.Internal, "somebody replaced the index %s; try again", to.name)
	}
	return s.compareCounts(ctx, s.indices.name(auditIndex), to.name)
}

// cancelJoin lets programs write again after a join that did not replace the segments. If another process has begun a
// join since then, cancelJoin does nothing. If the parameter "to" is empty, cancelJoin ends every join.
func (s *Store) cancelJoin(ctx context.Context, to string) error {
	ctx, cancel := context.WithTimeout(ctx, s.client.Timeout())
	defer cancel()
	there, err := s.findIndices(ctx)
	if err != nil {
		return err
	}
	list, err := s.readSegments(ctx)
	if err != nil || to != "" && list.List.Joining != to {
		return err
	}
	var actions []tree
	for _, index := range there[s.indices.prefix+joiningAlias] {
		actions = append(actions, removeAlias(index, s.indices.prefix+joiningAlias))
	}
	if len(actions) > 0 {
		if err := s.changeAliases(ctx, actions); err != nil {
			return err
		}
	}
	for _, state := range there[s.indices.prefix+splitStateIndex] {
		if err := s.unprotect(ctx, state); err != nil {
			return err
		}
	}
	if list.List.Joining == "" {
		return nil
	}
	return s.changeSegments(ctx, s.indices.name(stateIndex), func(now *segmentList) error {
		if now.Joining == list.List.Joining {
			now.Joining = ""
		}
		return nil
	})
}

// maxRounds is the maximum number of rounds in stopWriters. A round succeeds if no transaction is pending at its end.
const maxRounds = 100

// stopWriters finishes all transactions and makes the state index read-only. Until the state index is read-only,
// another process can still commit a transaction that it planned before the join began.
func (s *Store) stopWriters(ctx context.Context, state string) error {
	for range maxRounds {
		if err := s.protect(ctx, state); err != nil {
			return err
		}
		left, err := s.unsettled(ctx)
		if err != nil || len(left) == 0 {
			return err
		}
		if err := s.unprotect(ctx, state); err != nil {
			return err
		}
		if err := s.settleAll(ctx); err != nil {
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

// unsettled() returns the tenants whose pending transactions are visible to searches.
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

// unprotect() makes an index writable again.
func (s *Store) unprotect(ctx context.Context, index string) error {
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesPutSettingsRequest{
			Index: []string{index}, Body: strings.NewReader(`{"index.blocks.write": null}`),
		}
	}, nil)
}

// switchActions returns the actions that replace the segments by the joined index. The actions change aliases, and
// delete the segments. They fail if the joined index no longer has the alias joiningAlias.
func (s *Store) switchActions(ctx context.Context, to, state string) ([]tree, error) {
	prefix := s.indices.prefix
	actions := []tree{
		{"remove": tree{"index": to, "alias": prefix + joiningAlias, "must_exist": true}},
		addAlias(to, prefix+auditIndex, true),
		removeAlias(state, prefix+splitStateIndex), addAlias(state, prefix+stateIndex, true),
	}
	old, err := s.versions(ctx, s.indices.name(auditIndex))
	if err != nil {
		return nil, err
	}
	for name := range old {
		actions = append(actions, removeIndex(name))
	}
	there, err := s.findIndices(ctx)
	if there[prefix+fence] != nil {
		actions = append(actions, removeIndex(prefix+fence))
	}
	return actions, err
}

// endJoin completes a join that was interrupted after the segments were replaced.
func (s *Store) endJoin(ctx context.Context, state string) error {
	list, err := s.readSegments(ctx)
	if err != nil {
		return err
	}
	if list.List.Joining == "" {
		return s.unprotect(ctx, state) // a join that ran at the same time may have made it read-only
	}
	return s.openForWriters(ctx)
}

// openForWriters makes the state index writable again, and records that there are no segments.
func (s *Store) openForWriters(ctx context.Context) error {
	there, err := s.findIndices(ctx)
	if err != nil {
		return err
	}
	for _, state := range there[s.indices.prefix+stateIndex] {
		if err := s.unprotect(ctx, state); err != nil {
			return err
		}
		if err := s.changeSegments(ctx, state, func(list *segmentList) error {
			list.Segments, list.Joining = nil, ""
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
