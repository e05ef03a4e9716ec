package intake_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/internal/spool/intake"
	"guardrails/store"
	"guardrails/store/live"
)

// picky is a store that refuses the entries of some tenants.
type picky struct {
	store.Store
	refuses map[string]error
	// This field counts the refused calls.
	refused int
}

func (p *picky) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	if err := p.refuses[tenant]; err != nil {
		p.refused++
		return nil, err
	}
	return p.Store.Append(ctx, tenant, entries...)
}

// older() returns the error for a tenant whose part of an Elasticsearch store is older than the rest.
func older() error {
	return store.Errorf(store.Unavailable, "the guidelines are older than the journal").CausedBy(store.ErrOlder)
}

// withPicky makes the store "main" refuse the entries of some tenants. Each project's tenant has the project's name
// without the slash.
func (w *fixture) withPicky(refuses map[string]error, projects ...string) *picky {
	w.t.Helper()
	s := &picky{mustOpen(w.t, filepath.Join(w.base, "picky", "guardrails.db")), refuses, 0}
	opened := live.New(live.Options{Open: live.Opened(s), Now: time.Now})
	w.t.Cleanup(func() { check(w.t, opened.Close()) })
	w.open["main"] = opened
	for _, project := range append(projects, "") {
		w.homes[project] = intake.Home{Store: "main", Tenant: strings.TrimPrefix(project, "/"), Catalog: opened}
	}
	return s
}

func TestTenantWhoseEntriesAreRefusedDelaysNoOtherTenant(t *testing.T) {
	for name, refused := range map[string]error{
		"the tenant's store lacks changes": store.Errorf(store.ReadOnly, "it lacks changes"),
		"the tenant's chain is damaged":    store.Errorf(store.Internal, "the chain is damaged"),
		"an entry is invalid":              store.Errorf(store.Invalid, "an entry is invalid"),
		"the tenant's part is older":       older(),
		"an error without a code":          errors.New("it failed"),
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			s := w.withPicky(map[string]error{"bad": refused}, "/bad", "/good")
			i := w.intake()
			for n := range 3 {
				w.write(record(2*n+1, "/bad"), record(2*n+2, "/good"))
				if _, err := i.All(t.Context()); store.CodeOf(err) != store.CodeOf(refused) || !strings.Contains(err.Error(), "bad") {
					t.Errorf("turn %d: %v", n, err)
				}
			}
			if got := w.reasons("main", "good"); got != "r2 r4 r6" {
				t.Errorf("the other tenant has %q", got)
			}
			if waiting, err := intake.Waiting([]string{w.spool}); waiting.Lines == 0 || err != nil {
				t.Errorf("got %+v, %v", waiting, err)
			}
			s.refuses = nil
			w.write(record(7, "/bad"), record(8, "/good"))
			w.all(i)
			w.write(record(9, "/bad"))
			w.all(w.intake())
			if bad, good := w.reasons("main", "bad"), w.reasons("main", "good"); bad != "r1 r3 r5 r7 r9" || good != "r2 r4 r6 r8" {
				t.Errorf("%q and %q", bad, good)
			}
			if waiting, err := intake.Waiting([]string{w.spool}); waiting.Lines != 0 || err != nil {
				t.Errorf("got %+v, %v", waiting, err)
			}
			if left, err := filepath.Glob(filepath.Join(w.spool, "taken-*")); len(left) != 1 || err != nil {
				t.Errorf("%q, %v", left, err)
			}
		})
	}
}

// In a real database, the chain of the tenant is damaged: the recorded position of its newest entry is too small.
func TestTenantWithADamagedChainDelaysNoOtherTenant(t *testing.T) {
	w := newFixture(t)
	w.home("/bad", "bad", "main")
	w.write(record(1, "/bad"), record(2, "/p"))
	i := w.intake()
	w.all(i)
	db, err := sql.Open("sqlite", filepath.Join(w.base, "main", "guardrails.db"))
	check(t, err)
	defer db.Close()
	const ofBad = " WHERE tenant = (SELECT id FROM name WHERE text = 'bad')"
	_, err = db.Exec("UPDATE chain SET seq = 0" + ofBad)
	check(t, err)
	w.write(record(3, "/bad"), record(4, "/p"), record(5, "/bad"), record(6, "/p"))
	if _, err := i.All(t.Context()); store.CodeOf(err) != store.Internal {
		t.Errorf("got %v", err)
	}
	if got := w.reasons("main", "acme"); got != "r2 r4 r6" {
		t.Errorf("the other tenant has %q", got)
	}
	_, err = db.Exec("UPDATE chain SET seq = 1" + ofBad)
	check(t, err)
	w.all(i)
	if got := w.reasons("main", "bad"); got != "r1 r3 r5" {
		t.Errorf("%q", got)
	}
}

