package elastic_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
)

// openBehindProxy opens one store twice. The store in the result "through" is reached through a proxy. The store in the
// result "past" is reached directly.
func openBehindProxy(t *testing.T, url string, change func(o *elastic.Options)) (p *proxy, through, past *elastic.Store) {
	t.Helper()
	p = newProxy(t, url)
	o := elastic.Options{Addresses: []string{p.URL}, Prefix: newPrefix(t, url)}
	if change != nil {
		change(&o)
	}
	p.options = o
	through = open(t, o)
	// Before the first write, a store checks that its indices belong together.
	if _, err := through.Prune(t.Context(), newWrite(), store.Retention{Keep: 1}); err != nil {
		t.Fatal(err)
	}
	past = open(t, elastic.Options{Addresses: []string{url}, Prefix: o.Prefix})
	t.Cleanup(func() { through.Close(); past.Close() })
	return p, through, past
}

// checkError checks that an error has the given code and contains the given words.
func checkError(t *testing.T, err error, code store.Code, words string) {
	t.Helper()
	if store.CodeOf(err) != code || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v (%s), want %s with %q", err, store.CodeOf(err), code, words)
	}
}

// checkWhole checks that the audit of the tenant passes verification, and that the tenant has the given number of
// guidelines. Each guideline must have its audit entry.
func checkWhole(t *testing.T, s *elastic.Store, guidelines int) {
	t.Helper()
	verdicts, err := s.Verify(t.Context(), "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	entries := int64(0)
	for _, v := range verdicts {
		entries += v.Entries
		if v.Fault != nil {
			t.Errorf("%+v: %+v", v.Chain, *v.Fault)
		}
	}
	list, err := s.List(t.Context(), "a", store.ListQuery{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := s.All(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if list.Total != guidelines || entries != int64(guidelines) || len(set.Guidelines) != guidelines ||
		set.Generation != int64(guidelines) {
		t.Errorf("List has %d guidelines, All has %d, there are %d entries and the generation is %d; want %d of each",
			list.Total, len(set.Guidelines), entries, set.Generation, guidelines)
	}
}

const tooMany = `{"error":{"type":"es_rejected_execution_exception","reason":"rejected execution"},"status":429}`

func TestABusyServerIsRetried(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, past := openBehindProxy(t, url, nil)
		for _, f := range []fault{
			refuse(429, tooMany), refuse(503, "<html>Service Unavailable</html>"), refuse(502, ""), refuse(504, "{}"),
		} {
			p.set(onRequest(1, f))
			if _, err := s.Get(t.Context(), "a", "none"); store.CodeOf(err) != store.NotFound {
				t.Errorf("got %v", err)
			}
		}
		p.set(onEveryRequest(refuse(429, tooMany)))
		_, err := s.Get(t.Context(), "a", "none")
		checkError(t, err, store.Unavailable, "overloaded")
		if n := p.requests(); n != 4 {
			t.Errorf("got %d requests, want 4", n)
		}
		p.set(onEveryRequest(refuse(503, "")))
		_, err = s.Create(t.Context(), newWrite(), small("one"))
		checkError(t, err, store.Unavailable, "cannot answer now")
		checkWhole(t, past, 0)
	})
}

func TestCallsFailAtOnceWhenNoServerAnswers(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		clock := newClock()
		p, s, _ := openBehindProxy(t, url, func(o *elastic.Options) { o.Now = clock.now })
		p.set(onEveryRequest(gone))
		for range 3 {
			_, err := store.GenerationOf(t.Context(), s, "a")
			checkError(t, err, store.Unavailable, "does not answer")
		}
		before := p.requests()
		_, err := store.GenerationOf(t.Context(), s, "a")
		checkError(t, err, store.Unavailable, "3 requests in a row")
		if p.requests() != before {
			t.Error("the server got a request while the breaker was open")
		}
		p.set(nil)
		clock.pass(4 * time.Second)
		if _, err := store.GenerationOf(t.Context(), s, "a"); err != nil {
			t.Errorf("the server answers again: %v", err)
		}
	})
}

