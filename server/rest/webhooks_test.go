package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"guardrails/server/access"
)

const hookBody = `{"url":"https://hooks.example.com/guardrails?key=k","events":["safety.*"]}`

// hook is a webhook in an answer.
type hook struct {
	ID, URL, Secret string
	Version         int
	Events          []string
	Enabled         bool
}

func hookIn(t *testing.T, r reply) (h hook) {
	t.Helper()
	check(t, json.Unmarshal([]byte(r.text), &h))
	return h
}

func TestWebhooksAreAddedChangedAndRemoved(t *testing.T) {
	api := newAPI(t)
	hooks := base + "/webhooks"
	added := api.send(http.MethodPost, hooks, hookBody).is(201)
	h := hookIn(t, added)
	if !strings.HasPrefix(h.Secret, "whsec_") || strings.Contains(h.URL, "key") || added.header.Get("Location") != hooks+"/"+h.ID {
		t.Errorf("got %+v", h)
	}
	one := hooks + "/" + h.ID
	changed := hookIn(t, api.send(http.MethodPut, one, `{"version":1,"events":["safety.blocked"],"enabled":false}`).is(200))
	if changed.Enabled || changed.Version != 2 || changed.Secret != "" {
		t.Errorf("got %+v", changed)
	}
	api.send(http.MethodPut, one, `{"version":1,"enabled":true}`).is(409)
	api.send(http.MethodPut, one, `{"enabled":true}`, `If-Match: "1"`).is(412)
	api.send(http.MethodPut, one, `{"enabled":7}`, `If-Match: "x"`).is(400)
	api.send(http.MethodPut, one, `{"enabled":true}`, `If-Match: "x"`).is(412)
	api.send(http.MethodPut, one, `{"enabled":true}`, `If-Match: "2"`).is(200)
	api.send(http.MethodPut, one, `{"enabled":true}`).is(400)
	rotated := hookIn(t, api.send(http.MethodPost, one+"/rotate", "").is(200))
	if rotated.Secret == h.Secret || rotated.Secret == "" {
		t.Errorf("got %+v", rotated)
	}
	for _, path := range []string{hooks, one, base + "/audit?event_type=webhook_added", base + "/audit?event_type=webhook_rotated"} {
		if text := api.send(http.MethodGet, path, "").is(200).text; strings.Contains(text, "whsec_") || strings.Contains(text, "key=k") {
			t.Errorf("%s shows a secret: %s", path, text)
		}
	}
	api.send(http.MethodDelete, one+"?version=1", "").is(409)
	api.send(http.MethodDelete, one, "").is(200)
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		api.send(method, one, "").is(404)
	}
	api.send(http.MethodPost, one+"/test", "").is(404)
}

func TestARepeatedChangeOfAWebhookIsMadeOnce(t *testing.T) {
	api := newAPI(t)
	key := "Idempotency-Key: change-1234"
	first := hookIn(t, api.send(http.MethodPost, base+"/webhooks", hookBody, key).is(201))
	again := hookIn(t, api.send(http.MethodPost, base+"/webhooks", hookBody, key).is(201))
	if first.ID != again.ID || first.Secret != again.Secret {
		t.Errorf("got %+v and %+v", first, again)
	}
	api.send(http.MethodPost, base+"/webhooks", `{"url":"https://other.example.com/"}`, key).is(400)
	one := base + "/webhooks/" + first.ID
	for key, c := range map[string]struct{ method, path, body string }{
		"changed-1": {http.MethodPut, one, `{"version":1,"description":"duty"}`},
		"tested-12": {http.MethodPost, one + "/test", ""},
	} {
		api.repeats(c.method, c.path, c.body, key)
	}
	api.repeats(http.MethodPost, one+"/rotate", "", "rotated-1")
	api.repeats(http.MethodDelete, one+"?version=3", "", "removed-1")
}

