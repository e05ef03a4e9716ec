package elastic_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/elastic"
)

func TestEveryHandleReadsWhatWasAcknowledgedAtOnceWhileManyWrite(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		prefix := newPrefix(t, url)
		handles := make([]*elastic.Store, 2)
		for i := range handles {
			handles[i] = open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix})
			defer handles[i].Close()
		}
		var writers sync.WaitGroup
		for i := range 8 {
			writers.Go(func() {
				writeAndRead(t, handles[i%2], handles[(i+1)%2], fmt.Sprint("w", i))
			})
		}
		writers.Wait()
	})
}

// writeAndRead makes changes and decisions through one store ("writer"). After each change or decision, it reads the
// audit through this store and through a second one ("other").
func writeAndRead(t *testing.T, writer, other *elastic.Store, name string) {
	for i := range 3 {
		g := small(fmt.Sprint(name, "-", i))
		if _, err := writer.Create(t.Context(), newWrite(), g); err != nil {
			t.Error(err)
		}
		d := decision(g.ID + "-d")
		d.Guideline = g.ID
		if _, err := writer.Append(t.Context(), "a", d); err != nil {
			t.Error(err)
		}
		for _, s := range []*elastic.Store{other, writer} {
			readBack(t, s, &g)
			readGuideline(t, s, &g)
		}
	}
}

func readBack(t *testing.T, s *elastic.Store, g *guideline.Guideline) {
	f := store.AuditFilter{Guideline: g.ID}
	page, err := s.Query(t.Context(), "a", store.AuditQuery{AuditFilter: f})
	if err != nil || page.Total != 2 {
		t.Errorf("the audit has %d entries about %s, want 2 (%v)", page.Total, g.ID, err)
	}
	exported := 0
	for _, err := range s.Export(t.Context(), "a", f) {
		if err != nil {
			t.Error(err)
		}
		exported++
	}
	if exported != 2 {
		t.Errorf("the export has %d entries about %s, want 2", exported, g.ID)
	}
}

// readGuideline reads a guideline in every way in which the index of guidelines is searched.
func readGuideline(t *testing.T, s *elastic.Store, g *guideline.Guideline) {
	has := func(list []guideline.Guideline) bool {
		return slices.ContainsFunc(list, func(one guideline.Guideline) bool { return one.ID == g.ID })
	}
	page, err := s.List(t.Context(), "a", store.ListQuery{Filter: store.Filter{Search: g.Name}})
	if err != nil || !has(page.Items) {
		t.Errorf("the list lacks %s (%v)", g.ID, err)
	}
	if history, err := s.History(t.Context(), "a", g.ID, store.Paging{}); err != nil || history.Total != 1 {
		t.Errorf("the history of %s has %d versions (%v)", g.ID, history.Total, err)
	}
	if set, err := s.All(t.Context(), "a"); err != nil || !has(set.Guidelines) {
		t.Errorf("the guidelines lack %s (%v)", g.ID, err)
	}
	if c, err := s.Changes(t.Context(), "a", store.Moment{}); err != nil || !has(c.Changed) {
		t.Errorf("the changes lack %s (%v)", g.ID, err)
	}
	if got, err := s.Get(t.Context(), "a", g.ID); err != nil || got.ID != g.ID {
		t.Errorf("got %q (%v)", got.ID, err)
	}
}
