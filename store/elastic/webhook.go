package elastic

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// webhookDoc is a document in the state index that is about webhooks. All fields except Webhook are for searching.
type webhookDoc[T any] struct {
	Kind     string     `json:"kind"`
	Tenant   string     `json:"tenant_id"`
	Endpoint string     `json:"endpoint,omitempty"`
	Delivery string     `json:"delivery,omitempty"`
	Created  *time.Time `json:"created,omitempty"`
	Due      *time.Time `json:"due,omitempty"`
	Webhook  T          `json:"webhook"`
}

// endpointList has all endpoints of a tenant.
type endpointList struct {
	Endpoints []store.Endpoint `json:"endpoints"`
}

// Endpoints returns the endpoints of each tenant, ordered by id.
func (s *Store) Endpoints(ctx context.Context, tenants ...string) ([][]store.Endpoint, error) {
	if err := s.calls.Begin(); err != nil {
		return nil, err
	}
	defer s.calls.End()
	ids := make([]string, len(tenants))
	for i, tenant := range tenants {
		if err := store.CheckTenant(tenant); err != nil {
			return nil, err
		}
		ids[i] = documentID(kindEndpoints, tenant)
	}
	found, err := s.documents(ctx, stateIndex, ids)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	out := make([][]store.Endpoint, len(tenants))
	for i, id := range ids {
		d, err := decodeWebhook[endpointList](found[id])
		if err != nil {
			return nil, err
		}
		if out[i] = d.Webhook.Endpoints; out[i] == nil {
			out[i] = []store.Endpoint{}
		}
	}
	return out, nil
}

// EndpointTenants returns the tenants that have endpoints.
func (s *Store) EndpointTenants(ctx context.Context) (tenants []string, err error) {
	if err := s.calls.Begin(); err != nil {
		return nil, err
	}
	defer s.calls.End()
	if err := s.refresh(ctx, stateIndex); err != nil {
		return nil, s.failure(ctx, err)
	}
	q := query{
		index: stateIndex, Query: matchAll(term("kind", kindEndpoints)), Sort: order{}.by("tenant_id", "asc"),
		Source: []string{"tenant_id"},
	}
	err = s.eachDocument(ctx, q, func(source json.RawMessage) error {
		d, err := decodeWebhook[endpointList](source)
		tenants = append(tenants, d.Tenant)
		return err
	})
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	return tenants, nil
}

// decodeWebhook reads a document. A missing document is empty.
func decodeWebhook[T any](source json.RawMessage) (d webhookDoc[T], err error) {
	if source == nil {
		return d, nil
	}
	if err := json.Unmarshal(source, &d); err != nil {
		return d, store.Errorf(store.Internal, "cannot read a document about webhooks: %w", err)
	}
	return d, nil
}

// replace() reads the document of a tenant, calls change() to modify the document, and writes the document. If another
// writer has changed the document in the meantime, replace() begins again. If change() returns false, replace() writes
// nothing.
func replace[T any](
	ctx context.Context, s *Store, kind, tenant string, change func(value *T) (bool, error),
) error {
	if err := s.calls.Begin(); err != nil {
		return err
	}
	defer s.calls.End()
	if err := store.CheckTenant(tenant); err != nil {
		return err
	}
	for range maxConflicts {
		d := webhookDoc[T]{Kind: kind, Tenant: tenant}
		at, err := s.get(ctx, documentID(kind, tenant), &d)
		if err != nil {
			return s.failure(ctx, err)
		}
		if changed, err := change(&d.Webhook); err != nil || !changed {
			return err
		}
		text, err := store.EncodeWebhook(d)
		if err != nil {
			return err
		}
		_, err = s.put(ctx, documentID(kind, tenant), []byte(text), at)
		if !cluster.IsRefusal(err, http.StatusConflict) {
			return s.failure(ctx, err)
		}
		if !cluster.Wait(ctx, pollInterval) {
			return store.Interrupted(ctx)
		}
	}
	return store.Errorf(store.Unavailable, "other writers were faster %d times in a row; try again", maxConflicts)
}

// PutEndpoint creates or replaces an endpoint.
func (s *Store) PutEndpoint(ctx context.Context, tenant string, e store.Endpoint) (store.Endpoint, error) {
	given, wrote := e.Version, ""
	err := replace(ctx, s, kindEndpoints, tenant, func(list *endpointList) (bool, error) {
		e.Version = given + 1
		text, err := store.EncodeWebhook(e)
		if err != nil {
			return false, err
		}
		at, found := slices.BinarySearchFunc(list.Endpoints, e.ID, func(a store.Endpoint, id string) int {
			return strings.Compare(a.ID, id)
		})
		current := 0
		if found {
			current = list.Endpoints[at].Version
			// The answer to an earlier attempt of this call may have been lost.
			if now, err := store.EncodeWebhook(list.Endpoints[at]); err == nil && now == wrote {
				return false, nil
			}
		}
		if current != given {
			return false, store.EndpointConflict(e.ID, current)
		}
		wrote = text
		if found {
			list.Endpoints[at] = e
		} else {
			list.Endpoints = slices.Insert(list.Endpoints, at, e)
		}
		return true, nil
	})
	return e, err
}

