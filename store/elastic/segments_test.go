package elastic_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
	"guardrails/store/storetest"
)

// The type "segmented" is a store whose segments are full after one entry.
type segmented struct {
	*elastic.Store
	t           *testing.T
	url, prefix string
}

func newSegmented(t *testing.T, url string) *segmented {
	t.Helper()
	prefix := newPrefix(t, url)
	s := open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix, SegmentBytes: 1})
	t.Cleanup(func() { s.Close() })
	return &segmented{s, t, url, prefix}
}

// log() appends decisions of a tenant.
func (s *segmented) log(tenant string, ids ...string) {
	s.t.Helper()
	for _, id := range ids {
		if _, err := s.Append(s.t.Context(), tenant, decision(id)); err != nil {
			s.t.Fatal(err)
		}
	}
}

// maintain() makes all entries visible to searches and calls Maintain.
func (s *segmented) maintain() {
	s.t.Helper()
	ask(s.t, http.MethodPost, s.url+"/"+s.prefix+"guardrails-audit-all/_refresh", "")
	if err := s.Maintain(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// checkSegments checks which segments exist, except for segment 0.
func (s *segmented) checkSegments(numbers ...int) {
	s.t.Helper()
	var want, got []string
	for _, n := range numbers {
		want = append(want, fmt.Sprintf("%sguardrails-audit-v1-%06d", s.prefix, n))
	}
	for _, name := range indicesOf(s.t, s.url, s.prefix) {
		if strings.Contains(name, "audit-v1-0") {
			got = append(got, name)
		}
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("got the segments %v, want %v", got, want)
	}
}

// checkDecisions checks which decisions a tenant has, newest first, and that its audit passes verification.
func (s *segmented) checkDecisions(tenant string, want ...string) {
	s.t.Helper()
	page, err := s.Query(s.t.Context(), tenant, store.AuditQuery{AuditFilter: store.AuditFilter{Kind: store.KindDecision}})
	if err != nil {
		s.t.Fatal(err)
	}
	got := []string{}
	for _, e := range page.Items {
		got = append(got, e.ID)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		s.t.Errorf("got %v, want %v", got, want)
	}
	verdicts, err := s.Verify(s.t.Context(), tenant, store.Known{})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, v := range verdicts {
		if v.Fault != nil {
			s.t.Errorf("%+v: %+v", v.Head, *v.Fault)
		}
	}
}

// documents() returns the number of decisions in the indices, including those that readers do not see.
func (s *segmented) documents(tenant string) float64 {
	s.t.Helper()
	ask(s.t, http.MethodPost, s.url+"/"+s.prefix+"guardrails-audit-all/_refresh", "")
	return ask(s.t, http.MethodPost, s.url+"/"+s.prefix+"guardrails-audit-all/_count",
		`{"query": {"bool": {"filter": [{"term": {"kind": "decision"}}, {"term": {"tenant_id": "`+tenant+`"}}]}}}`)["count"].(float64)
}

func (s *segmented) prune(tenant string, keep int) {
	s.t.Helper()
	w := newWrite()
	w.Tenant = tenant
	if _, err := s.Prune(s.t.Context(), w, store.Retention{Keep: keep}); err != nil {
		s.t.Fatal(err)
	}
}

func TestAFullSegmentGetsNoNewEntriesAndReadersSeeAllSegments(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		s := newSegmented(t, url)
		if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil {
			t.Fatal(err)
		}
		s.maintain() // harmless: a segment without entries stays
		s.checkSegments(1)
		s.log("a", "d1")
		s.maintain()
		s.log("a", "d2")
		s.maintain()
		s.log("a", "d3")
		s.checkSegments(1, 2, 3)
		s.checkDecisions("a", "d1", "d2", "d3")
		again := open(t, elastic.Options{Addresses: []string{url}, Prefix: s.prefix})
		defer again.Close()
		for _, id := range []string{"d1", "d2", "d3"} {
			if e, err := again.Append(t.Context(), "a", decision(id)); err != nil || e[0].Hash == "" {
				t.Errorf("appending %s again: %v", id, err)
			}
		}
		if got := s.documents("a"); got != 3 {
			t.Errorf("got %v entries after appending them again, want 3", got)
		}
		s.checkDecisions("a", "d1", "d2", "d3")
	})
}

func TestAnOldSegmentGetsNoNewEntries(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		prefix, now := newPrefix(t, url), time.Now()
		s := &segmented{open(t, elastic.Options{
			Addresses: []string{url}, Prefix: prefix, Now: func() time.Time { return now },
		}), t, url, prefix}
		defer s.Close()
		s.log("a", "d1")
		now = now.AddDate(0, 0, 29)
		s.maintain()
		s.checkSegments(1)
		now = now.AddDate(0, 0, 1)
		s.maintain()
		s.checkSegments(1, 2)
	})
}

