package elastic_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
	"guardrails/store/live"
	"guardrails/store/noted"
)

// Each case leaves indices whose chains are intact in themselves. Only a head that was noted elsewhere, or the rest of
// the indices, shows what happened.
func TestVerifyNoticesWhatTheChainsInTheIndicesDoNotShow(t *testing.T) {
	const query, heads = `"query": {"term": {"kind": "journal"}}`, `for (h in ctx._source.heads) `
	over(t, func(t *testing.T, url string) {
		for name, c := range map[string]struct{ method, path, body, want string }{
			"nothing": {http.MethodPost, "audit/_refresh", ``, ""},
			"a cut tail with its head moved": {
				http.MethodPost, "state-2/_update_by_query?refresh=true",
				`{` + query + `, "script": {"source": "` + heads + `{ if (h.kind == 'decision') { h.seq = 2; h.hash = params.hash } }", "params": {"hash": "HASH"}}}`,
				"a head that was noted earlier is entry 3",
			},
			"a removed chain": {
				http.MethodPost, "state-2/_update_by_query?refresh=true",
				`{` + query + `, "script": {"source": "ctx._source.heads.removeIf(h -> h.kind == 'decision')"}}`,
				"a head that was noted earlier is entry 3",
			},
			"a lowered generation": {
				http.MethodPost, "state-2/_update_by_query?refresh=true",
				`{` + query + `, "script": {"source": "ctx._source.generation = 1"}}`, "the store counts 1 changes of guidelines",
			},
			"removed results of writes": {
				http.MethodPost, "state-2/_delete_by_query?refresh=true",
				`{"query": {"term": {"kind": "written"}}}`, "so repeating the write would make the change again",
			},
			"an alias that hides documents": {
				http.MethodPut, "audit-v1/_alias/PREFIXguardrails-audit-all",
				`{"filter": {"exists": {"field": "id"}}, "is_write_index": true}`, "hides documents of the index",
			},
			"a pipeline": {
				http.MethodPut, "audit/_settings", `{"index.default_pipeline": "none-such"}`, "changes documents before it stores them",
			},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				prefix, state := newPrefix(t, url), t.TempDir()
				s := open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix})
				book := noted.Open(func() (string, error) { return state, nil }, prefix, time.Now)
				l := live.New(live.Options{Open: live.Opened(s), Now: time.Now, Notes: book})
				defer l.Close()
				fill(t, s)
				tenant := l.For(live.Caller{Tenant: "a", Actor: "ann"})
				if _, err := tenant.NoteHeads(t.Context()); err != nil {
					t.Fatal(err)
				}
				ask(t, http.MethodPost, url+"/"+prefix+"guardrails-*/_refresh", "")
				body := strings.ReplaceAll(c.body, "HASH", cutAudit(t, s, url, prefix, name))
				ask(t, c.method, url+"/"+prefix+"guardrails-"+strings.ReplaceAll(c.path, "PREFIX", prefix), body)
				verdicts, err := tenant.Verify(context.Background(), live.Verifying{})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, v := range verdicts.Verdicts {
					if v.Fault != nil {
						got = append(got, v.Fault.Why)
					}
				}
				if all := strings.Join(got, "\n"); !strings.Contains(all, c.want) || c.want == "" && all != "" {
					t.Errorf("got %q, want %s", all, c.want)
				}
			})
		}
	})
}

// cutAudit deletes the decisions that a case cuts off, and returns the hash of the second decision.
func cutAudit(t *testing.T, s store.Store, url, prefix, name string) (hash string) {
	t.Helper()
	for e, err := range s.Export(t.Context(), "a", store.AuditFilter{Kind: store.KindDecision}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.ID == "d2" {
			hash = e.Hash
		}
	}
	cut := map[string]string{
		"a cut tail with its head moved": `{"query": {"term": {"id": "d3"}}}`, "a removed chain": `{"query": {"term": {"kind": "decision"}}}`,
	}
	if cut[name] != "" {
		ask(t, http.MethodPost, url+"/"+prefix+"guardrails-audit-all/_delete_by_query?refresh=true", cut[name])
	}
	return hash
}
