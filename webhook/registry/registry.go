// Package registry changes the webhooks of a tenant, for all transports: it adds, changes and removes endpoints,
// rotates their secrets, tests them, and repeats deliveries.
//
// Start with Registry. view.go defines what callers see. Callers see a secret only once, when it is made.
package registry

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"guardrails/internal/document"
	"guardrails/store"
	"guardrails/webhook"
)

// Store gives access to the data of one tenant.
type Store interface {
	Tenant() string
	Actor() string
	// WriteID returns the id that the caller has given to the change, or "".
	WriteID() string
	Endpoints(ctx context.Context) ([]store.Endpoint, error)
	PutEndpoint(ctx context.Context, e store.Endpoint) (store.Endpoint, error)
	Follow(ctx context.Context, after int64, limit int) (entries []store.Entry, last int64, err error)
	Marks(ctx context.Context) ([]store.Mark, error)
	Queue(ctx context.Context, deliveries []store.Delivery, marks ...store.Mark) error
	SaveDelivery(ctx context.Context, d store.Delivery) error
	Deliveries(ctx context.Context, q store.DeliveryQuery) (store.Page[store.Delivery], error)
	Append(ctx context.Context, entries ...store.Entry) ([]store.Entry, error)
}

// Sender tries a delivery once. If ctx ended before there was an answer, the result "ok" is false.
type Sender interface {
	Try(ctx context.Context, e *store.Endpoint, d *store.Delivery) (outcome webhook.Outcome, ok bool)
}

// Registry has the webhooks of one tenant.
type Registry struct {
	Store  Store
	Sender Sender
	Now    func() time.Time
}

// Choice is what a person chooses for a webhook. In a change, nil fields keep their values.
type Choice struct {
	URL          *string
	Format       *string
	Events       []string
	AllowPrivate *bool
	Description  *string
	Enabled      *bool
}

// disabledByPerson is the beginning of Endpoint.Disabled if a person has disabled the endpoint. The name of the person
// follows.
const disabledByPerson = "disabled by "