func TestASlowServerTimesOut(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, _ := openBehindProxy(t, url, func(o *elastic.Options) { o.Timeout = 2 * time.Second })
		p.set(onRequest(1, slow))
		if _, err := store.GenerationOf(t.Context(), s, "a"); err != nil {
			t.Errorf("the second attempt was fast: %v", err)
		}
		p.set(onEveryRequest(slow))
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		for call, try := range map[string]func() error{
			"Get":    func() error { _, err := s.Get(ctx, "a", "one"); return err },
			"Create": func() error { _, err := s.Create(ctx, newWrite(), small("one")); return err },
			"Append": func() error { _, err := s.Append(ctx, "a", decision("d")); return err },
		} {
			start := time.Now()
			if err := try(); store.CodeOf(err) != store.Unavailable || time.Since(start) > 20*time.Second {
				t.Errorf("%s: got %v after %v", call, err, time.Since(start))
			}
		}
		p.set(nil)
	})
}

func TestAFullServerIsReadOnly(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		prefix := newPrefix(t, url)
		s := open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix})
		defer s.Close()
		if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil {
			t.Fatal(err)
		}
		block := func(value string) {
			ask(t, http.MethodPut, url+"/"+prefix+"guardrails-*/_settings", `{"index.blocks.read_only_allow_delete": `+value+`}`)
		}
		block("true")
		_, err := s.Create(t.Context(), newWrite(), small("two"))
		checkError(t, err, store.ReadOnly, "free some space")
		_, err = s.Append(t.Context(), "a", decision("d"))
		checkError(t, err, store.ReadOnly, "free some space")
		checkError(t, s.Writable(t.Context(), "a"), store.ReadOnly, "free some space")
		checkWhole(t, s, 1)
		block("null")
		if err := s.Writable(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		if _, err := s.Create(t.Context(), newWrite(), small("two")); err != nil {
			t.Error(err)
		}
		checkWhole(t, s, 2)
	})
}

// A cluster that has lost its master node blocks changes, like a cluster with a full disk. But it may get a new master
// soon. If the store counted as read-only, guardrails would show the audit without the decisions that are waiting to be
// stored.
func TestAClusterWithoutAMasterIsUnavailableAndNotReadOnly(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, _ := openBehindProxy(t, url, nil)
		p.set(func(_ int, r *http.Request) fault {
			if r.Method != http.MethodPut && r.Method != http.MethodPost {
				return nil
			}
			return refuse(http.StatusServiceUnavailable, `{"error":{"type":"cluster_block_exception",`+
				`"reason":"blocked by: [SERVICE_UNAVAILABLE/2/no master];"},"status":503}`)
		})
		_, err := s.Append(t.Context(), "a", decision("d"))
		checkError(t, err, store.Unavailable, "cannot answer now")
	})
}

func isJournal(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/_doc/journal-")
}

// keep() returns a rule that stores the answer to each matching request in *last.
func keep(matches func(*http.Request) bool, last *[]byte) func(int, *http.Request) fault {
	return func(_ int, r *http.Request) fault {
		if !matches(r) {
			return nil
		}
		return func(p *proxy, w http.ResponseWriter, r *http.Request) {
			status, header, body, err := p.forward(r)
			if err != nil {
				panic(http.ErrAbortHandler)
			}
			*last = body
			answer(w, status, header, body, len(body))
		}
	}
}

// read() makes a store read the journal.
func read(t *testing.T, s *elastic.Store) {
	t.Helper()
	if _, err := s.Heads(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
}

// A node that is cut off from the others does not know the newest changes, but it still answers readers.
func TestANodeThatAnswersWithAnOldJournalHidesNoChangeFromItsWriter(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, _ := openBehindProxy(t, url, nil)
		var old []byte
		p.set(keep(isJournal, &old))
		create(t, s, "one")
		read(t, s)
		p.set(nil)
		create(t, s, "two")
		answers := 0
		p.set(func(_ int, r *http.Request) fault {
			if !isJournal(r) {
				return nil
			}
			if answers++; answers > 1 {
				return nil
			}
			return refuse(http.StatusOK, string(old))
		})
		if page, err := s.Query(t.Context(), "a", store.AuditQuery{}); err != nil || page.Total != 2 || answers != 2 {
			t.Errorf("after %d answers, the audit has %d entries, want 2 after 2 (%v)", answers, page.Total, err)
		}
	})
}

