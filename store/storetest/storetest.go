// Package storetest tests the contract of package store. It is one suite of tests that every driver must pass.
//
// Start with Run, which tests one store, and RunShared, which tests two handles on one store, like two processes.
// RunCore is a short form of Run. The name of each test is a rule of the contract. model.go implements the contract in
// a simple way, in memory. The suite makes random changes in the store and in this model, and compares the results.
package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// The type "bench" is the store that a test runs on.
type bench struct {
	store.Store
	*testing.T
	// open() returns another new, empty store.
	open func(t *testing.T) store.Store
}

// The type "test" is a test of one rule of the contract.
type test struct {
	must string
	run  func(b *bench)
}

// Run runs the suite. Every call of open() returns a new, empty store, which the suite closes.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	groups := map[string][]test{
		"editing": editing(), "changes": changing(), "locking": locking(), "write ids": writeIDs(), "validation": validation(),
		"listing": listing(), "paging": paging(), "cursors": cursors(), "projects": projects(),
		"archive": archive(), "import": importing(), "audit": auditing(), "searching the audit": searching(),
		"chains":  chains(),
		"pruning": pruning(), "moving": moving(), "webhooks": webhooks(), "life": lifecycle(), "concurrency": concurrency(),
		"model": {{"random operations MUST have the same results as in a simple model", randomOperations}},
	}
	for group, tests := range groups {
		t.Run(group, func(t *testing.T) {
			for _, c := range tests {
				t.Run(c.must, func(t *testing.T) {
					t.Parallel()
					s := open(t)
					defer closeStore(t, s)
					b := &bench{s, t, open}
					c.run(b)
					if group != "life" { // these tests close the store
						b.checkVerifies("a")
					}
				})
			}
		})
	}
}

// RunCore is a short test that makes most kinds of calls. Use it if the same driver already passes the whole suite, for
// example to test another way to log in. The parameter "open" is the same as in Run.
func RunCore(t *testing.T, open func(t *testing.T) store.Store) {
	t.Helper()
	s := open(t)
	defer closeStore(t, s)
	movesEverything(&bench{s, t, open})
}

func closeStore(t *testing.T, s store.Store) {
	if err := s.Close(); err != nil {
		t.Errorf("closing the store: %v", err)
	}
}

// w() returns a new write for a tenant.
func w(tenant string) store.Write {
	return store.Write{ID: store.NewID(time.Now()), Tenant: tenant, Actor: "ann"}
}

// simple() returns a valid guideline.
func simple(id string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: "Guideline " + id, Description: "What " + id + " is for.", Enabled: true,
		Category: guideline.Security, Priority: 500,
		Condition: guideline.Condition{Agents: []string{"backend"}, Paths: []string{"src/*"}},
		Action:    guideline.Action{Type: guideline.Instruction, Instruction: "Mind " + id + "."},
		Metadata:  map[string]any{"tags": []any{"team"}, "weight": 1.50},
	}
}

func (b *bench) ctx() context.Context { return b.Context() }

// create() creates a guideline. If this fails, the test fails.
func (b *bench) create(tenant string, g guideline.Guideline) guideline.Guideline {
	b.Helper()
	out, err := b.Create(b.ctx(), w(tenant), g)
	b.must(err)
	return out
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// refused() checks that err is a *store.Error with the wanted code.
func (b *bench) refused(err error, want store.Code) {
	b.Helper()
	var e *store.Error
	if !errors.As(err, &e) {
		b.Fatalf("got the error %v, want the code %s", err, want)
	}
	if e.Code != want || e.Message == "" {
		b.Fatalf("got the code %s (%s), want %s", e.Code, e.Message, want)
	}
}

// conflicts() checks that err is a conflict that names the current version.
func (b *bench) conflicts(err error, current int) {
	b.Helper()
	b.refused(err, store.Conflict)
	if e := new(store.Error); !errors.As(err, &e) || e.Version != current {
		b.Errorf("the conflict has version %d, want %d", e.Version, current)
	}
}

// checkSame checks that two guidelines have the same canonical form.
func (b *bench) checkSame(got, want guideline.Guideline) {
	b.Helper()
	if g, w := encoded(b.T, &got), encoded(b.T, &want); g != w {
		b.Fatalf("got  %s\nwant %s", g, w)
	}
}

func encoded(t *testing.T, g *guideline.Guideline) string {
	t.Helper()
	text, err := guideline.Encode(g)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// get() reads a guideline. If it does not exist, the test fails.
func (b *bench) get(tenant, id string) guideline.Guideline {
	b.Helper()
	g, err := b.Get(b.ctx(), tenant, id)
	b.must(err)
	return g
}

// generation() returns the generation of a tenant.
func (b *bench) generation(tenant string) int64 {
	b.Helper()
	n, err := store.GenerationOf(b.ctx(), b.Store, tenant)
	b.must(err)
	return n
}

// entries() returns the audit entries that match a filter, newest first. If their number is not the wanted number, the
// test fails.
func (b *bench) entries(tenant string, f store.AuditFilter, want int) []store.Entry {
	b.Helper()
	page, err := b.Query(b.ctx(), tenant, store.AuditQuery{AuditFilter: f, Paging: store.Paging{Size: store.MaxPageSize}})
	b.must(err)
	if page.Total != want || len(page.Items) != min(want, store.MaxPageSize) {
		b.Fatalf("the audit has %d entries (%d on the page) for %+v, want %d", page.Total, len(page.Items), f, want)
	}
	return page.Items
}