// The type "lease" says which dispatcher may send the events of a tenant, and when this right ends.
type lease struct {
	Holder string    `json:"holder"`
	Until  time.Time `json:"until"`
}

// Lease makes a dispatcher the only dispatcher of a tenant for the duration d. The parameter "holder" is the name of
// this dispatcher.
func (s *Store) Lease(ctx context.Context, tenant, holder string, d time.Duration) (held bool, err error) {
	err = replace(ctx, s, kindLease, tenant, func(l *lease) (bool, error) {
		now := s.now()
		if held = l.Holder == holder || !now.Before(l.Until); held {
			*l = lease{holder, now.Add(d).UTC()}
		}
		return held, nil
	})
	return held && d > 0 && err == nil, err
}

// Follow returns the decisions that Append added after a given decision. The parameter "after" is the number of that
// decision.
func (s *Store) Follow(
	ctx context.Context, tenant string, after int64, limit int,
) (entries []store.Entry, last int64, err error) {
	entries, err = read(ctx, s, tenant, func(ctx context.Context, j *journal) ([]store.Entry, error) {
		chain := store.Chain{Tenant: tenant, Writer: s.writer, Kind: store.KindDecision}
		at := slices.IndexFunc(j.Heads, func(h store.Head) bool { return h.Chain == chain })
		if at < 0 {
			return nil, nil
		}
		head := j.Heads[at]
		last = head.Seq
		first := max(after, head.Base) + 1
		if first > last || limit == 0 {
			return nil, nil
		}
		if err := s.showEntries(ctx, j); err != nil {
			return nil, err
		}
		q := query{
			index: auditIndex, Sort: order{}.by("seq", "asc"), Size: limit,
			Query: matchAll(append(chainFilters(chain), term("tenant_id", tenant), within(first, last))...),
		}
		found, err := s.search(ctx, &q)
		if err != nil {
			return nil, err
		}
		var out []store.Entry
		for i := range found.Hits.Hits {
			e, err := decodeEntry(found.Hits.Hits[i].Source)
			if err != nil {
				return nil, err
			}
			out = append(out, e)
		}
		return out, nil
	})
	return entries, last, err
}

// Marks returns the marks of a tenant's endpoints. A mark says which decisions the dispatcher has already processed for
// one endpoint.
func (s *Store) Marks(ctx context.Context, tenant string) ([]store.Mark, error) {
	lists, err := s.Endpoints(ctx, tenant)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(lists[0]))
	for i := range lists[0] {
		ids[i] = documentID(kindMark, tenant, lists[0][i].ID)
	}
	return read(ctx, s, tenant, func(ctx context.Context, _ *journal) ([]store.Mark, error) {
		found, err := s.documents(ctx, stateIndex, ids)
		if err != nil {
			return nil, err
		}
		out := []store.Mark{}
		for _, id := range ids {
			if found[id] == nil {
				continue
			}
			d, err := decodeWebhook[store.Mark](found[id])
			if err != nil {
				return nil, err
			}
			out = append(out, d.Webhook)
		}
		return out, nil
	})
}

// Queue adds deliveries and replaces marks.
func (s *Store) Queue(ctx context.Context, tenant string, deliveries []store.Delivery, marks ...store.Mark) error {
	_, err := read(ctx, s, tenant, func(ctx context.Context, _ *journal) (struct{}, error) {
		var added, marked []action
		for i := range deliveries {
			a, err := deliveryAction(tenant, &deliveries[i], false)
			if err != nil {
				return struct{}{}, err
			}
			added = append(added, a)
		}
		for i := range marks {
			m := &marks[i]
			a, err := newAction(stateIndex, documentID(kindMark, tenant, m.Endpoint), true,
				webhookDoc[*store.Mark]{Kind: kindMark, Tenant: tenant, Endpoint: m.Endpoint, Webhook: m})
			if err != nil {
				return struct{}{}, err
			}
			marked = append(marked, a)
		}
		if err := s.addMissing(ctx, added); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.execute(ctx, marked)
	})
	return err
}

// addMissing creates documents. Documents that exist stay as they are.
func (s *Store) addMissing(ctx context.Context, actions []action) error {
	for _, part := range portions(actions) {
		for attempt := 1; len(part) > 0; attempt++ {
			items, err := s.bulk(ctx, part)
			if err != nil {
				return err
			}
			again, _, err := checkItems(part, items)
			if err != nil && (!cluster.IsTemporary(err) || attempt == cluster.Attempts || !cluster.Pause(ctx, attempt)) {
				return err
			}
			part = again
		}
	}
	return nil
}