func TestANodeThatIsCutOffHidesNothingFromItsWriter(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		whole, cutOff := newProxy(t, url), newProxy(t, url)
		s := open(t, elastic.Options{Addresses: []string{whole.URL, cutOff.URL}, Prefix: newPrefix(t, url)})
		defer s.Close()
		var journal []byte
		for _, p := range []*proxy{whole, cutOff} {
			p.set(keep(isJournal, &journal))
		}
		create(t, s, "one")
		read(t, s)
		whole.set(nil)
		cutOff.set(nil)
		old := string(journal)
		create(t, s, "two")
		cutOff.set(func(_ int, r *http.Request) fault {
			switch {
			case isJournal(r):
				return refuse(http.StatusOK, old)
			case strings.HasSuffix(r.URL.Path, "/_search"):
				return refuse(http.StatusOK, `{"hits":{"total":{"value":0},"hits":[]}}`)
			default:
				return nil
			}
		})
		for range 6 {
			page, err := s.Query(t.Context(), "a", store.AuditQuery{})
			set, errAll := s.All(t.Context(), "a")
			if err != nil || errAll != nil || page.Total != 2 || len(set.Guidelines) != 2 {
				t.Errorf("%d entries (%v), %d guidelines (%v), want 2 each", page.Total, err, len(set.Guidelines), errAll)
			}
		}
	})
}

// A node that is cut off from the other nodes still gets the journal from one of them, but it searches its own, old
// copy of the audit.
func TestANodeWithAnOldCopyOfTheAuditHidesNoEntries(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		whole, cutOff := newProxy(t, url), newProxy(t, url)
		s := open(t, elastic.Options{Addresses: []string{whole.URL, cutOff.URL}, Prefix: newPrefix(t, url)})
		defer s.Close()
		create(t, s, "one")
		create(t, s, "two")
		cutOff.set(func(_ int, r *http.Request) fault {
			if strings.HasSuffix(r.URL.Path, "/_search") && strings.Contains(r.URL.Path, "audit") {
				return refuse(http.StatusOK, `{"hits":{"total":{"value":0},"hits":[]}}`)
			}
			return nil
		})
		for range 6 {
			if page, err := s.Query(t.Context(), "a", store.AuditQuery{}); err != nil || page.Total != 2 {
				t.Errorf("%d entries (%v), want 2", page.Total, err)
			}
		}
	})
}

// The disk becomes full after a change was committed. The next writer completes the change, so the error must not say
// that nothing was changed.
func TestAChangeThatAFullServerDidNotCompleteIsNotCalledUnchanged(t *testing.T) {
	full := refuse(http.StatusForbidden, `{"error":{"type":"cluster_block_exception","reason":"disk usage exceeded"},"status":403}`)
	type rule = func(number int, r *http.Request) fault
	// Both products are tested at the same time, so each needs a rule of its own.
	for name, newRule := range map[string]func() rule{
		"before its documents are written": func() rule {
			return func(_ int, r *http.Request) fault {
				if strings.HasSuffix(r.URL.Path, "/_bulk") {
					return full
				}
				return nil
			}
		},
		"when the answer to its commit was lost": func() rule {
			commits := 0
			return func(_ int, r *http.Request) fault {
				if r.Method != http.MethodPut || !strings.Contains(r.URL.Path, "/_doc/journal-") {
					return nil
				}
				if commits++; commits == 1 {
					return lost
				}
				return full
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			onEachProduct(t, func(t *testing.T, url string) {
				p, s, past := openBehindProxy(t, url, nil)
				p.set(newRule())
				write := newWrite()
				_, err := s.Create(t.Context(), write, small("one"))
				checkError(t, err, store.Unavailable, "free some space")
				if store.ChangedNothing(err) {
					t.Errorf("the error says that nothing was changed: %v", err)
				}
				p.set(nil)
				if g, err := past.Create(t.Context(), write, small("one")); err != nil || g.Version != 1 {
					t.Errorf("after repeating: %+v, %v", g, err)
				}
				checkWhole(t, past, 1)
			})
		})
	}
}

// clock is a clock that a test controls.
type clock struct{ at chan time.Time }

func newClock() *clock {
	c := &clock{make(chan time.Time, 1)}
	c.at <- time.Now()
	return c
}

func (c *clock) now() time.Time {
	at := <-c.at
	c.at <- at
	return at
}

func (c *clock) pass(d time.Duration) { c.at <- (<-c.at).Add(d) }