func TestRetentionRemovesWholeSegments(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		s := newSegmented(t, url)
		for _, id := range []string{"d1", "d2", "d3"} {
			s.log("a", id)
			s.maintain()
		}
		s.checkSegments(1, 2, 3, 4)
		s.prune("a", 2) // one of the two kept entries is the entry about the pruning
		s.checkDecisions("a", "d2", "d3")
		s.maintain()
		s.checkSegments(2, 3, 4)
		s.checkDecisions("a", "d2", "d3")
		s.log("a", "d1") // the id of a pruned entry may be used again
		s.checkDecisions("a", "d1", "d2", "d3")
		other := open(t, elastic.Options{Addresses: []string{url}, Prefix: s.prefix})
		defer other.Close()
		if _, err := other.Append(t.Context(), "a", decision("d4")); err != nil {
			t.Error(err)
		}
	})
}

func TestASegmentStaysWhileATenantNeedsIt(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		s := newSegmented(t, url)
		s.log("a", "a1")
		s.log("b", "b1")
		s.maintain()
		s.log("a", "a2")
		s.prune("a", 1)
		s.maintain()
		s.checkSegments(1, 2, 3)
		s.checkDecisions("a", "a2")
		s.checkDecisions("b", "b1")
		if got := s.documents("a"); got != 2 {
			t.Errorf("got %v entries after the first pruning, want 2", got)
		}
		s.prune("a", 2) // the segment stays, so only the entry is deleted
		if got := s.documents("a"); got != 1 {
			t.Errorf("got %v entries after the second pruning, want 1", got)
		}
		s.checkDecisions("a", "a2")
		s.checkDecisions("b", "b1")
	})
}

func TestAPrunedEntryInASegmentDoesNotTakeTheIDOfANewOne(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		s := newSegmented(t, url)
		s.log("a", "d1", "d2")
		s.prune("a", 1)
		s.log("a", "d1")
		s.checkDecisions("a", "d1", "d2")
		if heads, err := s.Heads(t.Context(), "a"); err != nil || heads[0].Seq != 3 {
			t.Errorf("got %+v, %v", heads, err)
		}
	})
}

func TestADecisionThatIsAppendedDuringAPruningStays(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, through, past := openBehindProxy(t, url, nil)
		s := &segmented{past, t, url, p.options.Prefix}
		prune := func() {
			if _, err := through.Prune(t.Context(), newWrite(), store.Retention{Before: time.Now().Add(time.Hour)}); err != nil {
				t.Fatal(err)
			}
		}
		s.log("a", "d1")
		prune() // the documents stay in the segment
		p.set(func(_ int, r *http.Request) fault {
			if !strings.HasSuffix(r.URL.Path, "guardrails-audit-v1-000001/_delete_by_query") {
				return nil
			}
			return func(p *proxy, w http.ResponseWriter, r *http.Request) {
				s.log("a", "d2")
				s.documents("a") // makes the new entry visible to searches
				p.passOn(w, r)
			}
		})
		prune()
		s.checkDecisions("a", "d2")
		if got := s.documents("a"); got != 1 {
			t.Errorf("got %v entries, want only the new one", got)
		}
	})
}

func TestALostSegmentIsFoundByVerificationAndWhenTheStoreIsOpened(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		s := newSegmented(t, url)
		s.log("a", "d1")
		s.maintain()
		s.log("a", "d2")
		ask(t, http.MethodDelete, url+"/"+s.prefix+"guardrails-audit-v1-000001", "")
		verdicts, err := s.Verify(t.Context(), "a", store.Known{})
		if err != nil || len(verdicts) != 1 || verdicts[0].Fault == nil || verdicts[0].Fault.Damage != store.Removed {
			t.Errorf("got %+v, %v", verdicts, err)
		}
		cannotOpen(t, elastic.Options{Addresses: []string{url}, Prefix: s.prefix}, store.Unavailable,
			"guardrails-audit-000001 is missing")
	})
}

// The type "rolling" is a store that begins a new segment before each append, until there are eight segments.
type rolling struct {
	*elastic.Store
	left *atomic.Int64
}

func (r rolling) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	if r.left.Add(-1) >= 0 {
		if err := r.Maintain(ctx); err != nil {
			return nil, err
		}
	}
	return r.Store.Append(ctx, tenant, entries...)
}

func TestAStoreWithManySegmentsMeetsTheContract(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		storetest.RunCore(t, func(t *testing.T) store.Store {
			left := new(atomic.Int64)
			left.Store(8)
			o := elastic.Options{Addresses: []string{url}, Prefix: newPrefix(t, url), SegmentBytes: 1}
			return rolling{open(t, o), left}
		})
	})
}
