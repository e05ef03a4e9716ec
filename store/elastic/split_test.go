package elastic_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"guardrails/store"
	"guardrails/store/elastic"
)

// makeUnsplit creates the indices of a store in the same way as earlier programs, which did not know segments.
func makeUnsplit(t *testing.T, url, prefix string) {
	t.Helper()
	for _, index := range []string{"config", "audit", "state"} {
		name := prefix + "guardrails-" + index
		ask(t, http.MethodPut, url+"/"+name+"-v1",
			`{"aliases": {"`+name+`": {"is_write_index": true}}, "settings": {"number_of_shards": 1, "auto_expand_replicas": "0-1"},
			"mappings": {"dynamic": "strict", "_meta": {"version": 1}}}`)
	}
}

// newUnsplit returns a store with a guideline and two decisions. Its audit is one index.
func newUnsplit(t *testing.T, url string) *segmented {
	t.Helper()
	prefix := newPrefix(t, url)
	makeUnsplit(t, url, prefix)
	s := &segmented{open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix}), t, url, prefix}
	t.Cleanup(func() { s.Close() })
	if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil {
		t.Fatal(err)
	}
	s.log("a", "d1", "d2")
	return s
}

// reopen() opens the store again, as a program does when its indices have disappeared.
func (s *segmented) reopen() *segmented {
	s.t.Helper()
	other := open(s.t, elastic.Options{Addresses: []string{s.url}, Prefix: s.prefix, SegmentBytes: 1})
	s.t.Cleanup(func() { other.Close() })
	return &segmented{other, s.t, s.url, s.prefix}
}

// isRefusedEverything checks that an open store can neither read nor write. Each call must return the error that makes
// a program open the store again.
func (s *segmented) isRefusedEverything() {
	s.t.Helper()
	calls := map[string]func() error{
		"Append": func() error { _, err := s.Append(s.t.Context(), "a", decision("late")); return err },
		"Create": func() error { _, err := s.Create(s.t.Context(), newWrite(), small("late")); return err },
		"All":    func() error { _, err := s.All(s.t.Context(), "a"); return err },
		"Query":  func() error { _, err := s.Query(s.t.Context(), "a", store.AuditQuery{}); return err },
		"Heads":  func() error { _, err := s.Heads(s.t.Context(), "a"); return err },
		"Verify": func() error { _, err := s.Verify(s.t.Context(), "a", store.Known{}); return err },
	}
	for name, call := range calls {
		if err := call(); !isGone(err) {
			s.t.Errorf("%s: got %v, want an error that makes the program open the store again", name, err)
		}
	}
}

func TestSplittingAnAuditKeepsEverythingAndJoiningItToo(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		old := newUnsplit(t, url)
		old.checkSegments()
		if err := old.Split(t.Context()); err != nil {
			t.Fatal(err)
		}
		old.isRefusedEverything()
		s := old.reopen()
		s.checkDecisions("a", "d1", "d2")
		s.log("a", "d1", "d3") // d1 exists
		s.maintain()
		s.log("a", "d2", "d4", "d3")
		s.checkDecisions("a", "d1", "d2", "d3", "d4")
		s.checkSegments(1, 2)
		if g, err := s.Get(t.Context(), "a", "one"); err != nil || g.Version != 1 {
			t.Errorf("got %+v, %v", g, err)
		}
		s.prune("a", 3) // the change and d1 are older than three entries
		if err := s.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.isRefusedEverything()
		s.checkSegments()
		joined := s.reopen()
		joined.checkDecisions("a", "d2", "d3", "d4")
		joined.log("a", "d2", "d5")
		joined.checkDecisions("a", "d2", "d3", "d4", "d5")
		if names := indicesOf(t, url, old.prefix); len(names) != 3 {
			t.Errorf("got the indices %v", names)
		}
		if err := joined.Split(t.Context()); err != nil {
			t.Fatal(err)
		}
		s = joined.reopen()
		s.log("a", "d6")
		s.checkSegments(3) // numbers are not used again
		s.checkDecisions("a", "d2", "d3", "d4", "d5", "d6")
	})
}