// apply() changes an endpoint. It reports whether the change enables a disabled endpoint. The endpoint then begins a
// new run (see store.Endpoint.Run).
func (c *Choice) apply(e *store.Endpoint, actor string) (begins bool) {
	if c.URL != nil && *c.URL != e.URL {
		e.URL, e.Format = strings.TrimSpace(*c.URL), ""
	}
	set(&e.Format, c.Format)
	set(&e.AllowPrivate, c.AllowPrivate)
	set(&e.Description, c.Description)
	if c.Events != nil {
		e.Events = slices.Clone(c.Events)
	}
	webhook.Complete(e)
	if c.Enabled == nil || *c.Enabled == (e.Disabled == "") {
		return false
	}
	if e.Disabled = ""; !*c.Enabled {
		e.Disabled = disabledByPerson + actor
	}
	return *c.Enabled
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

// List returns all webhooks.
func (r *Registry) List(ctx context.Context) ([]View, error) {
	all, err := r.Store.Endpoints(ctx)
	if err != nil {
		return nil, err
	}
	marks, err := r.Store.Marks(ctx)
	out := []View{}
	for i := range all {
		if !all[i].Removed {
			out = append(out, viewOf(&all[i], marks))
		}
	}
	return out, err
}

// Get returns one webhook.
func (r *Registry) Get(ctx context.Context, id string) (View, error) {
	e, err := r.endpoint(ctx, id)
	if err != nil {
		return View{}, err
	}
	marks, err := r.Store.Marks(ctx)
	return viewOf(e, marks), err
}

// endpoint() returns an endpoint that was not removed.
func (r *Registry) endpoint(ctx context.Context, id string) (*store.Endpoint, error) {
	e, err := r.find(ctx, id)
	if err == nil && (e == nil || e.Removed) {
		err = store.EndpointConflict(id, 0)
	}
	return e, err
}

func (r *Registry) find(ctx context.Context, id string) (*store.Endpoint, error) {
	all, err := r.Store.Endpoints(ctx)
	for i := range all {
		if all[i].ID == id {
			return &all[i], err
		}
	}
	return nil, err
}

// Add adds a webhook. The webhook gets the events of all later decisions.
func (r *Registry) Add(ctx context.Context, c Choice) (Secret, error) {
	writeID := cmp.Or(r.Store.WriteID(), store.NewID(r.Now()))
	e := store.Endpoint{
		ID: "wh_" + digest(r.Store.Tenant(), writeID), Run: 1, WriteID: writeID, Actor: r.Store.Actor(),
		Created: r.Now().UTC().Truncate(time.Millisecond),
	}
	c.apply(&e, e.Actor)
	if problems := webhook.Check(&e); len(problems) > 0 {
		return Secret{}, problems
	}
	var err error
	if e.Fingerprint, err = store.Fingerprint("add webhook", c); err != nil {
		return Secret{}, err
	}
	if known, err := r.find(ctx, e.ID); err != nil || known != nil {
		return repeatedAdd(known, &e, err)
	}
	if err := r.checkRoom(ctx); err != nil {
		return Secret{}, err
	}
	if e.Format == webhook.FormatJSON {
		e.Secrets = webhook.Rotate(nil, webhook.NewSecret(), r.Now())
	}
	if _, e.Begin, err = r.Store.Follow(ctx, 0, 0); err != nil {
		return Secret{}, err
	}
	webhook.NoteChange(&e, webhook.EntryAdded, e.Actor, r.Now(), webhook.Differences(&store.Endpoint{}, &e)...)
	put, err := r.put(ctx, e)
	if store.CodeOf(err) == store.Conflict {
		known, err := r.find(ctx, e.ID)
		return repeatedAdd(known, &e, err)
	}
	if err != nil {
		return Secret{}, err
	}
	return secretOf(&put), nil
}

// repeatedAdd returns the answer to a repeated request to add a webhook.
func repeatedAdd(known, e *store.Endpoint, err error) (Secret, error) {
	switch {
	case err != nil:
		return Secret{}, err
	case known.Removed:
		return Secret{}, store.EndpointConflict(known.ID, 0)
	case known.WriteID != e.WriteID: // the webhook was changed after the first request, and its secret is shown only once
		return Secret{}, store.EndpointConflict(known.ID, known.Version)
	case known.Fingerprint != e.Fingerprint:
		return Secret{}, store.Reused(e.WriteID)
	}
	return secretOf(known), nil
}

func (r *Registry) checkRoom(ctx context.Context) error {
	all, err := r.List(ctx)
	if err == nil && len(all) >= webhook.MaxEndpoints {
		return store.Errorf(store.Invalid, "there are %d webhooks already, and more are not possible; remove one first", len(all))
	}
	return err
}

// put() stores an endpoint and its change.
func (r *Registry) put(ctx context.Context, e store.Endpoint) (store.Endpoint, error) {
	put, err := r.Store.PutEndpoint(ctx, e)
	if err != nil {
		return e, err
	}
	_, err = r.Store.Append(ctx, *put.Change)
	return put, err
}

// The constant "attempts" is the maximum number of attempts for a change without a version. An attempt fails if
// somebody else has just changed the webhook.
const attempts = 5

// edit() calls the function f() to change an endpoint, if the endpoint still has the given version. With version 0, the
// endpoint may have any version. The result of f() is the event of the change. If the event is empty, nothing changes.
func (r *Registry) edit(
	ctx context.Context, id string, version int, name string, arguments any, f func(e *store.Endpoint) (string, error),
) (*store.Endpoint, error) {
	print, err := store.Fingerprint(name, id, version, arguments)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		e, err := r.editOnce(ctx, id, version, print, f)
		if version != 0 || store.CodeOf(err) != store.Conflict || attempt == attempts {
			return e, err
		}
	}
}

