package elastic_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
)

// The constant "steps" is the number of requests that Create sends when there are no faults.
const steps = 7

// The test loses the answer to each step of a change, in several ways. The change must still happen exactly once.
func TestARequestWhoseAnswerIsLostIsRepeated(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for name, f := range map[string]fault{"lost": lost, "gone": gone, "half": half, "cut": cut} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p, s, past := openBehindProxy(t, url, nil)
				for step := 1; step <= steps; step++ {
					p.set(onRequest(step, f))
					g, err := s.Create(t.Context(), newWrite(), small(fmt.Sprint("g", step)))
					if err != nil || g.Version != 1 || p.requests() < step {
						t.Errorf("step %d of %d: got %+v, %v", step, p.requests(), g, err)
					}
				}
				p.set(nil)
				checkWhole(t, past, steps)
			})
		}
	})
}

// If a writer disappears during a change, readers must see either the whole change or none of it. The next writer must
// finish the change.
func TestTheNextWriterFinishesAnInterruptedChange(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for name, f := range map[string]fault{"before": gone, "after": lost} {
			for step := 1; step <= steps; step++ {
				t.Run(fmt.Sprint(name, " step ", step), func(t *testing.T) {
					t.Parallel()
					leaveAt(t, url, step, f)
				})
			}
		}
	})
}

// leaveAt interrupts a writer at a step of a change, as if the writer's process had been killed.
func leaveAt(t *testing.T, url string, step int, f fault) {
	p, s, past := openBehindProxy(t, url, nil)
	write := newWrite()
	p.set(fromRequest(step, f))
	if _, err := s.Create(t.Context(), write, small("one")); err == nil {
		t.Error("the interrupted change was acknowledged")
	}
	readersSee(t, past, map[int64]int{0: 0, 1: 1})
	if _, err := past.Create(t.Context(), newWrite(), small("two")); err != nil {
		t.Fatal(err)
	}
	if g, err := past.Create(t.Context(), write, small("one")); err != nil || g.Version != 1 {
		t.Errorf("after repeating: %+v, %v", g, err)
	}
	checkWhole(t, past, 2)
}

func TestAnInterruptedImportIsVisibleCompletelyOrNotAtAll(t *testing.T) {
	// There are too many of these guidelines for one request, and they are too large for the journal.
	items := make([]guideline.Guideline, 1100)
	for i := range items {
		items[i] = small(fmt.Sprint("g", i))
		items[i].Description = strings.Repeat("d", 500)
	}
	onEachProduct(t, func(t *testing.T, url string) {
		// The write is interrupted while it writes parts, at the commit, twice while it writes guidelines, and when it
		// updates the journal for readers.
		for _, step := range []int{7, 9, 12, 15, 16} {
			t.Run(fmt.Sprint("step ", step), func(t *testing.T) {
				t.Parallel()
				p, s, past := openBehindProxy(t, url, nil)
				p.set(fromRequest(step, lost))
				write := newWrite()
				if _, err := s.Import(t.Context(), write, items, store.ImportOptions{}); err == nil {
					t.Error("the interrupted change was acknowledged")
				}
				readersSee(t, past, map[int64]int{0: 0, 1: len(items)})
				result, err := past.Import(t.Context(), write, items, store.ImportOptions{})
				if err != nil || !result.Applied || result.Count(store.ItemCreated) != len(items) {
					t.Errorf("after repeating: %d created, %v", result.Count(store.ItemCreated), err)
				}
				readersSee(t, past, map[int64]int{1: len(items)})
			})
		}
	})
}

// readersSee checks that readers see the right number of guidelines for the current generation, that the audit has the
// same number of changes, and that the audit passes verification. The parameter "want" maps each allowed generation to
// its number of guidelines.
func readersSee(t *testing.T, s store.Store, want map[int64]int) {
	t.Helper()
	set, err := s.All(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.List(t.Context(), "a", store.ListQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if count, ok := want[set.Generation]; !ok || count != list.Total || count != len(set.Guidelines) {
		t.Errorf("List has %d guidelines, All has %d at generation %d; want %v",
			list.Total, len(set.Guidelines), set.Generation, want)
	}
	changes, err := s.Query(t.Context(), "a", store.AuditQuery{AuditFilter: store.AuditFilter{Kind: store.KindChange}})
	if err != nil || changes.Total != want[set.Generation] {
		t.Errorf("the audit has %d changes at generation %d (%v), want %v", changes.Total, set.Generation, err, want)
	}
	exported := 0
	for _, err := range s.Export(t.Context(), "a", store.AuditFilter{Kind: store.KindChange}) {
		if err != nil {
			t.Fatal(err)
		}
		exported++
	}
	if exported != changes.Total {
		t.Errorf("an export has %d changes, and the audit has %d", exported, changes.Total)
	}
	verdicts, err := s.Verify(t.Context(), "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts {
		if v.Fault != nil {
			t.Errorf("%+v: %+v", v.Chain, *v.Fault)
		}
	}
}

// A search finds a new document only after a refresh. A reader requests a refresh, and returns an error if the refresh
// fails.
func TestReadersSeeAChangeWhenSearchesDo(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, past := openBehindProxy(t, url, nil)
		ask(t, http.MethodPut, url+"/"+p.options.Prefix+"guardrails-config/_settings", `{"index.refresh_interval": "60s"}`)
		if _, err := past.Create(t.Context(), newWrite(), small("one")); err != nil {
			t.Fatal(err)
		}
		p.set(onFirst(99, "/_refresh", refuse(200, `{"_shards":{"total":2,"successful":1,"failed":1}}`)))
		if list, err := s.List(t.Context(), "a", store.ListQuery{}); store.CodeOf(err) != store.Unavailable {
			t.Errorf("without a refresh of all copies, a reader got %d guidelines (%v)", list.Total, err)
		}
		p.set(onFirst(1, "/_refresh", refuse(200, `{"_shards":{"total":2,"successful":1,"failed":1}}`)))
		checkWhole(t, s, 1)
		if _, err := past.Create(t.Context(), newWrite(), small("two")); err != nil {
			t.Fatal(err)
		}
		p.set(onFirst(1, "/_refresh", gone))
		checkWhole(t, s, 2)
	})
}

// A busy server refuses the documents of a request twice. The store must write these documents again.
func TestRefusedDocumentsAreWrittenAgain(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, past := openBehindProxy(t, url, nil)
		var refused atomic.Int32
		p.set(onFirst(2, "/_bulk", func(p *proxy, w http.ResponseWriter, r *http.Request) {
			refused.Add(1)
			refuseDocuments(p, w, r)
		}))
		if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil || refused.Load() != 2 {
			t.Errorf("got %v after %d refused requests", err, refused.Load())
		}
		checkWhole(t, past, 1)
	})
}

// The first answer lacks some documents. The store must request these documents again.
func TestDocumentsWithoutAResultAreRequestedAgain(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, past := openBehindProxy(t, url, nil)
		missing := true
		p.set(func(_ int, r *http.Request) fault {
			if !missing || !strings.HasSuffix(r.URL.Path, "/_mget") {
				return nil
			}
			missing = false
			return refuse(
				200, `{"docs":[{"_id":"x","error":{"type":"no_shard_available_action_exception","reason":"no shard available"}}]}`,
			)
		})
		if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil || missing {
			t.Errorf("got %v", err)
		}
		checkWhole(t, past, 1)
	})
}
