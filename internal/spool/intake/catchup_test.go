package intake_test

import (
	"context"
	"testing"
	"time"

	"guardrails/internal/spool/intake"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// failing is a store whose Append fails.
type failing struct {
	store.Store
	err error
}

func (f *failing) Append(context.Context, string, ...store.Entry) ([]store.Entry, error) {
	return nil, f.err
}

func mustOpen(t *testing.T, path string) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	check(t, err)
	return s
}

func TestCatchUpFailsOnlyIfTheOwnStoreLacksLines(t *testing.T) {
	unavailable := store.Errorf(store.Unavailable, "the store does not answer")
	full := store.Errorf(store.ReadOnly, "the disk is full")
	for name, c := range map[string]struct {
		own, other error
		lines      []string
		want       store.Code
	}{
		"all stores answer":                        {lines: []string{"/p", "/other"}},
		"the own store does not answer":            {own: unavailable, lines: []string{"/p"}, want: store.Unavailable},
		"the own store is full":                    {own: full, lines: []string{"/p"}, want: store.ReadOnly},
		"another store does not answer":            {other: unavailable, lines: []string{"/p", "/other", "/p"}},
		"no store answers, and nothing is waiting": {own: unavailable, other: unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			for n, project := range c.lines {
				w.write(record(n+1, project))
			}
			homes := map[bool]intake.Home{}
			for other, err := range map[bool]error{false: c.own, true: c.other} {
				name := map[bool]string{false: "main", true: "second"}[other]
				s := mustOpen(t, w.base+"/"+name+"/guardrails.db")
				if err != nil {
					s = &failing{s, err}
				}
				opened := live.New(live.Options{Open: live.Opened(s), Now: time.Now})
				t.Cleanup(func() { check(t, opened.Close()) })
				homes[other] = intake.Home{Store: name, Tenant: "acme", Catalog: opened}
			}
			in := intake.New(intake.Options{
				Dirs: []string{w.spool}, Now: func() time.Time { return w.now },
				Home: func(_ context.Context, project string) intake.Home { return homes[project == "/other"] },
			})
			if err := in.CatchUp(t.Context(), time.Minute, "acme"); store.CodeOf(err) != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// noting is an audit on another server. It counts the decisions that it gets.
type noting struct{ got int }

func (n *noting) Add(_ context.Context, _ string, entries ...store.Entry) error {
	n.got += len(entries)
	return nil
}

func TestCatchUpDoesNotAskAnotherServer(t *testing.T) {
	for name, isOwn := range map[string]bool{"the server has the audit of a project": false, "the server has all audits": true} {
		w, remote := newFixture(t), &noting{}
		w.homes["/far"] = intake.Home{Store: "far", Tenant: "acme", Catalog: remote, Elsewhere: true}
		if isOwn {
			w.homes[""] = w.homes["/far"]
		}
		w.write(record(1, "/p"), record(2, "/far"), record(3, "/p"))
		in := w.intake()
		if _, err := in.Turn(t.Context()); err != nil || remote.got != 1 { // after this turn, the stores are known
			t.Fatalf("%s: %v, %d", name, err, remote.got)
		}
		w.write(record(4, "/p"), record(5, "/far"))
		if err := in.CatchUp(t.Context(), time.Minute, "acme"); err != nil || remote.got != 1 || len(w.entries("main", "acme")) != 3 {
			t.Errorf("%s: %v, sent %d, added %d", name, err, remote.got, len(w.entries("main", "acme")))
		}
		if _, err := in.Turn(t.Context()); err != nil || remote.got != 2 {
			t.Errorf("%s, later: %v, %d", name, err, remote.got)
		}
	}
}

func TestCatchUpFailsWhileTheOwnStoreIsNotOpen(t *testing.T) {
	w := newFixture(t)
	w.write(record(1, "/p"))
	in := intake.New(intake.Options{
		Dirs: []string{w.spool}, Now: func() time.Time { return w.now },
		Home: func(context.Context, string) intake.Home { return intake.Home{Store: "main", Tenant: "acme"} },
	})
	if err := in.CatchUp(t.Context(), time.Minute); store.CodeOf(err) != store.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestCatchUpFailsOnlyForTheTenantWhoseEntriesAreRefused(t *testing.T) {
	w := newFixture(t)
	s := w.withPicky(map[string]error{"bad": older()}, "/bad", "/good")
	for n := range 2 {
		w.write(record(2*n+1, "/bad"), record(2*n+2, "/good"))
		if err := w.intake().CatchUp(t.Context(), time.Minute, "good"); err != nil {
			t.Errorf("the other tenant: %v", err)
		}
		if err := w.intake().CatchUp(t.Context(), time.Minute, "bad"); store.CodeOf(err) != store.Unavailable {
			t.Errorf("the refused tenant: %v", err)
		}
		if err := w.intake().CatchUp(t.Context(), time.Minute); err != nil {
			t.Errorf("without a tenant: %v", err)
		}
	}
	if got := w.reasons("main", "good"); got != "r2 r4" {
		t.Errorf("the other tenant has %q", got)
	}
	before := s.refused
	if err := w.intake().CatchUp(t.Context(), time.Minute, "good"); err != nil || s.refused != before {
		t.Errorf("%v, and the other tenant waited for %d refused requests", err, s.refused-before)
	}
	s.refuses = nil
	if err := w.intake().CatchUp(t.Context(), time.Minute, "bad"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	if got := w.reasons("main", "bad"); got != "r1 r3" {
		t.Errorf("%q", got)
	}
}

// If the store as a whole does not answer, no cursor passes the lines of a tenant that was refused before.
func TestNothingPassesTheLinesOfAStoreThatDoesNotAnswer(t *testing.T) {
	w := newFixture(t)
	s := w.withPicky(map[string]error{"bad": older()}, "/bad", "/good")
	w.write(record(1, "/bad"), record(2, "/good"))
	_, _ = w.intake().All(t.Context())
	down := store.Errorf(store.Unavailable, "the store does not answer")
	s.refuses = map[string]error{"bad": down, "good": down}
	w.write(record(3, "/bad"), record(4, "/good"), record(5, "/bad"))
	for _, tenant := range []string{"bad", "good"} {
		if err := w.intake().CatchUp(t.Context(), time.Minute, tenant); store.CodeOf(err) != store.Unavailable {
			t.Errorf("%s: %v", tenant, err)
		}
	}
	s.refuses = nil
	w.all(w.intake())
	if bad, good := w.reasons("main", "bad"), w.reasons("main", "good"); bad != "r1 r3 r5" || good != "r2 r4" {
		t.Errorf("%q and %q", bad, good)
	}
}

func TestCatchUpReturnsTheErrorOfTheOwnStore(t *testing.T) {
	broken := &failing{err: store.Errorf(store.Internal, "the other store is damaged")}
	for name, own := range map[string]intake.Catalog{
		"that is not open": nil,
		"that refuses a tenant": live.New(live.Options{
			Open: live.Opened(&picky{mustOpen(t, t.TempDir()+"/a/g.db"), map[string]error{"bad": older()}, 0}), Now: time.Now,
		}),
	} {
		w := newFixture(t)
		w.homes[""] = intake.Home{Store: "main", Catalog: own}
		w.homes["/bad"] = intake.Home{Store: "main", Tenant: "bad", Catalog: own}
		w.homes["/other"] = intake.Home{
			Store: "second", Tenant: "bad", Catalog: live.New(live.Options{Open: live.Opened(broken), Now: time.Now}),
		}
		w.write(record(1, "/other"), record(2, "/bad"))
		if err := w.intake().CatchUp(t.Context(), time.Minute, "bad"); store.CodeOf(err) != store.Unavailable {
			t.Errorf("a store %s: %v", name, err)
		}
	}
}

// The disk was full when a hook wrote the last line of the file.
func TestCatchUpDoesNotWaitForALineThatIsNotComplete(t *testing.T) {
	w := newFixture(t)
	w.home("/other", "acme", "second")
	w.write(record(1, "/other"), record(2, "/p"))
	w.all(w.intake())
	check(t, w.open["second"].Close())
	w.write(record(3, "/other"), record(4, "/p"))
	appendTo(t, w.file("2026-02-05"), "\n"+record(5, "/p")[:50])
	if err := w.intake().CatchUp(t.Context(), time.Minute, "acme"); err != nil {
		t.Error(err)
	}
	if got := w.reasons("main", "acme"); got != "r2 r4" {
		t.Errorf("got %q", got)
	}
}
