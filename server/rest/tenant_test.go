package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"guardrails/server/access"
)

func TestATenantSeesNothingOfAnother(t *testing.T) {
	d := newDoor(t)
	d.make("vault-rule", `"condition":{"agents":["backend"]}`)
	d.as(access.Caller{Name: "eve", Tenant: "bank", Role: access.Admin})
	d.get(base).has("total", "0")
	d.get(base+"/audit").has("total", "0")
	d.get(base+"/stats").has("guidelines.total", "0").has("audit.entries", "0")
	if got := d.get(base + "/export").text; strings.TrimSpace(got) != "[]" {
		t.Errorf("%s", got)
	}
	if got := d.get(base + "/audit/export").text; got != "" {
		t.Errorf("%s", got)
	}
	d.get(base+"/audit/verify").has("intact", "true").has("verdicts", "[]")
	for _, question := range []string{"/evaluate", "/explain"} {
		if r := d.send(http.MethodPost, base+question, `{"agent":"backend"}`); strings.Contains(r.text, "vault-rule") {
			t.Errorf("%s: %s", question, r.text)
		}
	}
	if r := d.send(http.MethodPost, base+"/explain-call", `{"agent":"backend","command":"ls"}`).is(200); strings.Contains(r.text, "vault-rule") {
		t.Errorf("/explain-call: %s", r.text)
	}
	d.send(http.MethodGet, base+"/vault-rule", "").is(404)
	d.send(http.MethodGet, base+"/vault-rule/history", "").is(404)
	d.send(http.MethodPut, base+"/vault-rule", `{"version":1,"name":"x"}`).is(404)
	d.send(http.MethodPost, base+"/vault-rule/toggle", "").is(404)
	d.send(http.MethodDelete, base+"/vault-rule", "").is(404)
	d.make("vault-rule", "").has("version", "1")
}

func TestWhoNamesAnotherTenantIsRefused(t *testing.T) {
	d := newDoor(t)
	d.make("a", "")
	for _, c := range []struct{ method, path, body string }{
		{http.MethodGet, base + "?tenant_id=bank", ""},
		{http.MethodGet, base + "?tenant_id=", ""},
		{http.MethodGet, base + "/audit?tenant_id=bank", ""},
		{http.MethodGet, base + "/audit/export?tenant_id=bank", ""},
		{http.MethodDelete, base + "/a?tenant_id=bank", ""},
		{http.MethodPost, base, guideline("b", `"tenant_id":"bank"`)},
		{http.MethodPut, base + "/a", `{"version":1,"tenant_id":"bank"}`},
		{http.MethodPost, base + "/import", "[" + guideline("b", "") + "," + guideline("c", `"tenant_id":"bank"`) + "]"},
		{http.MethodPost, base + "/evaluate", `{"agent":"a","tenant_id":"bank"}`},
		{http.MethodPost, base + "/explain", `{"agent":"a","tenant_id":"bank"}`},
		{http.MethodPost, base + "/explain-call", `{"command":"ls","tenant_id":"bank"}`},
	} {
		d.send(c.method, c.path, c.body).is(403).has("code", "forbidden")
	}
	d.get(base+"?tenant_id=shop").has("total", "1")
	d.make("b", `"tenant_id":"shop"`)
}

// Where the token is of no tenant, the tenant of the server's own folder is not taken in its place.
func TestATokenOfNoTenantAsksNothingOfTheServersOwn(t *testing.T) {
	d := newDoor(t)
	d.make("vault-rule", "")
	d.as(access.Caller{Name: "eve", Role: access.Admin})
	d.get(base).has("total", "0")
	for _, question := range []string{"/evaluate", "/explain"} {
		d.send(http.MethodPost, base+question, `{"agent":"backend"}`).is(403)
	}
	d.send(http.MethodPost, base+"/explain-call", `{"command":"ls"}`).is(403)
}
