package rest_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	domain "guardrails/guideline"
	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

func (api *testAPI) addDecision(id, reason string, at time.Time) {
	api.t.Helper()
	_, err := api.store.For(live.Caller{Tenant: "shop", Actor: "hooks"}).Append(context.Background(), store.Entry{
		ID: id, Kind: store.KindDecision, Event: "decision", Time: at, Actor: "backend", Session: "s1", Guideline: "a",
		GuidelineName: "A",
		Decision:      &store.Decision{Result: "deny", Reason: reason, Tool: "Write", Micros: 120},
		Context: &domain.Context{
			Agent: "backend", Paths: []string{"x"},
			Metadata: map[string]any{"details": map[string]any{"mode": "observe"}},
		},
	})
	check(api.t, err)
}

func TestTheAuditIsFilteredAndPaged(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	api.actAs(access.Caller{Name: "bob", Tenant: "shop", Role: access.Admin})
	api.send(http.MethodPut, base+"/a", `{"version":1,"priority":900}`).is(200)
	api.addDecision("d1", "no", time.Date(2026, 1, 31, 23, 59, 59, 0, time.UTC))
	api.addDecision("d2", "no", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	for query, want := range map[string]string{
		"":                                "guideline_updated guideline_created decision decision",
		"?event_type=guideline_created":   "guideline_created",
		"?session=s1":                     "decision decision",
		"?session_id=s1":                  "decision decision",
		"?kind=change":                    "guideline_updated guideline_created",
		"?kind=decision&result=deny":      "decision decision",
		"?result=allow":                   "",
		"?project=p":                      "",
		"?project_id=p":                   "",
		"?actor=alice":                    "guideline_created",
		"?agent=backend":                  "decision decision",
		"?agent=alice":                    "",
		"?mode=observe":                   "decision decision",
		"?mode=enforce":                   "",
		"?guideline_id=b":                 "",
		"?date_to=2026-01-31":             "decision",
		"?date_from=2026-02-01":           "guideline_updated guideline_created decision",
		"?date_to=2026-01-31T23:59:59Z":   "",
		"?date_from=2026-02-05T00:00:00Z": "guideline_updated guideline_created",
		"?date_to=2026-02-01T01:00:00%2B01:00&page_size=1": "decision",
		"?page=2&page_size=3":                              "decision",
	} {
		if got := api.get(base+"/audit"+query).values("entries", "event_type"); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	all := api.get(base+"/audit").has("total", "4").has("page_size", "50").has("entries.2.id",
		"d2").has("entries.3.decision.result", "deny")
	all.has("entries.0.changes.0.field", "priority").has("entries.0.changes.0.old_value",
		"500").has("entries.0.changes.0.new_value", "900").has("entries.0.actor", "bob")
}

func TestTheAuditIsExported(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	api.addDecision("d1", `=HYPERLINK("http://evil.example")`, time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	lines := api.get(base + "/audit/export")
	if got := strings.Count(lines.text, "\n"); got != 2 || lines.header.Get("Content-Type") != "application/x-ndjson" ||
		!strings.Contains(lines.header.Get("Content-Disposition"), "audit.jsonl") {
		t.Errorf("%v %s", lines.header, lines.text)
	}
	for line := range strings.Lines(lines.text) {
		_, err := store.DecodeEntry([]byte(line))
		check(t, err)
	}
	rows, err := csv.NewReader(strings.NewReader(api.get(base +
		"/audit/export?format=csv&event_type=decision").text)).ReadAll()
	check(t, err)
	if len(rows) != 2 || rows[0][0] != "timestamp" {
		t.Fatalf("%q", rows)
	}
	for i, name := range rows[0] {
		if name == "reason" && !strings.HasPrefix(rows[1][i], "'=") {
			t.Errorf("the export contains a formula: %s", rows[1][i])
		}
	}
}

func TestTheAuditIsVerified(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	api.addDecision("d1", "no", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	api.get(base+"/audit/verify").has("intact", "true").has("verdicts.0.entries", "1").has("verdicts.1.intact", "true")
}

func TestStats(t *testing.T) {
	api := newAPI(t)
	api.create("a", `"category":"security"`)
	api.create("b", `"enabled":false`)
	api.addDecision("d1", "no", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	r := api.get(base+"/stats").has("guidelines.total", "2").has("guidelines.enabled",
		"1").has("guidelines.by_category.security", "1").has("guidelines.by_category.hitl_gate", "0")
	r.has("guidelines.by_action_type.instruction", "2").has("audit.entries", "3").has("audit.last_24_hours",
		"2").has("server_version", "1.2.3").has("store.place", "sqlite")
}

func TestStatsHaveTheShareOfUnsafeAnswersOfAMonth(t *testing.T) {
	api := newAPI(t)
	api.get(base+"/stats").has("safety.output_audits", "0").has("safety.intervention_rate", "0")
	for i, result := range []string{"safe", "unsafe", "failed_open", "failed_closed", "safe", "safe"} {
		at := api.now.AddDate(0, 0, -i)
		if i == 5 {
			at = at.AddDate(0, 0, -30)
		}
		_, err := api.store.For(live.Caller{Tenant: "shop", Actor: "hooks"}).Append(t.Context(), store.Entry{
			ID: fmt.Sprintf("chk_%d", i), Kind: store.KindDecision, Event: "output_audit", Time: at, Actor: "agent",
			Decision: &store.Decision{Result: result}, Context: &domain.Context{},
		})
		check(t, err)
	}
	api.get(base+"/stats").has("safety.output_audits", "5").has("safety.interventions", "2").has("safety.intervention_rate", "0.4")
}

func TestStatsHaveTheRisksThatCameOftenWithinADay(t *testing.T) {
	api := newAPI(t)
	api.get(base+"/stats").has("safety.repeated", "[]")
	for i := range 3 {
		at := api.now.Add(-time.Duration(i) * 11 * time.Hour)
		if i == 2 {
			at = at.AddDate(0, 0, -1) // too old
		}
		_, err := api.store.For(live.Caller{Tenant: "shop", Actor: "hooks"}).Append(t.Context(), store.Entry{
			ID: fmt.Sprintf("chk_%d", i), Kind: store.KindDecision, Event: "output_audit", Time: at, Actor: "agent",
			Decision: &store.Decision{Result: "safe"},
			Context:  &domain.Context{Metadata: map[string]any{"details": map[string]any{"risks": []string{"behavior_self_harm"}}}},
		})
		check(t, err)
	}
	api.get(base+"/stats").has("safety.repeated.0.risk", "behavior_self_harm").has("safety.repeated.0.count", "2").
		has("safety.repeated.0.level", "critical")
}

func TestAnUnavailableStoreIsReportedWithRetryAfter(t *testing.T) {
	api := newAPI(t)
	check(t, api.store.Close())
	for _, c := range []struct{ method, path, body string }{
		{http.MethodGet, base, ""},
		{http.MethodGet, base + "/a", ""},
		{http.MethodGet, base + "/audit", ""},
		{http.MethodGet, base + "/audit/export", ""},
		{http.MethodGet, base + "/audit/export?format=csv", ""},
		{http.MethodGet, base + "/export", ""},
		{http.MethodGet, base + "/stats", ""},
		{http.MethodGet, base + "/audit/verify", ""},
		{http.MethodPost, base, guideline("a", "")},
		{http.MethodPost, base + "/import", "[" + guideline("a", "") + "]"},
		{http.MethodPut, base + "/a", `{"version":1}`},
		{http.MethodDelete, base + "/a", ""},
	} {
		r := api.send(c.method, c.path, c.body).is(503).has("code", "unavailable")
		if r.header.Get("Retry-After") == "" || r.header.Get("Content-Disposition") != "" {
			t.Errorf("%s %s: %v", c.method, c.path, r.header)
		}
	}
}

func TestAMissingStoreIsReported(t *testing.T) {
	api := newAPI(t)
	api.storeErr = live.ErrNoStore
	api.send(http.MethodGet, base, "").is(503).has("detail", live.ErrNoStore.Error())
	api.send(http.MethodGet, base+"/events", "").is(503)
}

// olderStore is a store in which the data of the tenant "bank" is older than the rest.
type olderStore struct{ store.Store }

func (s olderStore) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	if tenant == "bank" {
		return nil, store.Errorf(store.Unavailable, "the audit is older than the journal").CausedBy(store.ErrOlder)
	}
	return s.Store.Append(ctx, tenant, entries...)
}

func TestOnlyTheTenantWhosePartOfTheStoreIsOlderHasNoAudit(t *testing.T) {
	api := newAPI(t)
	opened, err := sqlite.Open(t.Context(), sqlite.Options{Path: api.file, Now: api.clock})
	check(t, err)
	api.store = live.New(live.Options{Open: live.Opened(olderStore{opened}), Now: api.clock})
	t.Cleanup(func() { check(t, api.store.Close()) })
	shop, bank := api.caller, access.Caller{Name: "eve", Tenant: "bank", Role: access.Admin}
	for round := range 2 {
		for _, caller := range []access.Caller{bank, shop} {
			api.actAs(caller)
			api.send(http.MethodPost, base+"/check/message", `{"message":"I want to die"}`).is(200)
		}
		for _, path := range []string{"/audit", "/audit/export", "/summary", "/sessions"} {
			api.actAs(shop)
			api.send(http.MethodGet, base+path, "").is(200)
			api.actAs(bank)
			api.send(http.MethodGet, base+path, "").is(503)
		}
		api.actAs(shop)
		api.get(base+"/audit").has("total", strconv.Itoa(round+1))
	}
}

// If the server ignored an unknown filter, its answer would contain entries that nobody asked for.
func TestUnknownFiltersAndValuesOfTheAuditAreRefused(t *testing.T) {
	api := newAPI(t)
	var names []string
	for _, field := range store.AuditFields() {
		names = append(names, field.Name)
	}
	for _, path := range []string{base + "/audit", base + "/audit/export"} {
		refused := func(name, allowed string) {
			t.Helper()
			r := api.send(http.MethodGet, path+"?"+name+"=wizard", "").is(400)
			if got := r.values("errors", "path"); got != name || !strings.Contains(r.text, allowed) {
				t.Errorf("%s: got %s %s, want %s", path, got, r.text, allowed)
			}
		}
		refused("wizard", strings.Join(names, ", "))
		for _, field := range store.AuditFields() {
			for _, name := range field.Names() {
				switch {
				case field.IsTime:
					refused(name, "2026-01-31T12:00:00Z")
				case len(field.Values) > 0:
					refused(name, "use one of "+strings.Join(field.Values, ", "))
				}
			}
		}
	}
}
