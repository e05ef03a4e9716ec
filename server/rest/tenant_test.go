package rest_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/product"
	"guardrails/server/access"
)

func TestATenantSeesNothingOfAnother(t *testing.T) {
	api := newAPI(t)
	api.create("vault-rule", `"condition":{"agents":["backend"]}`)
	api.actAs(access.Caller{Name: "eve", Tenant: "bank", Role: access.Admin})
	api.get(base).has("total", "0")
	api.get(base+"/audit").has("total", "0")
	api.get(base+"/stats").has("guidelines.total", "0").has("audit.entries", "0")
	if got := api.get(base + "/export").text; strings.TrimSpace(got) != "[]" {
		t.Errorf("%s", got)
	}
	if got := api.get(base + "/audit/export").text; got != "" {
		t.Errorf("%s", got)
	}
	api.get(base+"/audit/verify").has("intact", "true").has("verdicts", "[]")
	for _, question := range []string{"/evaluate", "/explain"} {
		if r := api.send(http.MethodPost, base+question, `{"agent":"backend"}`); strings.Contains(r.text, "vault-rule") {
			t.Errorf("%s: %s", question, r.text)
		}
	}
	if r := api.send(http.MethodPost, base+"/explain-call",
		`{"agent":"backend","command":"ls"}`).is(200); strings.Contains(r.text, "vault-rule") {
		t.Errorf("/explain-call: %s", r.text)
	}
	api.send(http.MethodGet, base+"/vault-rule", "").is(404)
	api.send(http.MethodGet, base+"/vault-rule/history", "").is(404)
	api.send(http.MethodPut, base+"/vault-rule", `{"version":1,"name":"x"}`).is(404)
	api.send(http.MethodPost, base+"/vault-rule/toggle", "").is(404)
	api.send(http.MethodDelete, base+"/vault-rule", "").is(404)
	api.create("vault-rule", "").has("version", "1")
}

func TestTheProjectsPoliciesDoNotApplyToAnotherTenant(t *testing.T) {
	api := newAPI(t)
	check(t, os.MkdirAll(filepath.Join(api.project, ".claude"), 0o700))
	check(t, os.WriteFile(filepath.Join(api.project, product.PoliciesFile),
		[]byte("version: 1\nrules: [{name: all, actions: [{type: override_safety, action: HOLD}]}]\n"), 0o600))
	const message = `{"message":"hello","dry_run":true}`
	api.send(http.MethodPost, base+"/check/message", message).is(200).has("safety.action", "HOLD")
	api.actAs(access.Caller{Name: "eve", Tenant: "bank", Role: access.Admin})
	api.send(http.MethodPost, base+"/check/message", message).is(200).has("safety.action", "PROCEED")
}

// A caller with the role "read" may try a check. The answer must not show what somebody wrote or read before.
func TestADryRunOfAReaderDoesNotShowTheCooldownsOfAPerson(t *testing.T) {
	api := newAPI(t)
	check(t, os.MkdirAll(filepath.Join(api.project, ".claude"), 0o700))
	check(t, os.WriteFile(filepath.Join(api.project, product.PoliciesFile),
		[]byte("version: 1\nrules: [{name: all, actions: [{type: fire_event, event: a.b, cooldown: 1h}]}]\n"), 0o600))
	const message, response = `{"message":"hello","user":"ann"`, `{"response":"I'll always be here for you.","user":"ann"`
	for range 3 {
		api.send(http.MethodPost, base+"/check/message", message+"}").is(200)
		api.send(http.MethodPost, base+"/check/response", response+"}").is(200)
	}
	for role, want := range map[access.Role]struct{ suppressed, active, count string }{
		access.Decide: {`["a.b"]`, "true", "4"}, // with the response of the dry run
		access.Read:   {"[]", "false", "1"},
	} {
		api.actAs(access.Caller{Name: "bob", Tenant: "shop", Role: role})
		m := api.send(http.MethodPost, base+"/check/message", message+`,"dry_run":true}`).is(200).has("policy.suppressed", want.suppressed)
		r := api.send(http.MethodPost, base+"/check/response", response+`,"dry_run":true}`).is(200).
			has("dependence_cooldown.active", want.active).has("dependence_cooldown.recent_count", want.count)
		for _, answer := range []string{m.text, r.text} {
			if said := strings.Contains(answer, "cooldowns of this person were ignored"); said != (role == access.Read) {
				t.Errorf("%v: %s", role, answer)
			}
		}
		api.send(http.MethodPost, base+"/check/message", `{"message":"hello","dry_run":true}`).is(200).has("policy.suppressed", "[]")
	}
}

func TestARequestForAnotherTenantIsRefused(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
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
		api.send(c.method, c.path, c.body).is(403).has("code", "forbidden")
	}
	api.get(base+"?tenant_id=shop").has("total", "1")
	api.create("b", `"tenant_id":"shop"`)
}

// If the token has no tenant, the server must not use the tenant of its own folder instead.
func TestATokenWithoutATenantDoesNotGetTheServersTenant(t *testing.T) {
	api := newAPI(t)
	api.create("vault-rule", "")
	api.actAs(access.Caller{Name: "eve", Role: access.Admin})
	api.get(base).has("total", "0")
	for _, question := range []string{"/evaluate", "/explain"} {
		api.send(http.MethodPost, base+question, `{"agent":"backend"}`).is(403)
	}
	api.send(http.MethodPost, base+"/explain-call", `{"command":"ls"}`).is(403)
}
