package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"guardrails/server/access"
)

func TestAllMistakesOfAQueryAreReportedAtOnce(t *testing.T) {
	api := newAPI(t)
	r := api.send(http.MethodGet, base+"?pagesize=2&page=0&enabled=yes&category=x&agent=a&agent=b&sort=age",
		"").is(400).has("code", "invalid")
	if got, want := r.values("errors", "path"), "agent category enabled page pagesize sort"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := r.value("errors.4.remedy"); got != "did you mean page_size?" {
		t.Errorf("%s", got)
	}
}

func TestInvalidQueriesAreRefused(t *testing.T) {
	api := newAPI(t)
	for path, want := range map[string]string{
		base + "?page=1.5":                                      "whole number between 1 and 2147483647",
		base + "?page=%2B1":                                     "whole number",
		base + "?page=99999999999999999999":                     "whole number",
		base + "?page_size=1001":                                "between 1 and 1000",
		base + "?enabled=":                                      "write true or false",
		base + "?search=%00":                                    "control characters",
		base + "?search=%ff":                                    "not UTF-8",
		base + "?search=%zz":                                    "cannot be read",
		base + "?a;b":                                           "cannot be read",
		base + "?search=" + repeated(201):                       "201 characters, but the limit is 200",
		base + "?agent=" + repeated(9000):                       "longer than 8192 bytes",
		base + "?version=1":                                     "remove it, or use category",
		base + "/audit?kind=rumour":                             "not accepted; use one of change, decision",
		base + "/audit?event_type=nothing":                      "use one of guideline_created, guideline_updated,",
		base + "/audit?result=maybe":                            "use one of allow, warn, ask, deny,",
		base + "/audit?wizard=1":                                "kind, event_type, result, guideline_id, actor, agent, session, project, mode, date_from, date_to",
		base + "/audit?session=a&session_id=b":                  "is the same as session_id",
		base + "/audit?date_from=yesterday":                     "2026-01-31T12:00:00Z",
		base + "/audit?date_to=2026-02-30":                      "not accepted",
		base + "/audit?date_from=2026-02-02&date_to=2026-02-01": "is not before date_to",
		base + "/audit/export?date_from=2026-02-01T10:00:00Z&date_to=2026-02-01T10:00:00Z": "is not before date_to",
		base + "/audit/export?format=xls":                                                  "use one of jsonl, csv",
		base + "/audit?page_size=0":                                                        "between 1 and 1000",
		base + "/export?category=none":                                                     "use one of cognitive_isolation",
		base + "/stats?x":                                                                  "unknown parameter",
		"/api/openapi.json?pretty=true":                                                    "unknown parameter",
		base + "/nothing/history?tenant_id=%0A":                                            "control characters",
	} {
		if r := api.send(http.MethodGet, path, "").is(400); !strings.Contains(r.text, want) {
			t.Errorf("%s: missing %q in %s", path, want, r.text)
		}
	}
}

func repeated(n int) string { return strings.Repeat("x", n) }

func TestUnknownPathsAndIDsAreNotFound(t *testing.T) {
	api := newAPI(t)
	for _, path := range []string{
		"/api", "/api/", "/api/guardrails/", "/api/guardrails/a", "/api/guardrails/A", "/api/guardrails/a%2Fb",
		"/api/guardrails/a/", "/api/guardrails/a/none",
		"/api/guardrails/a/history/1", "/api/guardrails//", "/api/guardrail", "/api/guardrails/a%00/history",
	} {
		if r := api.send(http.MethodGet, path, ""); r.status != 404 && r.status != 400 {
			t.Errorf("%s: %d %s", path, r.status, r.text)
		}
	}
	api.send(http.MethodPut, base+"/a", `{"version":1}`).is(404)
	api.send(http.MethodPost, base+"/a/toggle", "").is(404)
	api.send(http.MethodDelete, base+"/a?version=1", "").is(404)
	api.send(http.MethodPost, base+"/a/restore", `{"to_version":1,"version":1}`).is(404)
}

