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
			if err := in.CatchUp(t.Context(), time.Minute); store.CodeOf(err) != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
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
