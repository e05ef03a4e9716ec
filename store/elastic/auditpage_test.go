package elastic_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
)

// TestALargeAuditHasTheSamePagesAsASmallOne reads an audit twice: once through a store that treats the audit as small,
// and once through a store that treats the audit as large. The second store therefore searches in steps.
func TestALargeAuditHasTheSamePagesAsASmallOne(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		o := elastic.Options{Addresses: []string{url}, Prefix: newPrefix(t, url)}
		small := open(t, o)
		defer small.Close()
		o.LargeAudit = 1
		large := open(t, o)
		defer large.Close()
		newest := fillUnevenly(t, small)
		filters := map[string]store.AuditFilter{
			"all entries": {}, "a result": {Result: "deny"}, "a session": {Session: "s3"}, "no entry": {Session: "none"},
			"before a year": {To: newest.AddDate(-1, 0, 0)}, "a week": {From: newest.AddDate(0, 0, -7), To: newest.AddDate(0, 0, -1)},
			"after the end": {From: newest.Add(time.Hour)},
		}
		for name, filter := range filters {
			if want, got := pagesOf(t, small, filter), pagesOf(t, large, filter); !reflect.DeepEqual(want, got) {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
		}
		for number := 1; number <= 4; number++ {
			q := store.AuditQuery{Paging: store.Paging{Page: number, Size: 30}}
			want, err := small.Query(t.Context(), "a", q)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := large.Query(t.Context(), "a", q); err != nil || !reflect.DeepEqual(idsOf(got), idsOf(want)) {
				t.Errorf("page %d: got %v (%v), want %v", number, idsOf(got), err, idsOf(want))
			}
		}
	})
}

// fillUnevenly appends decisions at uneven times: some at the same time, others years apart. It returns the time of the
// newest decision.
func fillUnevenly(t *testing.T, s *elastic.Store) (newest time.Time) {
	t.Helper()
	newest = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	ages := []time.Duration{
		0, time.Millisecond, time.Second, 9 * time.Minute, 10 * time.Minute, 11 * time.Minute, 3 * time.Hour, 5 * time.Hour,
		3 * 24 * time.Hour, 5 * 24 * time.Hour, 90 * 24 * time.Hour, 200 * 24 * time.Hour, 3000 * 24 * time.Hour,
	}
	var list []store.Entry
	for i := range 91 {
		d := decision(fmt.Sprintf("d%02d", i))
		d.Time, d.Session = newest.Add(-ages[i%len(ages)]), fmt.Sprint("s", i%5)
		if i%3 == 0 {
			d.Decision.Result = "deny"
		}
		list = append(list, d)
	}
	if _, err := s.Append(t.Context(), "a", list...); err != nil {
		t.Fatal(err)
	}
	return newest
}

// pagesOf reads all pages by their cursors. It returns the total and the ids of each page.
func pagesOf(t *testing.T, s *elastic.Store, filter store.AuditFilter) (out [][]string) {
	t.Helper()
	for paging := (store.Paging{Size: 7}); ; {
		page, err := s.Query(t.Context(), "a", store.AuditQuery{AuditFilter: filter, Paging: paging})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, append(idsOf(page), fmt.Sprint(page.Total)))
		if page.Next == "" {
			return out
		}
		paging.Cursor = page.Next
	}
}

func idsOf(page store.Page[store.Entry]) (ids []string) {
	for i := range page.Items {
		ids = append(ids, page.Items[i].ID)
	}
	return ids
}
