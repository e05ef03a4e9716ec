package sqlite_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/sqlite"
)

var (
	guidelineCount = flag.Int("guidelines", 10_000, "how many guidelines the benchmarks have")
	entryCount     = flag.Int("entries", 1_000_000, "how many audit entries the benchmarks have")
)

// benchFolder is the folder of the store that the benchmarks use. TestMain removes it.
var benchFolder string

// The function "large" returns a store that all benchmarks share, because it takes long to fill.
var large = sync.OnceValues(func() (s *sqlite.Store, err error) {
	if benchFolder, err = os.MkdirTemp("", "guardrails-bench-"); err != nil {
		return nil, err
	}
	s, err = sqlite.Open(context.Background(), sqlite.Options{Path: filepath.Join(benchFolder, "bench.db")})
	if err != nil {
		return nil, err
	}
	return s, fill(s)
})

func fill(s *sqlite.Store) error {
	items := make([]guideline.Guideline, *guidelineCount)
	for i := range items {
		items[i] = benchGuideline(i)
	}
	if _, err := s.Import(context.Background(), write("bench"), items, store.ImportOptions{}); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for done := 0; done < *entryCount; {
		batch := make([]store.Entry, min(5000, *entryCount-done))
		for i := range batch {
			batch[i] = benchEntry(random, done+i, start.Add(time.Duration(done+i)*3*time.Second))
		}
		if _, err := s.Append(context.Background(), "bench", batch...); err != nil {
			return err
		}
		done += len(batch)
	}
	return nil
}

func benchGuideline(i int) guideline.Guideline {
	words := []string{"commit", "review", "deploy", "secret", "worker", "contract", "schema", "migration"}
	return guideline.Guideline{
		ID: fmt.Sprintf("guideline-%05d", i), Name: fmt.Sprintf(
			"Guideline %d about %s", i, words[i%len(words)],
		), Enabled: i%5 != 0,
		Description: fmt.Sprintf(
			"Before a %s the team wants a look at %s and at what number %d stands for.", words[i/8%len(words)],
			words[i/64%len(words)], i,
		),
		Category: guideline.Categories()[i%7], Priority: i * 7919 % 1001,
		Condition: guideline.Condition{
			Agents: []string{fmt.Sprintf("agent-%d", i%20), "backend"}, Domains: []string{fmt.Sprintf("P%02d", i%30)},
			Paths: []string{"src/workers/*"},
		},
		Action: guideline.Action{
			Type: guideline.ToolRestriction, Instruction: "Keep to your own folders.",
			ToolsDenied: []string{"Write(contracts/*)"},
		},
		Metadata: map[string]any{"tags": []any{fmt.Sprintf("tag-%d", i%12)}},
	}
}

func benchEntry(random *rand.Rand, i int, at time.Time) store.Entry {
	e := store.Entry{
		ID: fmt.Sprintf("bench-%07d", i), Time: at, Kind: store.KindDecision, Event: "tool_call", Actor: fmt.Sprintf("agent-%d", random.IntN(5)),
		Session: fmt.Sprintf("session-%d", i/200), Guideline: fmt.Sprintf("guideline-%05d", random.IntN(1000)), Version: 3,
		Decision: &store.Decision{
			Result: "deny", Reason: "The call overwrites a remote branch.", Tool: "Bash",
			Effects: "2c26b46b68ffc68ff99b453c1d304134", Micros: 412,
		},
		Context: &guideline.Context{
			Agent: "backend", Domain: "P01", Action: "implement", Event: "commit", Paths: []string{"src/workers/pool.py"},
		},
	}
	if random.IntN(20) == 0 {
		e.Event, e.Decision.Result = "gate_decision", "ask"
	}
	return e
}

func write(tenant string) store.Write {
	return store.Write{ID: store.NewID(time.Now()), Tenant: tenant, Actor: "bench"}
}

