package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// The constant staleParts is an age. Parts of a transaction that was never committed are deleted when they have reached
// this age.
const staleParts = 24 * time.Hour

// The type "part" is a document that holds some of the actions of a transaction.
type part struct {
	Kind        string    `json:"kind"`
	Tenant      string    `json:"tenant_id"`
	Transaction string    `json:"transaction"`
	Created     time.Time `json:"created"`
	Actions     []action  `json:"actions"`
}

func partID(tenant, transaction string, number int) string {
	return documentID(kindPart, tenant, transaction, number)
}

// storeActions stores the actions of a transaction, so that any writer can finish it. Actions that fit into one portion
// are stored in the journal. Other actions are stored in parts, which are written before the journal.
func (s *Store) storeActions(ctx context.Context, t *transaction) error {
	parts := portions(t.actions)
	if t.next.Parts == 0 && len(parts) <= 1 {
		t.next.Actions = t.actions
		return nil
	}
	for _, actions := range parts {
		if err := s.addPart(ctx, t, actions); err != nil {
			return err
		}
	}
	return nil
}

// addPart stores actions as a part. Before the first part, it deletes stale parts.
func (s *Store) addPart(ctx context.Context, t *transaction, actions []action) error {
	if t.next.Parts == 0 {
		if err := s.deleteStaleParts(ctx, t.from.Tenant); err != nil {
			return err
		}
	}
	p := part{kindPart, t.from.Tenant, t.next.ID, s.now().UTC(), actions}
	a, err := newAction(stateIndex, partID(t.from.Tenant, t.next.ID, t.next.Parts), false, p)
	if err != nil {
		return err
	}
	t.next.Parts++
	return s.execute(ctx, []action{a})
}

// eachPortion calls f with the actions of a transaction. It takes the actions from the journal, or reads the parts one
// after the other.
func (s *Store) eachPortion(ctx context.Context, tenant string, p *pending, f func(actions []action) error) error {
	if p.Parts == 0 {
		return f(p.Actions)
	}
	for number := range p.Parts {
		var stored part
		at, err := s.get(ctx, partID(tenant, p.ID, number), &stored)
		if err != nil {
			return err
		}
		// A part is missing only after another writer has executed the transaction and deleted the parts.
		if at == (docState{}) {
			return s.checkExecuted(ctx, tenant, p)
		}
		if err := f(stored.Actions); err != nil {
			return err
		}
	}
	return nil
}

// checkExecuted checks a transaction whose parts are missing. If the transaction is still pending, it returns an error.
// Otherwise, another writer has executed the transaction.
func (s *Store) checkExecuted(ctx context.Context, tenant string, p *pending) error {
	j, err := s.journal(ctx, tenant)
	if err == nil && j.Pending != nil && j.Pending.ID == p.ID {
		err = store.Errorf(store.Internal, "a part of the transaction %s is missing in %s; restore a snapshot",
			p.ID, s.client.Address())
	}
	return err
}

// dropParts deletes the parts of a transaction.
func (s *Store) dropParts(ctx context.Context, tenant string, p *pending) error {
	for number := range p.Parts {
		id := partID(tenant, p.ID, number)
		err := s.client.Do(ctx, func() esapi.Request {
			return esapi.DeleteRequest{Index: s.indices.name(stateIndex), DocumentID: id}
		}, nil)
		if err != nil && !cluster.IsRefusal(err, http.StatusNotFound) {
			return err
		}
	}
	return nil
}

// deleteStaleParts deletes old parts of transactions that were never committed. The tenant must not have a pending
// transaction.
func (s *Store) deleteStaleParts(ctx context.Context, tenant string) error {
	old := s.now().Add(-staleParts)
	stale := matchAll(term("kind", kindPart), term("tenant_id", tenant), span("created", tree{"lt": old.UTC()}))
	body, err := json.Marshal(tree{"query": stale})
	if err != nil {
		return fmt.Errorf("deleting stale parts: %w", err)
	}
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.DeleteByQueryRequest{
			Index: []string{s.indices.name(stateIndex)}, Body: strings.NewReader(string(body)), Conflicts: "proceed",
		}
	}, nil)
}
