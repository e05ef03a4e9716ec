package elastic_test

import (
	"net/http"
	"testing"

	"guardrails/store"
	"guardrails/store/elastic"
)

// Other programs can alter documents. Verify must find the damage and say where it is.
func TestVerifyFindsDamageInTheIndices(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for name, c := range map[string]struct {
			index, query, script string
			want                 store.Damage
			seq                  int64
		}{
			"an entry that was altered": {
				"audit-all", `{"term": {"id": "d2"}}`, "ctx._source.decision.result = 'deny'", store.Altered, 2,
			},
			"an entry of another actor": {
				"audit-all", `{"term": {"id": "d2"}}`, "ctx._source.actor = 'mallory'", store.Altered, 2,
			},
			"an entry with a mode that it does not have": {
				"audit-all", `{"term": {"id": "d2"}}`, "ctx._source.mode = 'enforce'", store.Altered, 2,
			},
			"an entry that was removed": {"audit-all", `{"term": {"id": "d2"}}`, "ctx.op = 'delete'", store.Removed, 2},
			"an entry of another tenant": {
				"audit-all", `{"term": {"id": "d2"}}`, "ctx._source.tenant_id = 'b'", store.Removed, 2,
			},
			"an entry in another place":  {"audit-all", `{"term": {"id": "d2"}}`, "ctx._source.seq = 1", store.Altered, 1},
			"the last entry, cut off":    {"audit-all", `{"term": {"id": "d3"}}`, "ctx.op = 'delete'", store.Truncated, 3},
			"an entry that nobody wrote": {"audit-all", `{"term": {"id": "d3"}}`, "ctx._source.seq = 4", store.Altered, 4},
			"a guideline that was altered": {
				"config", `{"term": {"version": 2}}`, "ctx._source.priority = 1", store.Altered, 2,
			},
			"a version that was removed": {"config", `{"term": {"version": 1}}`, "ctx.op = 'delete'", store.Removed, 1},
			"a guideline that is hidden": {
				"config", `{"term": {"version": 2}}`, "ctx._source.superseded = 1", store.Altered, 0,
			},
			"an old version that is shown": {
				"config", `{"term": {"version": 1}}`, "ctx._source.remove('superseded')", store.Altered, 0,
			},
			"a guideline under other words": {
				"config", `{"term": {"version": 2}}`, "ctx._source.searchable = 'nothing'", store.Altered, 0,
			},
			"a guideline of another tenant": {
				"config", `{"term": {"version": 2}}`, "ctx._source.tenant_id = 'b'", store.Removed, 2,
			},
			"the end of the chain, moved back": {
				"state-2", `{"term": {"kind": "journal"}}`, "for (h in ctx._source.heads) { h.seq = h.seq - 1 }", store.Altered, 0,
			},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				prefix := newPrefix(t, url)
				s := open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix})
				defer s.Close()
				fill(t, s)
				ask(t, http.MethodPost, url+"/"+prefix+"guardrails-*/_refresh", "")
				answer := ask(
					t, http.MethodPost, url+"/"+prefix+"guardrails-"+c.index+"/_update_by_query?refresh=true",
					`{"query": `+c.query+`, "script": {"source": "`+c.script+`"}}`,
				)
				if answer["updated"].(float64)+answer["deleted"].(float64) == 0 {
					t.Fatalf("nothing was altered: %v", answer)
				}
				verdicts, err := s.Verify(t.Context(), "a", nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range verdicts {
					if v.Fault != nil && v.Fault.Damage == c.want && (c.seq == 0 || v.Fault.Seq == c.seq) {
						return
					}
				}
				t.Errorf("got %+v, want %s at %d", verdicts, c.want, c.seq)
			})
		}
	})
}

// fill() creates a guideline with two versions and appends three decisions.
func fill(t *testing.T, s store.Store) {
	t.Helper()
	g, err := s.Create(t.Context(), newWrite(), small("one"))
	if err == nil {
		g.Name = "Second"
		_, err = s.Update(t.Context(), newWrite(), g)
	}
	if err == nil {
		_, err = s.Append(t.Context(), "a", decision("d1"), decision("d2"), decision("d3"))
	}
	if err != nil {
		t.Fatal(err)
	}
}