// Programs write while the audit is split. A program that was refused opens the store again, and repeats what was not
// acknowledged.
func TestAnAuditIsSplitWhileProgramsWrite(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		old := newUnsplit(t, url)
		var all sync.WaitGroup
		begun, want := make(chan struct{}, 3), []string{"d1", "d2"}
		for writer := range 3 {
			for i := range 8 {
				want = append(want, fmt.Sprintf("w%d-%d", writer, i))
			}
			s := old.reopen()
			all.Go(func() {
				for i := range 8 {
					s = s.appendUntilDone(fmt.Sprintf("w%d-%d", writer, i))
					if i == 2 {
						begun <- struct{}{}
					}
				}
			})
		}
		for range 3 {
			<-begun
		}
		if err := old.Split(t.Context()); err != nil {
			t.Error(err)
		}
		all.Wait()
		slices.Sort(want)
		old.reopen().listsAll(want)
	})
}

// A decision that is appended while the segments are copied is accepted, and the joined audit has it.
func TestAnAuditIsJoinedWhileProgramsWrite(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		old := newUnsplit(t, url)
		if err := old.Split(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := old.reopen()
		s.log("a", "d3")
		s.maintain()
		p := newProxy(t, url)
		joining := open(t, elastic.Options{Addresses: []string{p.URL}, Prefix: old.prefix})
		defer joining.Close()
		var during []string
		p.set(func(_ int, r *http.Request) fault {
			if !strings.HasSuffix(r.URL.Path, "_reindex") {
				return nil
			}
			id := fmt.Sprint("during-", len(during))
			switch _, err := s.Append(t.Context(), "a", decision(id)); {
			case err == nil:
				during = append(during, id)
			case store.CodeOf(err) != store.ReadOnly:
				t.Error(err)
			}
			return nil
		})
		if err := joining.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(during) < 3 {
			t.Errorf("only %d decisions were accepted while the segments were copied", len(during))
		}
		old.reopen().listsAll(slices.Sorted(slices.Values(append(during, "d1", "d2", "d3"))))
	})
}

// While a process joins the segments, another process begins a join. One of the joins may fail, but no decision is
// lost.
func TestTwoJoinsLoseNothing(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for _, at := range []string{"first", "last"} {
			t.Run(at, func(t *testing.T) {
				old := newUnsplit(t, url)
				if err := old.Split(t.Context()); err != nil {
					t.Fatal(err)
				}
				s := old.reopen()
				s.log("a", "d3")
				s.maintain()
				want := []string{"d1", "d2", "d3"}
				p := newProxy(t, url)
				first := open(t, elastic.Options{Addresses: []string{p.URL}, Prefix: old.prefix})
				defer first.Close()
				isLast, other := false, sync.Once{}
				p.set(func(_ int, r *http.Request) fault {
					isLast = isLast || strings.HasSuffix(r.URL.Path, "_block/write")
					if strings.HasSuffix(r.URL.Path, "_reindex") && isLast == (at == "last") {
						other.Do(func() {
							t.Log("the other join:", old.reopen().Join(t.Context()))
							old.reopen().mayLog("between", &want)
						})
					}
					return nil
				})
				t.Log("the join:", first.Join(t.Context()))
				p.set(nil)
				if err := old.reopen().Join(t.Context()); err != nil {
					t.Fatal(err)
				}
				joined := old.reopen()
				joined.log("a", "later")
				joined.listsAll(slices.Sorted(slices.Values(append(want, "later"))))
				joined.checkSegments()
			})
		}
	})
}

// appendUntilDone appends a decision, and opens the store again when necessary. It returns the store that it used last.
func (s *segmented) appendUntilDone(id string) *segmented {
	for {
		_, err := s.Append(s.t.Context(), "a", decision(id))
		switch {
		case err == nil:
			return s
		case isGone(err):
			s = s.reopen()
		default:
			s.t.Error(err)
			return s
		}
	}
}

func (s *segmented) listsAll(want []string) {
	s.t.Helper()
	var got []string
	for e, err := range s.Export(s.t.Context(), "a", store.AuditFilter{Kind: store.KindDecision}) {
		if err != nil {
			s.t.Fatal(err)
		}
		got = append(got, e.ID)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		s.t.Errorf("got %v, want %v", got, want)
	}
}

// The test interrupts a split or join at each of its steps, as if the process had been killed. Nothing must be lost,
// and repeating the split or join must complete the work.
func TestAnInterruptedSplitOrJoinLosesNothing(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for name, f := range map[string]fault{"before": gone, "after": lost} {
			for _, change := range []string{"split", "join"} {
				t.Run(change+" "+name, func(t *testing.T) {
					t.Parallel()
					interruptEverywhere(t, url, change, f)
				})
			}
		}
	})
}

