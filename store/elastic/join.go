package elastic

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
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
	to, err := s.joinedIndex(ctx, state)
	if err != nil {
		return err
	}
	copied := map[string]int64{}
	if err := s.copyWhileOthersWrite(ctx, to.name, copied); err != nil {
		return err
	}
	list, err := s.beginJoin(ctx, to.name)
	if err != nil {
		return err
	}
	if err := s.copyLast(ctx, to, state, copied); err != nil {
		return errors.Join(err, s.cancelJoin(ctx, list, state))
	}
	if err := s.switchToOne(ctx, list, state); err != nil {
		return err
	}
	return s.openForWriters(ctx, list)
}

// joinedIndex creates the index to which the segments are copied. If another process was interrupted while writers were
// stopped, joinedIndex returns the index of that process.
func (s *Store) joinedIndex(ctx context.Context, state string) (target, error) {
	list, err := s.readSegments(ctx)
	if err != nil {
		return target{}, err
	}
	l := target{layout: layouts()[1], name: list.List.Joining}
	if l.name == "" {
		l.name = s.versioned(l.layout) + joinedPart + strings.ToLower(rand.Text())
		if err := s.unprotect(ctx, state); err != nil { // an earlier join may have made it read-only
			return target{}, err
		}
	}
	return l, s.createOnce(ctx, l)
}

// joinedPart is in the name of every index to which segments were copied.
const joinedPart = "-joined-"

// copyWhileOthersWrite first copies all entries. Then it repeatedly copies the entries that were written in the
// meantime, until only few entries are left to copy.
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
func (s *Store) beginJoin(ctx context.Context, to string) (*segments, error) {
	for attempt := 1; ; attempt++ {
		list, err := s.readSegments(ctx)
		if err != nil || list.List.Joining == to {
			return list, err
		}
		if list.List.Joining != "" {
			return nil, store.Errorf(store.Unavailable, "another process is joining the segments of the audit at %s; "+
				"wait until it has ended", s.client.Address())
		}
		list.List.Joining = to
		err = s.writeSegments(ctx, list)
		if !cluster.IsRefusal(err, http.StatusConflict) || attempt == cluster.Attempts {
			return list, err
		}
	}
}

// copyLast stops the writers and copies the last entries. Then it checks that the new index has all entries.
func (s *Store) copyLast(ctx context.Context, to target, state string, copied map[string]int64) error {
	if err := s.stopWriters(ctx, state); err != nil {
		return err
	}
	if _, err := s.copyNew(ctx, to.name, copied); err != nil {
		return err
	}
	// If somebody deleted the index, the servers created it again without its mapping.
	if version, err := s.version(ctx, to.name); err != nil || version != to.version {
		return errors.Join(err, store.Errorf(store.Internal, "the index %s was replaced; run the command again", to.name))
	}
	return s.compareCounts(ctx, s.indices.name(auditIndex), to.name)
}

// cancelJoin lets programs write again after a join that failed before it changed the aliases.
func (s *Store) cancelJoin(ctx context.Context, list *segments, state string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.client.Timeout())
	defer cancel()
	if err := s.unprotect(ctx, state); err != nil {
		return err
	}
	list.List.Joining = ""
	return s.writeSegments(ctx, list)
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

// unprotect makes an index writable again.
func (s *Store) unprotect(ctx context.Context, index string) error {
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesPutSettingsRequest{
			Index: []string{index}, Body: strings.NewReader(`{"index.blocks.write": null}`),
		}
	}, nil)
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
	for name := range there {
		// Interrupted joins leave an index behind, which has no alias.
		if strings.Contains(name, joinedPart) && name != list.List.Joining && old[name] == 0 {
			actions = append(actions, removeIndex(name))
		}
	}
	if there[prefix+fence] != nil {
		actions = append(actions, removeIndex(prefix+fence))
	}
	return s.changeAliases(ctx, actions)
}

// endJoin completes a join that was interrupted after the segments were replaced.
func (s *Store) endJoin(ctx context.Context, state string) error {
	list, err := s.readSegments(ctx)
	if err != nil {
		return err
	}
	if list.List.Joining == "" {
		return s.unprotect(ctx, state) // another join may have made it read-only
	}
	return s.openForWriters(ctx, list)
}

// openForWriters makes the state index writable again, and records that there are no segments.
func (s *Store) openForWriters(ctx context.Context, list *segments) error {
	if err := s.unprotect(ctx, list.state.Index); err != nil {
		return err
	}
	list.List.Segments, list.List.Joining = nil, ""
	return s.writeSegments(ctx, list)
}
