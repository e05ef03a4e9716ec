package live

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/sqlite"
)

// The type "crowded" is a store whose memory is enough for two tenants with one guideline each.
type crowded struct {
	*Store
	*testing.T
	path    string
	signals atomic.Int32
	broken  atomic.Bool
}

// The type "breakable" is a store that can be made to fail.
type breakable struct {
	store.Store
	broken *atomic.Bool
}

func (s breakable) Generations(ctx context.Context, tenants ...string) ([]int64, error) {
	if s.broken.Load() {
		return nil, store.Errorf(store.Unavailable, "the cluster does not answer")
	}
	return s.Store.Generations(ctx, tenants...)
}

func newCrowded(t *testing.T) *crowded {
	t.Helper()
	c := &crowded{T: t, path: filepath.Join(t.TempDir(), "data", "guardrails.db")}
	c.Store = New(Options{
		Open: Opened(breakable{c.database(), &c.broken}), Location: "sqlite:test", Now: time.Now, Memory: 1300,
		Changed: func() { c.signals.Add(1) },
	})
	c.pollOnce.Do(func() {}) // from now on, only the test polls the store
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func (c *crowded) database() store.Store {
	c.Helper()
	s, err := sqlite.Open(c.Context(), sqlite.Options{Path: c.path})
	if err != nil {
		c.Fatal(err)
	}
	return s
}

// add() creates a guideline without using the cache, as another process would do.
func (c *crowded) add(tenant, id string) {
	c.Helper()
	other := c.database()
	w := store.Write{ID: store.NewID(time.Now()), Tenant: tenant, Actor: "ann"}
	_, err := other.Create(c.Context(), w, guideline.Guideline{
		ID: id, Name: id, Enabled: true, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction},
	})
	if err != nil {
		c.Error(err)
	}
	if err := other.Close(); err != nil {
		c.Error(err)
	}
}

// ask() returns the ids of a tenant's guidelines.
func (c *crowded) ask(tenant string) string {
	c.Helper()
	v, err := c.Snapshot(c.Context(), tenant)
	if err != nil {
		c.Fatal(err)
	}
	return keysOf(v.Guidelines)
}

func (c *crowded) has(tenants ...string) bool {
	now := c.Tenants()
	slices.Sort(now)
	return slices.Equal(now, tenants)
}

// pollUntil polls the store until exactly these tenants are in memory.
func (c *crowded) pollUntil(tenants ...string) {
	c.Helper()
	for end := time.Now().Add(time.Minute); !c.has(tenants...); c.poll(make(chan struct{}, 1)) {
		if time.Now().After(end) {
			c.Fatalf("the tenants %v are in memory, want %v", c.Tenants(), tenants)
		}
	}
}

// fill() calls ask() for each tenant, one after the other.
func (c *crowded) fill(tenants ...string) {
	c.Helper()
	for _, tenant := range tenants {
		c.ask(tenant)
	}
}

func TestTenantsThatWereNotUsedForTheLongestTimeLeaveTheMemory(t *testing.T) {
	c := newCrowded(t)
	for _, tenant := range []string{"a", "b", "c"} {
		c.add(tenant, "one-of-"+tenant)
	}
	c.fill("a", "b", "c")
	c.pollUntil("b", "c")
	c.fill("b", "a") // now c has been unused for the longest time
	c.pollUntil("a", "b")
	if got := c.ask("c"); got != "one-of-c" {
		t.Errorf("a tenant that had left the memory has %q", got)
	}
}

func TestATenantThatLeftTheMemoryGetsWhatChangedMeanwhile(t *testing.T) {
	c := newCrowded(t)
	for _, tenant := range []string{"a", "b", "c"} {
		c.add(tenant, "one")
	}
	c.fill("a", "b", "c")
	c.pollUntil("b", "c")
	before := c.signals.Load()
	if got := c.ask("a"); got != "one" {
		t.Errorf("got %q", got)
	}
	if after := c.signals.Load(); after != before {
		t.Error("sessions ask again, although nothing has changed")
	}
	c.pollUntil("a", "c")
	c.add("b", "two")
	if got := c.ask("b"); got != "one two" {
		t.Errorf("got %q", got)
	}
	if after := c.signals.Load(); after != before+1 {
		t.Errorf("sessions were told %d times of one change", after-before)
	}
}

func TestATenantThatIsNeededStaysInMemory(t *testing.T) {
	c := newCrowded(t)
	for _, tenant := range []string{"a", "b", "c"} {
		c.add(tenant, "one")
	}
	listener := c.Listen("a", "")
	defer listener.Close()
	c.fill("a", "b", "c")
	c.pollUntil("a", "c")
}

func TestNobodyLeavesTheMemoryWhileTheStoreDoesNotAnswer(t *testing.T) {
	c := newCrowded(t)
	for _, tenant := range []string{"a", "b"} {
		c.add(tenant, "one")
	}
	c.fill("a", "b")
	c.memory = 1
	c.broken.Store(true)
	for range 5 {
		c.poll(make(chan struct{}, 1))
	}
	if !c.has("a", "b") {
		t.Errorf("the tenants %v are in memory", c.Tenants())
	}
}

func TestTheLastTenantStaysHoweverLargeItIs(t *testing.T) {
	c := newCrowded(t)
	for i := range 5 {
		c.add("large", fmt.Sprint("g", i))
	}
	c.add("small", "one")
	c.fill("small", "large")
	c.pollUntil("large")
	c.poll(make(chan struct{}, 1))
	if !c.has("large") {
		t.Errorf("the tenants %v are in memory", c.Tenants())
	}
}
