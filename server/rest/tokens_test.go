package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"guardrails/server/access"
	"guardrails/server/rest"
)

func TestAnAdminMakesAndRevokesTokensOfItsTenant(t *testing.T) {
	api := newAPI(t)
	api.get(base+"/tokens").has("tokens", "[]")
	made := api.send(http.MethodPost, base+"/tokens", `{"name":"ci_1","role":"read","expires":"2099-01-31T12:00:00Z"}`).is(201).
		has("tenant_id", "shop").has("role", "read").has("expires", "2099-01-31T12:00:00Z")
	secret := made.value("token")
	r := api.get(base+"/tokens").has("tokens.0.name", "ci_1").has("tokens.0.problem", "null")
	if !strings.HasPrefix(secret, "gr_") || strings.Contains(r.text, secret) {
		t.Errorf("%s", r.text)
	}
	api.send(http.MethodPost, base+"/tokens", `{"name":"ci_1","role":"admin"}`).is(409)
	api.send(http.MethodPost, rest.SessionPath, `{"token":"`+secret+`"}`).is(201).has("name", "ci_1").has("role", "read")
	api.actAs(access.Caller{Name: "theirs", Tenant: "other", Role: access.Admin})
	api.get(base+"/tokens").has("tokens", "[]")
	api.send(http.MethodDelete, base+"/tokens/ci_1", "").is(404)
	api.send(http.MethodPost, base+"/tokens", `{"name":"ci_1","role":"read"}`).is(201).has("tenant_id", "other")
	api.actAs(access.Caller{Name: "alice", Tenant: "shop", Role: access.Admin})
	api.send(http.MethodDelete, base+"/tokens/ci_1", "").is(204)
	api.send(http.MethodDelete, base+"/tokens/ci_1", "").is(404)
	api.send(http.MethodPost, rest.SessionPath, `{"token":"`+secret+`"}`).is(401)
	if logged := api.logged.String(); strings.Contains(logged, secret) || !strings.Contains(logged, "a token was created") || !strings.Contains(logged, "by=alice") {
		t.Errorf("%s", logged)
	}
}

func TestTokensThatCannotBeMadeAreRefused(t *testing.T) {
	api := newAPI(t)
	for _, body := range []string{
		`{}`, `{"name":"a"}`, `{"role":"read"}`, `{"name":"a/b","role":"read"}`, `{"name":"../a","role":"read"}`, `{"name":"","role":"read"}`,
		`{"name":"a","role":"nobody"}`, `{"name":"owner","role":"read"}`, `{"name":"a","role":"read","expires":"2020-01-01T00:00:00Z"}`,
		`{"name":"a","role":"read","expires":"soon"}`, `{"name":"a","role":"read","expires":5}`, `{"name":"a","role":"read","tenant_id":"other"}`,
	} {
		if r := api.send(http.MethodPost, base+"/tokens", body); r.status != 400 {
			t.Errorf("%s: %d %s", body, r.status, r.text)
		}
	}
	for _, name := range []string{"owner", "..%2Ftoken", "%2E%2E"} {
		if r := api.send(http.MethodDelete, base+"/tokens/"+name, ""); r.status != 404 {
			t.Errorf("%s: %d %s", name, r.status, r.text)
		}
	}
	api.actAs(access.Caller{Name: "bob", Tenant: "shop", Role: access.Write})
	api.send(http.MethodGet, base+"/tokens", "").is(403)
	api.send(http.MethodPost, base+"/tokens", `{"name":"a","role":"read"}`).is(403)
	api.send(http.MethodDelete, base+"/tokens/a", "").is(403)
}

func TestOnlyTheServersOwnTenantSeesItsSettings(t *testing.T) {
	api := newAPI(t)
	api.writeProject(".claude/guardrails.yaml", "packs: [core]\nstrict: true\naudit: {keep_days: 30}\ndefault_agent: main\n")
	api.get(base+"/settings").has("settings.strict", "true").has("settings.packs", `["core"]`).has("settings.keep_days", "30").has("server_version", "1.2.3")
	api.actAs(access.Caller{Name: "r", Tenant: "other", Role: access.Read})
	api.get(base+"/settings").has("settings", "null").has("tenant_id", "other")
}