func (r *Registry) editOnce(
	ctx context.Context, id string, version int, print string, f func(e *store.Endpoint) (string, error),
) (*store.Endpoint, error) {
	e, err := r.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if e != nil && r.Store.WriteID() != "" && e.WriteID == r.Store.WriteID() {
		if e.Fingerprint != print {
			return nil, store.Reused(e.WriteID)
		}
		return e, nil // the first request has made this change
	}
	switch {
	case e == nil || e.Removed:
		return nil, store.EndpointConflict(id, 0)
	case version != 0 && version != e.Version:
		return nil, store.EndpointConflict(id, e.Version)
	}
	// e.Change describes the previous change and is about to be overwritten. If the process that made the previous change
	// was killed, the audit may still lack the entry of that change. So add that entry first.
	if e.Change != nil {
		if _, err := r.Store.Append(ctx, *e.Change); err != nil {
			return nil, err
		}
	}
	before := *e
	event, err := f(e)
	if err != nil || event == "" {
		return e, err
	}
	e.WriteID, e.Fingerprint = r.Store.WriteID(), print
	webhook.NoteChange(e, event, r.Store.Actor(), r.Now(), webhook.Differences(&before, e)...)
	put, err := r.put(ctx, *e)
	return &put, err
}

// Change changes a webhook. If the change enables it again, the webhook gets the events of all later decisions. Version
// 0 stands for the current version.
func (r *Registry) Change(ctx context.Context, id string, version int, c Choice) (View, error) {
	e, err := r.edit(ctx, id, version, "change webhook", c, func(e *store.Endpoint) (event string, err error) {
		before := *e
		begins := c.apply(e, r.Store.Actor())
		if problems := webhook.Check(e); len(problems) > 0 {
			return "", problems
		}
		if len(webhook.Differences(&before, e)) == 0 && e.URL == before.URL {
			return "", nil
		}
		if e.Format == webhook.FormatJSON && len(e.Secrets) == 0 {
			e.Secrets = webhook.Rotate(nil, webhook.NewSecret(), r.Now())
		}
		if begins {
			e.Run++
			_, e.Begin, err = r.Store.Follow(ctx, 0, 0)
		}
		return webhook.EntryChanged, err
	})
	if err != nil {
		return View{}, err
	}
	marks, err := r.Store.Marks(ctx)
	return viewOf(e, marks), err
}

// Rotate gives a webhook a new secret. For 24 hours, requests are also signed with the previous secret.
func (r *Registry) Rotate(ctx context.Context, id string) (Secret, error) {
	e, err := r.edit(ctx, id, 0, "rotate webhook", nil, func(e *store.Endpoint) (string, error) {
		if e.Format != webhook.FormatJSON {
			return "", store.Errorf(store.Invalid, "the webhook %s has the format %s, which has no signature; change its URL instead",
				id, e.Format)
		}
		e.Secrets = webhook.Rotate(e.Secrets, webhook.NewSecret(), r.Now())
		return webhook.EntryRotated, nil
	})
	if err != nil {
		return Secret{}, err
	}
	return secretOf(e), nil
}

// Remove removes a webhook. Its deliveries stay in the log.
func (r *Registry) Remove(ctx context.Context, id string, version int) error {
	_, err := r.edit(ctx, id, version, "remove webhook", nil, func(e *store.Endpoint) (string, error) {
		e.Removed, e.Secrets, e.URL = true, nil, ""
		return webhook.EntryRemoved, nil
	})
	return err
}

// Test sends one event to a webhook and returns the delivery. The delivery is not tried again.
func (r *Registry) Test(ctx context.Context, id string) (store.Delivery, error) {
	e, err := r.endpoint(ctx, id)
	if err != nil {
		return store.Delivery{}, err
	}
	event := webhook.NewTest(r.Store.Tenant(), cmp.Or(r.Store.WriteID(), store.NewID(r.Now())), r.Now())
	return r.send(ctx, e, event.Delivery(e.ID, r.Now()))
}

// sendTime is a duration. While a caller tries a delivery, dispatchers leave the delivery alone for this duration.
const sendTime = 30 * time.Second

