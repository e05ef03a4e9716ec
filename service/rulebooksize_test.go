package service_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// heap() returns the size of everything that is in use on the heap.
func heap() int64 {
	runtime.GC()
	runtime.GC() // the first collection does not free objects that have a finalizer
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The kinds of guidelines whose size is compared with the heap. The number i is different for each guideline.
var kindsBySize = map[string]func(i int) guideline.Guideline{
	"ordinary guidelines": func(i int) guideline.Guideline {
		g := instruction(fmt.Sprint("g", i), strings.Repeat(fmt.Sprintf("Build part %d with care. ", i), 8))
		g.Condition = guideline.Condition{Agents: []string{fmt.Sprint("agent-", i%100)}, Paths: []string{fmt.Sprintf("src/area%d/**", i%50)}}
		return g
	},
	"much metadata": func(i int) guideline.Guideline {
		g := instruction(fmt.Sprint("g", i), "i")
		g.Metadata = map[string]any{"note": fmt.Sprint(i, strings.Repeat("n", 4_000))}
		return g
	},
	"patterns with many alternatives": func(i int) guideline.Guideline {
		g := instruction(fmt.Sprint("g", i), "i")
		for n := range 4 {
			g.Condition.Paths = append(g.Condition.Paths, fmt.Sprintf("src%d/{a,b,c,d}/%d/{e,f,g,h}/*.{go,ts}", i, n))
		}
		return g
	},
}

// limitedServer returns a server. Its store and its rulebooks may each take the given number of bytes.
func (p *storedProject) limitedServer(limit int64) *service.Service {
	s := service.New(service.Options{
		Env: p.env, Now: func() time.Time { return time.Now().Add(time.Hour) }, Dir: p.root, Memory: true, MemoryLimit: limit,
		Open: func(ctx context.Context, c *config.Config) (*live.Store, error) {
			return open.Open(ctx, c, open.Options{Env: p.env, Now: time.Now, Memory: limit})
		},
	})
	p.t.Cleanup(func() { check(p.t, s.Close()) })
	return s
}

func (p *storedProject) askAs(s *service.Service, tenant string) {
	p.t.Helper()
	a, err := s.GetContext(service.ForTenant(p.t.Context(), tenant), service.Request{Context: guideline.Context{Agent: "a"}})
	check(p.t, err)
	if a.Source != service.SourceStore {
		p.t.Fatalf("the guidelines come from %s: %s", a.Source, a.Notices)
	}
}

func TestTheSizeOfRulebooksIsTheMemoryThatTheyTake(t *testing.T) {
	for kind, guidelineOf := range kindsBySize {
		t.Run(kind, func(t *testing.T) {
			p := newUsersProject(t, "packs: []\n")
			var items []guideline.Guideline
			for i := range 1000 {
				items = append(items, guidelineOf(i))
			}
			_, err := p.tenantStore("big").Import(t.Context(), items, store.ImportOptions{})
			check(t, err)
			create(t, p.tenantStore("small"), instruction("one", "One."))
			s := p.limitedServer(1 << 30)
			p.askAs(s, "small") // opens everything that all tenants share
			before, counted := heap(), s.MemoryUsed()
			p.askAs(s, "big")
			took, size := heap()-before, s.MemoryUsed()-counted
			if size > 2*took || took > 2*size {
				t.Errorf("%d bytes were counted, and the heap grew by %d", size, took)
			}
		})
	}
}

func TestTenantsWithMuchMetadataStayBelowTheLimitOfTheMemory(t *testing.T) {
	const limit, tenants, large = 4 << 20, 16, 1 << 20
	p := newUsersProject(t, "packs: []\n")
	name := func(i int) string { return fmt.Sprint("t", i) }
	for i := range tenants {
		g := instruction("one", "One.")
		g.Metadata = map[string]any{"note": fmt.Sprint(i, strings.Repeat("n", large))}
		create(t, p.tenantStore(name(i)), g)
	}
	s := p.limitedServer(limit)
	before := heap()
	for i := range tenants {
		p.askAs(s, name(i))
	}
	if used := s.MemoryUsed(); used > limit {
		t.Errorf("the rulebooks take %d bytes, and the limit is %d", used, limit)
	}
	eventually(t, time.Minute, func() bool { return heap()-before <= 3*limit }) // the store drops tenants after its next poll
}