func BenchmarkGuidelines(b *testing.B) {
	s, err := large()
	if err != nil {
		b.Fatal(err)
	}
	enabled := true
	for name, q := range map[string]store.ListQuery{
		"first":            {},
		"last":             {Paging: store.Paging{Page: min(*guidelineCount, store.MaxNumbered) / 20}},
		"by-name":          {Sort: store.ByName, Paging: store.Paging{Page: 100}},
		"by-updated":       {Sort: store.ByUpdated},
		"priority-upwards": {Order: store.Ascending},
		"category-enabled": {Filter: store.Filter{Category: guideline.Security, Enabled: &enabled}},
		"agent":            {Filter: store.Filter{Agent: "agent-7"}},
		"agent-all":        {Filter: store.Filter{Agent: "backend"}, Paging: store.Paging{Page: 250}},
		"tag-domain":       {Filter: store.Filter{Tag: "tag-5", Domain: "P05"}},
		"search":           {Filter: store.Filter{Search: "migration look"}},
		"search-rare":      {Filter: store.Filter{Search: "9999"}},
		"thousand":         {Paging: store.Paging{Size: 1000}},
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				if _, err := s.List(b.Context(), "bench", q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("all", func(b *testing.B) {
		for range b.N {
			if set, err := s.All(b.Context(), "bench"); err != nil || len(set.Guidelines) != *guidelineCount {
				b.Fatal(len(set.Guidelines), err)
			}
		}
	})
	b.Run("get", func(b *testing.B) {
		for range b.N {
			if _, err := s.Get(b.Context(), "bench", "guideline-00077"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("generations", func(b *testing.B) {
		for range b.N {
			if _, err := s.Generations(b.Context(), "bench"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAudit(b *testing.B) {
	s, err := large()
	if err != nil {
		b.Fatal(err)
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	end := start.Add(time.Duration(*entryCount) * 3 * time.Second)
	middle, last := placesOf(b, s, store.AuditFilter{})
	calls, _ := placesOf(b, s, store.AuditFilter{Event: "tool_call"})
	actor, _ := placesOf(b, s, store.AuditFilter{Actor: "agent-3"})
	for name, q := range map[string]store.AuditQuery{
		"first":           {},
		"middle":          {Paging: middle},
		"last":            {Paging: last},
		"guideline":       {AuditFilter: store.AuditFilter{Guideline: "guideline-00500"}},
		"event":           {AuditFilter: store.AuditFilter{Event: "tool_call"}, Paging: calls},
		"event-rare":      {AuditFilter: store.AuditFilter{Event: "guideline_imported"}},
		"session":         {AuditFilter: store.AuditFilter{Session: "session-77"}},
		"actor":           {AuditFilter: store.AuditFilter{Actor: "agent-3"}, Paging: actor},
		"actor-event":     {AuditFilter: store.AuditFilter{Actor: "agent-3", Event: "gate_decision"}},
		"actor-guideline": {AuditFilter: store.AuditFilter{Actor: "agent-3", Guideline: "guideline-00500"}},
		"result":          {AuditFilter: store.AuditFilter{Result: "deny"}},
		"result-rare":     {AuditFilter: store.AuditFilter{Result: "ask"}},
		"agent-none":      {AuditFilter: store.AuditFilter{Agent: "nobody"}},
		"actor-result":    {AuditFilter: store.AuditFilter{Actor: "agent-3", Result: "deny"}},
		"actor-session":   {AuditFilter: store.AuditFilter{Actor: "agent-3", Session: "session-77"}},
		"time": {AuditFilter: store.AuditFilter{
			From: start.Add(12345678 * time.Millisecond), To: end.Add(-23456789 * time.Millisecond),
		}, Paging: store.Paging{Page: 100}},
		"time-actor-event": {AuditFilter: store.AuditFilter{
			Actor: "agent-3", Event: "tool_call", From: start.Add(12345678 * time.Millisecond),
			To: end.Add(-23456789 * time.Millisecond),
		}},
		"thousand": {Paging: store.Paging{Size: 1000}},
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				if _, err := s.Query(b.Context(), "bench", q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// placesOf walks through the audit and returns its middle page and its last page.
func placesOf(b *testing.B, s *sqlite.Store, f store.AuditFilter) (middle, last store.Paging) {
	b.Helper()
	at := store.Paging{Size: store.MaxPageSize}
	for {
		page, err := s.Query(b.Context(), "bench", store.AuditQuery{AuditFilter: f, Paging: at})
		if err != nil {
			b.Fatal(err)
		}
		if page.Next == "" {
			return middle, last
		}
		at.Cursor = page.Next
		last = store.Paging{Cursor: page.Next}
		if page.Page*page.Size <= page.Total/2 {
			middle = last
		}
	}
}

// BenchmarkAppend appends single entries from many goroutines. Each goroutine waits until its entry is on the disk.
func BenchmarkAppend(b *testing.B) {
	for _, callers := range []int{1, 16, 64} {
		b.Run(fmt.Sprint("callers-", callers), func(b *testing.B) {
			s, err := sqlite.Open(b.Context(), sqlite.Options{Path: filepath.Join(b.TempDir(), "data", "append.db")})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			appendFrom(b, s, callers)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

func appendFrom(b *testing.B, s *sqlite.Store, callers int) {
	var next atomic.Int64
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(caller), 0))
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				if _, err := s.Append(b.Context(), "bench", benchEntry(random, int(i), time.Now())); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkChanges makes changes of one tenant from many clients. Each client waits until its change is on the disk.
func BenchmarkChanges(b *testing.B) {
	for _, clients := range []int{1, 16, 64} {
		b.Run(fmt.Sprint("clients-", clients), func(b *testing.B) {
			s, err := sqlite.Open(b.Context(), sqlite.Options{Path: filepath.Join(b.TempDir(), "data", "changes.db")})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			changeFrom(b, s, clients)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "changes/s")
		})
	}
}

func changeFrom(b *testing.B, s *sqlite.Store, clients int) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				if _, err := s.Create(b.Context(), write("bench"), benchGuideline(int(i))); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkWhole verifies, exports, dumps and loads a million entries.
func BenchmarkWhole(b *testing.B) {
	s, err := large()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("verify", func(b *testing.B) {
		for range b.N {
			if verdicts, err := s.Verify(b.Context(), "bench", nil); err != nil || verdicts[0].Fault != nil {
				b.Fatal(verdicts, err)
			}
		}
	})
	b.Run("export", func(b *testing.B) {
		for range b.N {
			for _, err := range s.Export(b.Context(), "bench", store.AuditFilter{}) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("move", func(b *testing.B) {
		for range b.N {
			other, err := sqlite.Open(b.Context(), sqlite.Options{Path: filepath.Join(b.TempDir(), "data", "other.db")})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := other.Load(b.Context(), "bench", s.Dump(b.Context(), "bench")); err != nil {
				b.Fatal(err)
			}
			prune(b, other)
			other.Close()
		}
	})
}

// prune() deletes half of the entries.
func prune(b *testing.B, s *sqlite.Store) {
	b.StopTimer()
	begun := time.Now()
	gone, err := s.Prune(b.Context(), write("bench"), store.Retention{Keep: *entryCount / 2})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(gone)/time.Since(begun).Seconds(), "pruned/s")
	b.StartTimer()
}
