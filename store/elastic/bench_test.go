package elastic_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
)

var entryCount = flag.Int("entries", 20_000, "how many audit entries the benchmarks have")

// benchStore opens a store with unused indices. Without a server, the benchmark is skipped.
func benchStore(b *testing.B) *elastic.Store {
	b.Helper()
	url := os.Getenv("GUARDRAILS_TEST_ELASTICSEARCH")
	if url == "" {
		b.Skip("GUARDRAILS_TEST_ELASTICSEARCH is not set")
	}
	s, err := elastic.Open(b.Context(), elastic.Options{Addresses: []string{url}, Prefix: newPrefix(b, url)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

// BenchmarkChanges makes changes of one tenant from many clients. Each client waits until its change is acknowledged.
func BenchmarkChanges(b *testing.B) {
	for _, clients := range []int{1, 16, 64} {
		b.Run(fmt.Sprint("clients-", clients), func(b *testing.B) {
			s := benchStore(b)
			var next atomic.Int64
			var all sync.WaitGroup
			b.ResetTimer()
			for range clients {
				all.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						if _, err := s.Create(b.Context(), newWrite(), small(fmt.Sprint("g", i))); err != nil {
							b.Error(err)
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "changes/s")
		})
	}
}

// BenchmarkAudit reads the first, the middle and the last page of the audit.
func BenchmarkAudit(b *testing.B) {
	s := filledStore(b)
	for name, at := range placesOf(b, s) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				if _, err := s.Query(b.Context(), "a", store.AuditQuery{Paging: at}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// filledStore returns a store whose audit has as many entries as the flag -entries says.
func filledStore(b *testing.B) *elastic.Store {
	b.Helper()
	s := benchStore(b)
	for done := 0; done < *entryCount; done += 2000 {
		batch := make([]store.Entry, min(2000, *entryCount-done))
		for i := range batch {
			batch[i] = decision(fmt.Sprint("d", done+i))
			batch[i].Time = time.Date(2026, 1, 1, 0, 0, done+i, 0, time.UTC)
		}
		if _, err := s.Append(context.Background(), "a", batch...); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// BenchmarkWhole verifies and exports the whole audit.
func BenchmarkWhole(b *testing.B) {
	s := filledStore(b)
	b.Run("verify", func(b *testing.B) {
		for range b.N {
			if verdicts, err := s.Verify(b.Context(), "a", nil); err != nil || verdicts[0].Fault != nil {
				b.Fatal(verdicts, err)
			}
		}
	})
	b.Run("export", func(b *testing.B) {
		for range b.N {
			for _, err := range s.Export(b.Context(), "a", store.AuditFilter{}) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// placesOf walks through the audit. It returns the paging of the first, the middle and the last page.
func placesOf(b *testing.B, s *elastic.Store) map[string]store.Paging {
	b.Helper()
	out, at := map[string]store.Paging{"first": {}}, store.Paging{Size: store.MaxPageSize}
	for {
		page, err := s.Query(b.Context(), "a", store.AuditQuery{Paging: at})
		if err != nil {
			b.Fatal(err)
		}
		if page.Next == "" {
			return out
		}
		at.Cursor = page.Next
		out["last"] = store.Paging{Cursor: page.Next}
		if page.Page*page.Size <= page.Total/2 {
			out["middle"] = out["last"]
		}
	}
}