// send() stores a delivery and tries it once. If the process is killed before the try is finished, a dispatcher tries
// the delivery later. If the store already has the delivery, send() only returns the stored delivery. If the receiver
// wants no more deliveries, the endpoint is disabled.
func (r *Registry) send(ctx context.Context, e *store.Endpoint, d store.Delivery) (store.Delivery, error) {
	if known, err := r.delivery(ctx, e.ID, d.ID); store.CodeOf(err) != store.NotFound {
		return known, err
	}
	d.Due = d.Created.Add(sendTime)
	if err := r.Store.Queue(ctx, []store.Delivery{d}); err != nil {
		return d, err
	}
	outcome, ok := r.Sender.Try(ctx, e, &d)
	if !ok {
		return d, store.Interrupted(ctx)
	}
	ctx = context.WithoutCancel(ctx) // the result is stored even if the caller has gone
	if d.State != store.DeliveryPending {
		if _, err := r.Store.Append(ctx, webhook.OutcomeEntry(&d, r.Now())); err != nil {
			return d, err
		}
	}
	if err := r.Store.SaveDelivery(ctx, d); err != nil || outcome != webhook.Gone {
		return d, err
	}
	_, err := webhook.Disable(ctx, r.Store, e.ID, webhook.WhyGone, r.Now())
	return d, err
}

// Deliveries returns one page of the deliveries of a webhook, newest first.
func (r *Registry) Deliveries(ctx context.Context, id string, p store.Paging) (store.Page[store.Delivery], error) {
	if e, err := r.find(ctx, id); err != nil || e == nil {
		return store.Page[store.Delivery]{}, cmp.Or(err, error(store.EndpointConflict(id, 0)))
	}
	return r.Store.Deliveries(ctx, store.DeliveryQuery{Endpoint: id, Paging: p})
}

func (r *Registry) delivery(ctx context.Context, endpoint, id string) (store.Delivery, error) {
	page, err := r.Store.Deliveries(ctx, store.DeliveryQuery{Endpoint: endpoint, ID: id})
	if err != nil {
		return store.Delivery{}, err
	}
	if len(page.Items) == 0 {
		return store.Delivery{}, store.Errorf(store.NotFound, "the webhook %.80q has no delivery %.80q", endpoint, id)
	}
	return page.Items[0], nil
}

// Replay sends the body of a delivery again, as a new delivery. If the first try fails, a dispatcher tries the delivery
// again.
func (r *Registry) Replay(ctx context.Context, id, delivery string) (store.Delivery, error) {
	e, err := r.endpoint(ctx, id)
	if err != nil {
		return store.Delivery{}, err
	}
	d, err := r.delivery(ctx, id, delivery)
	if err != nil {
		return d, err
	}
	return r.send(ctx, e, webhook.Replay(&d, cmp.Or(r.Store.WriteID(), store.NewID(r.Now())), r.Now()))
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:10])
}

// Problems returns the mistakes in the fields of a choice that changes an endpoint. Fields that the choice leaves
// unchanged have no mistakes.
func (c *Choice) Problems() document.Problems {
	e := store.Endpoint{URL: "https://localhost", Format: webhook.FormatJSON}
	c.apply(&e, "")
	return webhook.Check(&e)
}

// Decode reads a choice from a request.
func Decode(d *document.Decoder, n *document.Node) (c Choice) {
	read := func(n *document.Node, path string) *string {
		s := d.String(n, path, true)
		return &s
	}
	flag := func(n *document.Node, path string) *bool {
		b := d.Bool(n, path)
		return &b
	}
	d.Object(n, "", []document.Spec{
		{Name: "url", Read: func(n *document.Node, path string) { c.URL = read(n, path) }},
		{Name: "format", Read: func(n *document.Node, path string) { c.Format = read(n, path) }},
		{Name: "events", Read: func(n *document.Node, path string) { c.Events = d.Strings(n, path) }},
		{Name: "allow_private", Read: func(n *document.Node, path string) { c.AllowPrivate = flag(n, path) }},
		{Name: "description", Read: func(n *document.Node, path string) { c.Description = read(n, path) }},
		{Name: "enabled", Read: func(n *document.Node, path string) { c.Enabled = flag(n, path) }},
	})
	return c
}
