package elastic_test

import (
	"fmt"
	"sync"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/elastic"
)

func TestEveryHandleReadsAcknowledgedEntriesAtOnceWhileManyWrite(t *testing.T) {
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

// writeAndRead makes changes and decisions through one handle. After each of them, it reads the audit through both.
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
		for _, s := range []*elastic.Store{writer, other} {
			readBack(t, s, &g)
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
