package intake_test

import (
	"strings"
	"testing"

	"guardrails/internal/spool/intake"
	"guardrails/store"
)

// The projects /r and /s use a store that fails, so their lines wait. After that, the settings of /r name another
// store. That store may already have skipped the lines of /r.
func TestWaitingLinesAreTakenByANewStoreThatIsAheadOfTheOldOne(t *testing.T) {
	fail := map[string]func(w *fixture){
		"the old store is unavailable": func(w *fixture) {
			for _, project := range []string{"/r", "/s"} {
				w.homes[project] = intake.Home{Store: "second", Tenant: "acme"}
			}
		},
		"the old store fails": func(w *fixture) { check(w.t, w.open["second"].Close()) },
	}
	for name, c := range map[string]struct {
		store   string
		new     bool // another line of /r follows
		restart bool
	}{
		"one that others use":                         {store: "main"},
		"one that others use, with a new line":        {store: "main", new: true},
		"one that others use, in another process":     {store: "main", restart: true},
		"one that no project used":                    {store: "third"},
		"one that no project used, with a new line":   {store: "third", new: true},
		"one that no project used, in a new process":  {store: "third", restart: true},
		"one that no project used, both of the above": {store: "third", new: true, restart: true},
	} {
		for how, fail := range fail {
			t.Run(name+", and "+how, func(t *testing.T) {
				w := newFixture(t)
				w.home("/r", "acme", "second")
				w.home("/s", "acme", "second")
				w.write(record(1, "/s"), record(2, "/p"))
				i := w.intake()
				w.all(i)
				fail(w)
				w.write(record(3, "/r"), record(4, "/s"), record(5, "/p"))
				_, _ = i.All(t.Context()) // All returns the error of the store that fails
				w.home("/r", "acme", c.store)
				if c.restart {
					i = w.intake()
				}
				want := "r3"
				if c.new {
					w.write(record(6, "/r"))
					want = "r3 r6"
				}
				for range 2 { // at this point, the old store still fails
					_, _ = i.All(t.Context())
				}
				got := map[string]string{"main": w.reasons("main", "acme")}
				if c.store == "main" {
					want = "r2 r5 " + want
				} else {
					got["third"] = w.reasons("third", "acme")
				}
				if got[c.store] != want {
					t.Errorf("while the old store fails, the new one has %q, want %q", got[c.store], want)
				}
				delete(w.open, "second")
				w.home("/s", "acme", "second")
				w.write(record(7, "/s"))
				w.all(i)
				w.all(w.intake())
				if second, now := w.reasons("second", "acme"), w.reasons(c.store, "acme"); second != "r1 r4 r7" || now != want {
					t.Errorf("%q and %q", second, now)
				}
				if waiting, err := intake.Waiting([]string{w.spool}); waiting.Lines != 0 || err != nil {
					t.Errorf("got %+v, %v", waiting, err)
				}
			})
		}
	}
}

// The old store failed, and the new store skipped the line. So no store had the line when the project moved.
func TestWaitingLinesAreTakenThatOnlyTheNewStoreHasSeen(t *testing.T) {
	w := newFixture(t)
	w.home("/r", "acme", "second")
	w.home("/s", "acme", "second")
	w.write(record(1, "/s"), record(2, "/p"))
	w.all(w.intake())
	check(t, w.open["second"].Close())
	w.write(record(3, "/r"), record(4, "/p"))
	_, _ = w.intake().All(t.Context())
	delete(w.open, "second")
	w.home("/s", "acme", "second")
	w.home("/r", "acme", "main")
	w.all(w.intake())
	if got := w.reasons("main", "acme"); got != "r2 r4 r3" {
		t.Errorf("%q", got)
	}
}

func TestWaitingLinesOfARefusedTenantFollowTheirProject(t *testing.T) {
	w := newFixture(t)
	w.withPicky(map[string]error{"bad": store.Errorf(store.ReadOnly, "it lacks changes")}, "/bad", "/good")
	w.home("/new", "new", "second")
	w.write(record(1, "/bad"), record(2, "/good"), record(3, "/new"))
	i := w.intake()
	if _, err := i.All(t.Context()); err == nil {
		t.Fatal("the refused entry is not reported")
	}
	w.home("/bad", "bad", "second")
	w.write(record(4, "/good"))
	w.all(i)
	w.write(record(5, "/bad"), record(6, "/good"))
	w.all(i)
	if bad, good := w.reasons("second", "bad"), w.reasons("main", "good"); bad != "r1 r5" || good != "r2 r4 r6" {
		t.Errorf("%q and %q", bad, good)
	}
	if waiting, err := intake.Waiting([]string{w.spool}); waiting.Lines != 0 || err != nil {
		t.Errorf("got %+v, %v", waiting, err)
	}
}

