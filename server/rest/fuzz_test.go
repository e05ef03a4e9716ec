package rest

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"guardrails/server/rest/query"
)

// FuzzParseQuery parses queries with all known parameters.
func FuzzParseQuery(f *testing.F) {
	known := everyParameter()
	for _, seed := range []string{
		"", "category=custom&enabled=true&page=2&page_size=50", "page=0&pgae=1", "search=%ff", "a;b", "%",
		"date_from=2026-02-28&date_to=2026-02-30T25:00:00Z",
		"enabled=true&enabled=false", "sort=name&order=desc&tag=x%00", "version=99999999999999999999",
		"on_conflict=&dry_run=1", "=", "&&&", "tenant_id=%0a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, problems := query.Parse(raw, known)
		for _, p := range problems {
			if p.Message == "" || strings.ContainsAny(p.Error(), "\n\x00") {
				t.Errorf("%q: an unreadable problem: %q", raw, p.Error())
			}
		}
		given, err := url.ParseQuery(raw)
		if err != nil && len(problems) == 0 {
			t.Errorf("%q was accepted", raw)
		}
		if len(problems) > 0 {
			return
		}
		for name, value := range given {
			p := query.Find(known, name)
			if p == nil || len(value) != 1 {
				t.Fatalf("%q: %s was accepted", raw, name)
			}
			if n, is := got[name].(int); is && (n < p.Low || n > p.High) {
				t.Errorf("%q: %s is %d", raw, name, n)
			}
			if at, is := got[name].(time.Time); is && (at.Year() < 0 || at.Year() > 10000) {
				t.Errorf("%q: %s is %v", raw, name, at)
			}
		}
	})
}

func everyParameter() []query.Parameter {
	var known []query.Parameter
	for _, r := range routes() {
		for _, p := range r.known() {
			if query.Find(known, p.Name) == nil {
				known = append(known, p)
			}
		}
	}
	return known
}

// FuzzFind finds routes for arbitrary paths.
func FuzzFind(f *testing.F) {
	h := &Handler{routes: routes()}
	for _, seed := range []string{
		"/api/guardrails", "/api/guardrails/a", "/api/guardrails/~audit/history",
		"/api/guardrails/audit/export", "//", "", "/api/guardrails/%2e%2e", "/api/guardrails/%zz", "/api/guardrails/~",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		found, id := h.find(path)
		for _, r := range found {
			if r.path != found[0].path {
				t.Errorf("%q matches both %s and %s", path, r.path, found[0].path)
			}
			if strings.Contains(r.path, idSegment) && strings.Contains(id.id+id.delivery, "\x00") && !strings.Contains(path, "%00") &&
				!strings.Contains(path, "\x00") {
				t.Errorf("%q has the id %q", path, id)
			}
		}
	})
}
