package rest

import (
	"net/http"

	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/server/rest/query"
	"guardrails/store"
	"guardrails/webhook"
	"guardrails/webhook/registry"
)

const (
	hooks    = base + "/webhooks"
	oneHook  = hooks + "/" + idSegment
	sentHook = oneHook + "/deliveries"
	hookID   = "The webhook's id."
)

// webhookRoutes returns the routes of webhooks.
func webhookRoutes() []route {
	shown := []answer{{http.StatusOK, "The webhook as it is now", "Webhook", []string{typeJSON}, []header{etagHeader()}}}
	tried := []answer{{status: http.StatusOK, about: "The delivery with its try", schema: "Delivery", types: []string{typeJSON}}}
	return []route{
		{
			method: http.MethodGet, path: hooks, name: "list_webhooks", role: access.Admin,
			summary: "List webhooks", about: "The list has no pages, because a tenant has at most " +
				decimal(webhook.MaxEndpoints) + " webhooks. Parts of URLs that can be secrets are left out.", serve: (*call).listWebhooks,
			answers: []answer{{status: http.StatusOK, about: "All webhooks", schema: "WebhookList", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: hooks, name: "add_webhook", role: access.Admin,
			summary: "Add a webhook",
			about: "The webhook gets the events that happen from now on. The answer contains the secret with which receivers " +
				"check signatures. No other answer contains the secret. Events contain no text that people or models wrote, " +
				"unless the setting `safety.preview` is `masked`.",
			headers: []header{keyHeader()}, body: &body{schema: "WebhookCreate", most: maxOne}, serve: (*call).addWebhook,
			answers: []answer{{
				http.StatusCreated, "The new webhook with its secret", "WebhookSecret",
				[]string{typeJSON},
				[]header{etagHeader(), locationHeader()},
			}},
		},
		{
			method: http.MethodGet, path: oneHook, idAbout: hookID, name: "get_webhook", role: access.Admin,
			summary: "Get a webhook", serve: (*call).getWebhook, answers: shown,
		},
		{
			method: http.MethodPut, path: oneHook, idAbout: hookID, name: "update_webhook", role: access.Admin,
			summary: "Update a webhook",
			about: "Fields that are missing or null keep their values. A webhook that is enabled again gets the events that happen " +
				"from now on, and the deliveries that were still waiting. " + versionNeeded,
			headers: []header{matchHeader(), keyHeader()}, body: &body{schema: "WebhookUpdate", most: maxOne},
			serve: (*call).updateWebhook, answers: shown,
		},
		{
			method: http.MethodDelete, path: oneHook, idAbout: hookID, name: "remove_webhook", role: access.Admin,
			summary: "Remove a webhook",
			about:   "The deliveries of the webhook can be read until the store removes them. " + versionMatters,
			parameters: []query.Parameter{{
				Name: "version", Kind: query.Number, Low: 1, High: maxVersion,
				About: "The version that the caller saw",
			}},
			headers: []header{matchHeader(), keyHeader()}, serve: (*call).removeWebhook,
			answers: []answer{{
				status: http.StatusOK, about: "The webhook is removed", schema: "WebhookRemoved", types: []string{typeJSON},
			}},
		},
		{
			method: http.MethodPost, path: oneHook + "/test", idAbout: hookID, name: "test_webhook", role: access.Admin,
			summary: "Send a test event", about: "Sends the event `webhook.test` now. If this fails, the server does not try " +
				"again.",
			headers: []header{keyHeader()}, serve: (*call).testWebhook, answers: tried,
		},
		{
			method: http.MethodPost, path: oneHook + "/rotate", idAbout: hookID, name: "rotate_webhook", role: access.Admin,
			summary: "Give a webhook a new secret", about: "For 24 hours, requests are signed with the old secret too.",
			headers: []header{keyHeader()}, serve: (*call).rotateWebhook, answers: []answer{{
				http.StatusOK, "The webhook with its new secret", "WebhookSecret",
				[]string{typeJSON},
				[]header{etagHeader()},
			}},
		},
		{
			method: http.MethodGet, path: sentHook, idAbout: hookID, name: "list_deliveries", role: access.Admin,
			summary: "List the deliveries of a webhook", about: "The newest deliveries come first. Each delivery has all of " +
				"its tries.",
			parameters: pages(store.DefaultPageSize), serve: (*call).listDeliveries,
			answers: []answer{{status: http.StatusOK, about: "One page", schema: "DeliveryList", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: sentHook + "/" + deliverySegment + "/replay", idAbout: hookID, name: "replay_delivery", role: access.Admin,
			summary: "Send a delivery again",
			about:   "Sends the same body as a new delivery. If the first try fails, the server tries again later.",
			headers: []header{keyHeader()}, serve: (*call).replayDelivery, answers: tried,
		},
	}
}

// registry() returns the webhooks of the caller's tenant.
func (c *call) registry() (*registry.Registry, error) {
	tenantStore, err := c.tenantStore()
	if err != nil {
		return nil, err
	}
	return &registry.Registry{Store: tenantStore.Webhooks(), Sender: c.h.o.Sender, Now: c.h.o.Now}, nil
}

func (c *call) listWebhooks() error {
	r, err := c.registry()
	if err != nil {
		return err
	}
	list, err := r.List(c.r.Context())
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, struct {
		Webhooks []registry.View `json:"webhooks"`
	}{list})
}

func (c *call) addWebhook() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	choice := registry.Decode(d, fieldsOf(n))
	if len(d.Problems) > 0 {
		return invalid(d.Problems)
	}
	r, err := c.registry()
	if err != nil {
		return err
	}
	added, err := r.Add(c.r.Context(), choice)
	if err != nil {
		return err
	}
	c.w.Header().Set("Location", hooks+"/"+added.ID)
	c.w.Header().Set("ETag", etag(added.Version))
	return c.say(http.StatusCreated, added)
}

func (c *call) getWebhook() error {
	r, err := c.registry()
	if err != nil {
		return err
	}
	v, err := r.Get(c.r.Context(), c.id)
	return c.sayWebhook(v.Version, v, err)
}

// sayWebhook answers with a webhook.
func (c *call) sayWebhook(version int, what any, err error) error {
	if err != nil {
		return err
	}
	c.w.Header().Set("ETag", etag(version))
	return c.say(http.StatusOK, what)
}

func (c *call) updateWebhook() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	choice := registry.Decode(d, fieldsOf(n))
	if len(d.Problems) == 0 {
		d.Problems = choice.Problems()
	}
	version := c.seen(d, versionIn(d, n), true)
	if len(d.Problems) > 0 {
		return invalid(d.Problems)
	}
	r, err := c.registry()
	if err != nil {
		return err
	}
	v, err := r.Change(c.r.Context(), c.id, version, choice)
	return c.sayWebhook(v.Version, v, err)
}

func (c *call) removeWebhook() error {
	d := &document.Decoder{}
	version := c.seen(d, c.query.Number("version"), false)
	if len(d.Problems) > 0 {
		return invalid(d.Problems)
	}
	r, err := c.registry()
	if err != nil {
		return err
	}
	if err := r.Remove(c.r.Context(), c.id, version); err != nil {
		return err
	}
	return c.say(http.StatusOK, struct {
		Success bool   `json:"success"`
		ID      string `json:"id"`
	}{true, c.id})
}

func (c *call) testWebhook() error {
	r, err := c.registry()
	if err != nil {
		return err
	}
	d, err := r.Test(c.r.Context(), c.id)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, d)
}

func (c *call) rotateWebhook() error {
	r, err := c.registry()
	if err != nil {
		return err
	}
	rotated, err := r.Rotate(c.r.Context(), c.id)
	return c.sayWebhook(rotated.Version, rotated, err)
}

func (c *call) listDeliveries() error {
	r, err := c.registry()
	if err != nil {
		return err
	}
	page, err := r.Deliveries(c.r.Context(), c.id, c.paging())
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, struct {
		Deliveries []store.Delivery `json:"deliveries"`
		counted
	}{page.Items, countedOf(&page)})
}

func (c *call) replayDelivery() error {
	r, err := c.registry()
	if err != nil {
		return err
	}
	d, err := r.Replay(c.r.Context(), c.id, c.delivery)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, d)
}