func TestAnUnsupportedMethodIsRefusedWithTheAllowedOnes(t *testing.T) {
	api := newAPI(t)
	for path, want := range map[string]string{
		base: "GET, HEAD, POST", base + "/a": "DELETE, GET, HEAD, PUT", base + "/audit": "GET, HEAD", base +
			"/a/toggle": "POST", base + "/import": "POST",
		"/api/openapi.json": "GET, HEAD",
	} {
		r := api.send(http.MethodPatch, path, "{}").is(405)
		if got := r.header.Get("Allow"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestContentTypeAndAcceptAreChecked(t *testing.T) {
	api := newAPI(t)
	body := guideline("a", "")
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		want                     int
	}{
		{"no content type", http.MethodPost, base, body, []string{"Content-Type: "}, 415},
		{"a form", http.MethodPost, base, body, []string{"Content-Type: application/x-www-form-urlencoded"}, 415},
		{
			"plain text, which web pages can send without a preflight", http.MethodPost, base, body,
			[]string{"Content-Type: text/plain"},
			415,
		},
		{"another charset", http.MethodPost, base, body, []string{"Content-Type: application/json; charset=utf-16"}, 415},
		{"utf-8", http.MethodPost, base, body, []string{"Content-Type: application/json; charset=UTF-8"}, 201},
		{
			"an optional body of another type", http.MethodPost, base + "/a/toggle", "x=1",
			[]string{"Content-Type: text/plain"},
			415,
		},
		{"only HTML", http.MethodGet, base, "", []string{"Accept: text/html"}, 406},
		{"JSON refused", http.MethodGet, base, "", []string{"Accept: application/json;q=0, text/html"}, 406},
		{"anything", http.MethodGet, base, "", []string{"Accept: text/html, */*;q=0.1"}, 200},
		{"application/*", http.MethodGet, base, "", []string{"Accept: application/*"}, 200},
		{"CSV", http.MethodGet, base + "/audit/export?format=csv", "", []string{"Accept: text/csv"}, 200},
		{
			"JSON lines for a client that accepts CSV", http.MethodGet, base + "/audit/export", "",
			[]string{"Accept: text/csv"},
			406,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r := api.send(c.method, c.path, c.body, c.headers...); r.status != c.want {
				t.Errorf("got %d, want %d: %s", r.status, c.want, r.text)
			}
		})
	}
}

func TestTheSizeOfBodiesIsLimited(t *testing.T) {
	api := newAPI(t)
	huge := `{"id":"` + strings.Repeat("x", 1<<20) + `"}`
	api.send(http.MethodPost, base, huge).is(413).has("code", "too_large")
	api.send(http.MethodPost, base+"/evaluate", huge).is(413)
	api.send(http.MethodPost, base+"/import", "["+strings.Repeat(" ", 8<<20)+"]").is(413)
	api.send(http.MethodPost, base+"/import", "["+strings.Repeat("1,", 10000)+"1]").is(400)
}

func TestAllMistakesOfABodyAreReportedAtOnce(t *testing.T) {
	api := newAPI(t)
	r := api.send(http.MethodPost, base, `{"id":"A b","category":"none","priority":2000,"condition":{"paths":["../x"],"agnts":[]},"action":{"type":"hitl_gate"}}`).is(400)
	if got, want := r.values("errors", "path"),
		"id category priority condition.paths[0] condition.agnts action.gate_type name"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	api.create("a", "")
	r = api.send(http.MethodPut, base+"/a", `{"priority":-1,"id":"b","version":"1","nmae":"x"}`).is(400) //nolint:misspell // the misspelt field is what the test is about
	if got, want := r.values("errors", "path"), "version priority nmae id"; got != want {                //nolint:misspell // as above
		t.Errorf("%s, want %s: %s", got, want, r.text)
	}
	for _, body := range []string{"", "{", "[]", "null", `"x"`, "{}{}", `{"id":"a","id":"b"}`, "\xff"} {
		api.send(http.MethodPost, base, body, "Content-Type: application/json").is(400)
		api.send(http.MethodPut, base+"/a", body, "Content-Type: application/json").is(400)
		api.send(http.MethodPost, base+"/import", body, "Content-Type: application/json")
		api.send(http.MethodPost, base+"/evaluate", body, "Content-Type: application/json").is(400)
	}
}

func TestEachRouteNeedsItsRole(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	context := `{"agent":"backend"}`
	for _, c := range []struct {
		method, path, body string
		needed             access.Role
	}{
		{http.MethodGet, base, "", access.Read},
		{http.MethodGet, base + "/a", "", access.Read},
		{http.MethodGet, base + "/a/history", "", access.Read},
		{http.MethodGet, base + "/audit", "", access.Read},
		{http.MethodGet, base + "/audit/export", "", access.Read},
		{http.MethodGet, base + "/export", "", access.Read},
		{http.MethodGet, base + "/stats", "", access.Read},
		{http.MethodPost, base + "/explain", context, access.Read},
		{http.MethodPost, base + "/explain-call", `{"command":"ls"}`, access.Read},
		{http.MethodGet, "/api/openapi.json", "", access.Read},
		{http.MethodPost, base + "/evaluate", context, access.Decide},
		{http.MethodPost, base + "/audit/entries", `{"entries":[]}`, access.Decide},
		{http.MethodPost, base + "/check/message", `{"message":"hello"}`, access.Decide},
		{http.MethodPost, base + "/check/message", `{"message":"hello","dry_run":false}`, access.Decide},
		{http.MethodPost, base + "/check/message", `{"message":"hello","dry_run":true}`, access.Read},
		{http.MethodPost, base + "/check/response", `{"response":"hello"}`, access.Decide},
		{http.MethodPost, base + "/check/response", `{"response":"hello","dry_run":true}`, access.Read},
		{http.MethodPost, base, guideline("b", ""), access.Write},
		{http.MethodPut, base + "/a", `{"version":1,"name":"n"}`, access.Write},
		{http.MethodPost, base + "/a/toggle", "", access.Write},
		{http.MethodPost, base + "/a/restore", `{"to_version":1,"version":3}`, access.Write},
		{http.MethodDelete, base + "/a", "", access.Write},
		{http.MethodPost, base + "/import", "[]", access.Admin},
		{http.MethodGet, base + "/audit/verify", "", access.Admin},
	} {
		for role := access.Nobody; role <= access.Admin; role++ {
			api.actAs(access.Caller{Name: "bob", Tenant: "shop", Role: role})
			r := api.send(c.method, c.path, c.body)
			if refused := r.status == http.StatusForbidden; refused != (role < c.needed) {
				t.Errorf("%s %s as %v: %d %s", c.method, c.path, role, r.status, r.text)
			}
			if role == c.needed && r.status >= 300 {
				t.Errorf("%s %s as %v: %d %s", c.method, c.path, role, r.status, r.text)
			}
			if role >= c.needed {
				break // the test can make a change only once
			}
		}
	}
}