func deliveryAction(tenant string, d *store.Delivery, isReplaced bool) (action, error) {
	doc := webhookDoc[*store.Delivery]{
		Kind: kindDelivery, Tenant: tenant, Endpoint: d.Endpoint, Delivery: d.ID, Created: &d.Created, Webhook: d,
	}
	if !d.Due.IsZero() {
		doc.Due = &d.Due
	}
	return newAction(stateIndex, documentID(kindDelivery, tenant, d.ID), isReplaced, doc)
}

// SaveDelivery replaces a delivery.
func (s *Store) SaveDelivery(ctx context.Context, tenant string, d store.Delivery) error {
	_, err := read(ctx, s, tenant, func(ctx context.Context, _ *journal) (struct{}, error) {
		a, err := deliveryAction(tenant, &d, true)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.execute(ctx, []action{a})
	})
	return err
}

// Deliveries returns one page of deliveries.
func (s *Store) Deliveries(
	ctx context.Context, tenant string, q store.DeliveryQuery,
) (store.Page[store.Delivery], error) {
	pager, err := store.NewPager[sortValues](q.Paging, "elastic deliveries", tenant, q.Endpoint, q.ID, q.Due)
	if err != nil {
		return store.Page[store.Delivery]{}, err
	}
	return read(ctx, s, tenant, func(ctx context.Context, _ *journal) (store.Page[store.Delivery], error) {
		if err := s.refresh(ctx, stateIndex); err != nil {
			return store.Page[store.Delivery]{}, err
		}
		search := query{
			index: stateIndex, Query: matchAll(deliveryFilters(tenant, &q)...),
			Sort: order{}.by("created", "desc").by("delivery", "desc"),
		}
		if !q.Due.IsZero() {
			search.Sort = order{}.by("due", "asc").by("delivery", "asc")
		}
		if pager.Place != nil {
			search.After = *pager.Place
		}
		decode := func(source json.RawMessage) (store.Delivery, error) {
			d, err := decodeWebhook[store.Delivery](source)
			return d.Webhook, err
		}
		return readPage(ctx, s, search, &pager, decode)
	})
}

func deliveryFilters(tenant string, q *store.DeliveryQuery) []tree {
	out := []tree{term("kind", kindDelivery), term("tenant_id", tenant)}
	if q.Endpoint != "" {
		out = append(out, term("endpoint", q.Endpoint))
	}
	if q.ID != "" {
		out = append(out, term("delivery", q.ID))
	}
	if !q.Due.IsZero() {
		out = append(out, span("due", tree{"lte": q.Due.UnixMilli(), "format": "epoch_millis"}))
	}
	return out
}

// PruneDeliveries deletes old deliveries.
func (s *Store) PruneDeliveries(ctx context.Context, tenant string, before time.Time, keep int) (int64, error) {
	return read(ctx, s, tenant, func(ctx context.Context, _ *journal) (int64, error) {
		if err := s.refresh(ctx, stateIndex); err != nil {
			return 0, err
		}
		old, err := s.oldDeliveries(ctx, tenant, before, keep)
		if err != nil {
			return 0, err
		}
		filters := append(deliveryFilters(tenant, &store.DeliveryQuery{}), either(old...))
		return s.deleteDocuments(ctx, s.indices.single(stateIndex), matchAll(filters...))
	})
}

// oldDeliveries returns filters that match the deliveries that were created before a given time. The filters also match
// finished deliveries that are not among the newest deliveries. The parameter "keep" is the number of these newest
// deliveries.
func (s *Store) oldDeliveries(ctx context.Context, tenant string, before time.Time, keep int) ([]tree, error) {
	created := func(bound string, at any) tree {
		return span("created", tree{bound: at, "format": "epoch_millis"})
	}
	old := []tree{created("lt", roundUp(before))}
	isDone := not(tree{"exists": tree{"field": "due"}})
	if keep == 0 {
		return append(old, isDone), nil
	}
	newest := query{
		index: stateIndex, Query: matchAll(deliveryFilters(tenant, &store.DeliveryQuery{})...),
		Sort: order{}.by("created", "desc").by("delivery", "desc"),
	}
	last, err := s.skip(ctx, newest, keep)
	if err != nil || len(last) < 2 {
		return old, err
	}
	return append(old, matchAll(isDone, created("lt", last[0])),
		matchAll(isDone, created("lte", last[0]), span("delivery", tree{"lt": last[1]}))), nil
}

// either() returns a query for the documents that match at least one filter.
func either(filters ...tree) tree {
	return tree{"bool": tree{"should": filters, "minimum_should_match": 1}}
}