// repeats() checks that a repeated change has the same answer.
func (api *testAPI) repeats(method, path, body, key string) {
	api.t.Helper()
	first := api.send(method, path, body, "Idempotency-Key: "+key).is(200)
	again := api.send(method, path, body, "Idempotency-Key: "+key).is(200)
	if first.text != again.text {
		api.t.Errorf("%s %s: got %s, then %s", method, path, first.text, again.text)
	}
}

func TestWrongWebhooksAreRefused(t *testing.T) {
	api := newAPI(t)
	for body, want := range map[string]string{
		`{}`:                                 "url",
		`{"url":"http://example.com/"}`:      "url",
		`{"url":"https://u:p@example.com/"}`: "url",
		`{"url":"https://example.com/","events":["everything"]}`: "events",
		`{"url":"https://example.com/","format":"teams"}`:        "format",
		`{"url":"https://example.com/","secret":"x"}`:            "secret",
		`{"url":7}`: "url",
	} {
		if r := api.send(http.MethodPost, base+"/webhooks", body).is(400); !strings.Contains(r.text, `"path":"`+want) {
			t.Errorf("%s: got %s", body, r.text)
		}
	}
}

func TestWebhooksNeedTheRoleAdminAndBelongToATenant(t *testing.T) {
	api := newAPI(t)
	h := hookIn(t, api.send(http.MethodPost, base+"/webhooks", hookBody).is(201))
	one := base + "/webhooks/" + h.ID
	api.caller = access.Caller{Name: "bob", Tenant: "shop", Role: access.Write}
	for _, c := range []struct{ method, path, body string }{
		{http.MethodGet, base + "/webhooks", ""},
		{http.MethodPost, base + "/webhooks", hookBody},
		{http.MethodGet, one, ""},
		{http.MethodPost, one + "/test", ""},
		{http.MethodGet, one + "/deliveries", ""},
	} {
		api.send(c.method, c.path, c.body).is(403)
	}
	api.caller = access.Caller{Name: "eve", Tenant: "other", Role: access.Admin}
	api.send(http.MethodGet, one, "").is(404)
	api.send(http.MethodPost, one+"/rotate", "").is(404)
	api.send(http.MethodGet, one+"/deliveries", "").is(404)
}

func TestDeliveriesAreListedAndSentAgain(t *testing.T) {
	api := newAPI(t)
	h := hookIn(t, api.send(http.MethodPost, base+"/webhooks", hookBody).is(201))
	one := base + "/webhooks/" + h.ID
	var sent, again struct {
		ID     string
		Replay string `json:"replay_of"`
		State  string
		Body   string
	}
	check(t, json.Unmarshal([]byte(api.send(http.MethodPost, one+"/test", "").is(200).text), &sent))
	check(t, json.Unmarshal([]byte(api.send(http.MethodPost, one+"/deliveries/"+sent.ID+"/replay", "").is(200).text), &again))
	if again.Replay != sent.ID || again.ID == sent.ID || again.Body != sent.Body || again.State != "delivered" {
		t.Errorf("got %+v and %+v", sent, again)
	}
	var list struct {
		Total      int
		Deliveries []struct{ ID string }
	}
	check(t, json.Unmarshal([]byte(api.send(http.MethodGet, one+"/deliveries?page_size=1", "").is(200).text), &list))
	if list.Total != 2 || len(list.Deliveries) != 1 {
		t.Errorf("got %+v", list)
	}
	api.send(http.MethodPost, one+"/deliveries/dlv_0/replay", "").is(404)
	api.send(http.MethodGet, one+"/deliveries/"+sent.ID+"/replay", "").is(405)
}

// A guideline can have the id "webhooks", which is a fixed word of the paths.
func TestAGuidelineCanBeCalledWebhooks(t *testing.T) {
	api := newAPI(t)
	api.create("webhooks", "")
	if r := api.send(http.MethodGet, base+"/~webhooks", "").is(200); !strings.Contains(r.text, `"id":"webhooks"`) {
		t.Errorf("got %s", r.text)
	}
	if r := api.send(http.MethodGet, base+"/webhooks", "").is(200); !strings.Contains(r.text, `"webhooks":[]`) {
		t.Errorf("got %s", r.text)
	}
}