func TestWaitingLinesOfARefusedTenantAreTakenInOrder(t *testing.T) {
	for name, restart := range map[string]bool{"by the same process": false, "by another process": true} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			refused := store.Errorf(store.ReadOnly, "it lacks changes")
			s := w.withPicky(map[string]error{"bad": refused, "worse": refused}, "/bad", "/worse", "/good")
			i := w.intake()
			number := 0
			for day := range 3 {
				for range 2 {
					w.write(record(number, "/bad"), record(number+1, "/worse"), record(number+2, "/good"))
					number += 3
					if _, err := i.All(t.Context()); err == nil {
						t.Fatal("the refused entries are not reported")
					}
				}
				if w.now = w.now.Add(24 * time.Hour); day == 1 {
					delete(s.refuses, "worse")
				}
				if restart {
					i = w.intake()
				}
			}
			s.refuses = nil
			w.all(i)
			for tenant, want := range map[string]string{
				"bad": "r0 r3 r6 r9 r12 r15", "worse": "r1 r4 r7 r10 r13 r16", "good": "r2 r5 r8 r11 r14 r17",
			} {
				if got := w.reasons("main", tenant); got != want {
					t.Errorf("%s: got %q, want %q", tenant, got, want)
				}
			}
		})
	}
}

func TestFilesStayWhileATenantIsRefused(t *testing.T) {
	w := newFixture(t)
	s := w.withPicky(map[string]error{"bad": store.Errorf(store.ReadOnly, "it lacks changes")}, "/bad", "/good")
	w.write(record(1, "/bad"), record(2, "/good"))
	i := w.intake()
	for range 2 {
		w.now = w.now.Add(40 * 24 * time.Hour)
		if _, err := i.All(t.Context()); err == nil {
			t.Fatal("the refused entry is not reported")
		}
		i.Age(2 * time.Minute)
		if !w.hasFile("2026-02-05") {
			t.Fatal("the file was removed")
		}
	}
	s.refuses = nil
	w.all(i)
	i.Age(2 * time.Minute)
	w.all(i)
	if w.hasFile("2026-02-05") || w.reasons("main", "bad") != "r1" {
		t.Errorf("%q, or the file remains", w.reasons("main", "bad"))
	}
}

func TestWaitingLinesOfARefusedTenantGoToTheNewStoreOfTheirProject(t *testing.T) {
	w := newFixture(t)
	w.withPicky(map[string]error{"bad": store.Errorf(store.ReadOnly, "it lacks changes")}, "/bad", "/good")
	w.homes[""] = intake.Home{}
	w.home("", "", "own")
	w.write(record(1, "/bad"), record(2, "/good"))
	i := w.intake()
	if _, err := i.All(t.Context()); err == nil {
		t.Fatal("the refused entry is not reported")
	}
	w.home("/bad", "bad", "second")
	w.home("/good", "good", "second")
	w.write(record(3, "/bad"), record(4, "/good"))
	w.all(i)
	if bad, good := w.reasons("second", "bad"), w.reasons("second", "good"); bad != "r1 r3" || good != "r2 r4" && good != "r4" {
		t.Errorf("%q and %q", bad, good)
	}
}

// If the store refuses many tenants, the store itself has failed. In that case, all its lines wait together.
func TestManyRefusedTenantsCountAsAFailedStore(t *testing.T) {
	w := newFixture(t)
	const tenants = 100
	refused, projects := map[string]error{}, []string{}
	for n := range tenants {
		name := string(rune('a'+n/26)) + string(rune('a'+n%26))
		refused[name] = store.Errorf(store.ReadOnly, "the database is read-only")
		projects = append(projects, "/"+name)
		w.write(record(n, "/"+name))
	}
	s := w.withPicky(refused, projects...)
	i := w.intake()
	if _, err := i.All(t.Context()); store.CodeOf(err) != store.ReadOnly {
		t.Errorf("%v", err)
	}
	if files, err := filepath.Glob(filepath.Join(w.spool, "taken-*")); len(files) > tenants/2 || err != nil {
		t.Errorf("%d files, %v", len(files), err)
	}
	s.refuses = nil
	w.all(i)
	for n, project := range projects {
		if got, want := w.reasons("main", project[1:]), fmt.Sprintf("r%d", n); got != want {
			t.Errorf("%s: got %q, want %q", project, got, want)
		}
	}
}

func TestWaitingLinesAreNotLostIfTheirProjectGetsAnotherTenant(t *testing.T) {
	w := newFixture(t)
	s := w.withPicky(map[string]error{"bad": store.Errorf(store.Internal, "the chain is damaged")}, "/bad", "/good")
	i := w.intake()
	w.write(record(1, "/bad"), record(2, "/good"))
	if _, err := i.All(t.Context()); err == nil {
		t.Error("the store took everything")
	}
	moved := w.homes["/bad"]
	moved.Tenant = "new"
	w.homes["/bad"] = moved
	s.refuses = nil
	w.write(record(3, "/bad"))
	w.all(i)
	if got := slices.Sorted(slices.Values(strings.Fields(w.reasons("main", "new")))); !slices.Equal(got, []string{"r1", "r3"}) {
		t.Errorf("the new tenant has %q", got)
	}
	if waiting, err := intake.Waiting([]string{w.spool}); waiting.Lines != 0 || err != nil {
		t.Errorf("got %+v, %v", waiting, err)
	}
}