// The settings of a project have a mistake: the name of the tenant is a name that no store accepts. Other projects use
// the same store.
func TestLinesOfAProjectWhoseTenantIsInvalidWait(t *testing.T) {
	for name, restart := range map[string]bool{"in the same process": false, "in another process": true} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			right := w.homes["/p"]
			w.home("/q", "bad\nname", "main")
			i := w.intake()
			for n := range 2 {
				w.write(record(2*n+1, "/q"), record(2*n+2, "/p"))
				if _, err := i.All(t.Context()); err == nil || !strings.Contains(err.Error(), "contains control characters") {
					t.Errorf("got %v", err)
				}
			}
			if got := w.reasons("main", "acme"); got != "r2 r4" {
				t.Errorf("the other project has %q", got)
			}
			if waiting, err := intake.Waiting([]string{w.spool}); waiting.Lines == 0 || err != nil {
				t.Errorf("got %+v, %v", waiting, err)
			}
			w.homes["/q"] = right
			if restart {
				i = w.intake()
			}
			w.write(record(5, "/p"))
			w.all(i)
			w.all(w.intake())
			if got := w.reasons("main", "acme"); len(strings.Fields(got)) != 5 {
				t.Errorf("afterwards: %q", got)
			}
			if waiting, err := intake.Waiting([]string{w.spool}); waiting.Lines != 0 || err != nil {
				t.Errorf("got %+v, %v", waiting, err)
			}
		})
	}
}

// The store of a project could not be opened. A moment later, other projects could open the same store.
func TestLinesOfAProjectWhoseStoreCannotBeOpenedWait(t *testing.T) {
	w := newFixture(t)
	right := w.homes["/p"]
	w.homes["/q"] = intake.Home{Store: "main", Tenant: "acme"}
	w.write(record(1, "/q"), record(2, "/p"))
	i := w.intake()
	if _, err := i.All(t.Context()); store.CodeOf(err) != store.Unavailable {
		t.Errorf("got %v", err)
	}
	w.homes["/q"] = right
	w.all(i)
	if got := w.reasons("main", "acme"); got != "r1 r2" {
		t.Errorf("got %q", got)
	}
}

// Hooks append to the file of the day. A hook can be slow around midnight, and a clock can be set back.
func TestALineInAnOlderFileIsTaken(t *testing.T) {
	w := newFixture(t)
	today := w.now
	w.now = today.AddDate(0, 0, -1)
	w.write(record(1, "/p"))
	w.all(w.intake())
	w.home("/r", "acme", "second")
	w.now = today
	w.write(record(2, "/r"))
	w.all(w.intake())
	for n, back := range []int{-1, -2} {
		w.now = today.AddDate(0, 0, back)
		w.write(record(3+n, "/r"))
	}
	w.now = today
	w.all(w.intake())
	if got := strings.Fields(w.reasons("second", "acme")); len(got) != 3 {
		t.Errorf("got %q", got)
	}
}

func TestALineOfALateTenantIsNotLostIfItsProjectGetsATenantThatBecameLateAfterwards(t *testing.T) {
	w := newFixture(t)
	refused := store.Errorf(store.Internal, "the chain is damaged")
	s := w.withPicky(map[string]error{"bad": refused, "worse": refused}, "/bad", "/worse", "/good")
	i := w.intake()
	for n, project := range []string{"/bad", "/good", "/worse"} {
		w.write(record(n+1, project))
		_, _ = i.All(t.Context())
	}
	moved := w.homes["/bad"]
	moved.Tenant = "worse"
	w.homes["/bad"] = moved
	w.write(record(4, "/bad"))
	_, _ = i.All(t.Context())
	s.refuses = nil
	w.all(i)
	w.all(w.intake())
	if got := strings.Fields(w.reasons("main", "worse")); len(got) != 3 {
		t.Errorf("got %q", got)
	}
}