// A writer commits a transaction while another process makes the state index read-only. Then both processes disappear.
func TestAJoinThatWasInterruptedWithAPendingTransactionIsCompleted(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, writer, past := openBehindProxy(t, url, nil)
		s := &segmented{past, t, url, p.options.Prefix}
		s.log("a", "d1")
		p.set(fromMatch(func(r *http.Request) bool { return strings.Contains(r.URL.RawQuery, "if_seq_no") }, lost))
		if _, err := writer.Create(t.Context(), newWrite(), small("one")); err == nil {
			t.Fatal("the interrupted change was acknowledged")
		}
		p.set(nil)
		joining := open(t, p.options)
		defer joining.Close()
		p.set(fromMatch(func(r *http.Request) bool {
			return strings.Contains(r.URL.Path, "guardrails-state") && strings.HasSuffix(r.URL.Path, "_refresh")
		}, gone))
		if err := joining.Join(t.Context()); err == nil {
			t.Fatal("the join was not interrupted")
		}
		for _, name := range indicesOf(t, url, s.prefix) {
			if strings.Contains(name, "guardrails-state-v") {
				ask(t, http.MethodPut, url+"/"+name+"/_block/write", "")
			}
		}
		if err := s.reopen().Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		joined := s.reopen()
		joined.log("a", "d2")
		joined.checkDecisions("a", "d1", "d2")
		if g, err := joined.Get(t.Context(), "a", "one"); err != nil || g.Version != 1 {
			t.Errorf("got %+v, %v", g, err)
		}
	})
}

// fromMatch injects a fault into the first request that matches. No later request reaches the server.
func fromMatch(matches func(*http.Request) bool, f fault) func(int, *http.Request) fault {
	found := false
	return func(_ int, r *http.Request) fault {
		switch {
		case found:
			return gone
		case matches(r):
			found = true
			return f
		}
		return nil
	}
}

func interruptEverywhere(t *testing.T, url, change string, f fault) {
	old := newUnsplit(t, url)
	if change == "join" {
		if err := old.Split(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := old.reopen()
		s.log("a", "d3")
		s.maintain()
		s.log("a", "d4")
	}
	want := old.decisions()
	for step, done := 1, false; !done; step++ {
		p := newProxy(t, url)
		s := open(t, elastic.Options{Addresses: []string{p.URL}, Prefix: old.prefix})
		p.set(fromStep(step, f))
		run := map[string]func(context.Context) error{"split": s.Split, "join": s.Join}[change]
		done = run(t.Context()) == nil
		p.set(nil)
		s.Close()
		if step > 300 {
			t.Fatal("the change of the audit never ends")
		}
		other := old.reopen()
		other.listsAll(want)
		other.mayLog(fmt.Sprint("after-", step), &want)
	}
	s := old.reopen()
	s.log("a", "last")
	s.listsAll(slices.Sorted(slices.Values(append(want, "last"))))
}

// fromStep injects a fault into request n and into all later requests. It does not count the requests that ask whether
// the servers have copied an index.
func fromStep(n int, f fault) func(int, *http.Request) fault {
	number := 0
	return func(_ int, r *http.Request) fault {
		if !strings.Contains(r.URL.Path, "/_tasks/") {
			number++
		}
		if number >= n {
			return f
		}
		return nil
	}
}

// decisions() returns the ids of the decisions in the store.
func (s *segmented) decisions() (ids []string) {
	s.t.Helper()
	for e, err := range s.reopen().Export(s.t.Context(), "a", store.AuditFilter{Kind: store.KindDecision}) {
		if err != nil {
			s.t.Fatal(err)
		}
		ids = append(ids, e.ID)
	}
	return ids
}

// mayLog appends a decision. While the segments are being joined, the store can refuse the decision because the store
// is read-only.
func (s *segmented) mayLog(id string, all *[]string) {
	s.t.Helper()
	_, err := s.Append(s.t.Context(), "a", decision(id))
	switch {
	case err == nil:
		*all = append(*all, id)
		slices.Sort(*all)
	case store.CodeOf(err) != store.ReadOnly:
		s.t.Error(err)
	}
}
