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
)

// staleParts is how old parts are that no transaction came of.
const staleParts = 24 * time.Hour

// part is a document with some of the actions of a transaction.
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

// storeActions puts the actions of a transaction where whoever finishes it finds them: into the journal, or before it
// into documents of their own.
func (s *Store) storeActions(ctx context.Context, t *transaction) error {
	if t.next.Parts == 0 {
		all := portions(t.actions, maxInline)
		if len(all) <= 1 {
			t.next.Actions = t.actions
			return nil
		}
	}
	for _, actions := range portions(t.actions, maxBulk) {
		if err := s.addPart(ctx, t, actions); err != nil {
			return err
		}
	}
	return nil
}

// addPart puts actions into a document of their own. With the first one, what others left goes.
func (s *Store) addPart(ctx context.Context, t *transaction, actions []action) error {
	if t.next.Parts == 0 {
		if err := s.sweepParts(ctx, t.from.Tenant); err != nil {
			return err
		}
	}
	p := part{kindPart, t.from.Tenant, t.next.ID, s.now().UTC(), actions}
	a, err := newAction(stateIndex, partID(t.from.Tenant, t.next.ID, t.next.Parts), false, p)
	if err != nil {
		return err
	}
	t.next.Parts++
	return s.carryOut(ctx, []action{a}, false)
}

// eachPortion gives the actions of a transaction, from wherever they are.
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
		// Parts go when all of the transaction was carried out.
		if at == (place{}) {
			return s.finishedElsewhere(ctx, tenant, p)
		}
		if err := f(stored.Actions); err != nil {
			return err
		}
	}
	return nil
}

// finishedElsewhere makes sure that a transaction without its parts was carried out by another writer.
func (s *Store) finishedElsewhere(ctx context.Context, tenant string, p *pending) error {
	j, err := s.journal(ctx, tenant)
	if err == nil && j.Pending != nil && j.Pending.ID == p.ID {
		err = store.Errorf(store.Internal, "a part of the transaction %s is missing in %s; restore a snapshot", p.ID, s.client.place)
	}
	return err
}

// dropParts removes the parts of a transaction that was carried out.
func (s *Store) dropParts(ctx context.Context, tenant string, p *pending) error {
	for number := range p.Parts {
		id := partID(tenant, p.ID, number)
		err := s.client.ask(ctx, func() esapi.Request {
			return esapi.DeleteRequest{Index: s.indices.name(stateIndex), DocumentID: id}
		}, nil)
		if err != nil && !isRefusal(err, http.StatusNotFound) {
			return err
		}
	}
	return nil
}

// sweepParts removes what was left by transactions that were never committed. The tenant has nothing pending.
func (s *Store) sweepParts(ctx context.Context, tenant string) error {
	old := s.now().Add(-staleParts)
	query, err := json.Marshal(tree{"query": all(term("kind", kindPart), term("tenant_id", tenant), tree{"range": tree{"created": tree{"lt": old.UTC()}}})})
	if err != nil {
		return fmt.Errorf("old parts: %w", err)
	}
	return s.client.ask(ctx, func() esapi.Request {
		return esapi.DeleteByQueryRequest{Index: []string{s.indices.name(stateIndex)}, Body: strings.NewReader(string(query)), Conflicts: "proceed"}
	}, nil)
}
