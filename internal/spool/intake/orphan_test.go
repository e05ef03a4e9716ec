package intake_test

import (
	"testing"
	"time"

	"guardrails/internal/spool/intake"
)

func TestWaitingLinesAreTakenWhenTheirProjectNamesAnotherStore(t *testing.T) {
	type at struct{ store, tenant string }
	for name, c := range map[string]struct {
		change func(*fixture)
		want   map[at]string
	}{
		"one that no project used": {
			func(w *fixture) { w.home("/r", "acme", "third"); w.home("/s", "acme", "third") },
			map[at]string{{"third", "acme"}: "r3 r4", {"main", "acme"}: "r2 r5 r6"},
		},
		"the one that others use": {
			func(w *fixture) { w.home("/r", "acme", "main"); w.home("/s", "acme", "main") },
			map[at]string{{"main", "acme"}: "r2 r5 r3 r4 r6"},
		},
		"while another project keeps the store": {
			func(w *fixture) { w.home("/r", "acme", "third"); w.home("/s", "acme", "second") },
			map[at]string{{"third", "acme"}: "r3", {"second", "acme"}: "r1 r4", {"main", "acme"}: "r2 r5 r6"},
		},
		"and each project another one": {
			func(w *fixture) { w.home("/r", "acme", "third"); w.home("/s", "acme", "main") },
			map[at]string{{"third", "acme"}: "r3", {"main", "acme"}: "r2 r5 r4 r6"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.home("/r", "acme", "second")
			w.home("/s", "acme", "second")
			w.write(record(1, "/r"), record(2, "/p"))
			i := w.intake()
			w.all(i)
			check(t, w.open["second"].Close())
			w.write(record(3, "/r"), record(4, "/s"), record(5, "/p"))
			if _, err := i.All(t.Context()); err == nil {
				t.Fatal("the closed store took lines")
			}
			delete(w.open, "second")
			c.change(w)
			w.write(record(6, "/p"))
			w.all(i)
			for of, want := range c.want {
				if got := w.reasons(of.store, of.tenant); got != want {
					t.Errorf("%s: got %q, want %q", of, got, want)
				}
			}
		})
	}
}

func TestWaitingLinesAreTakenByAProcessWhoseOwnProjectHasAnotherStore(t *testing.T) {
	w := newFixture(t)
	w.home("/q", "acme", "other")
	w.write(record(1, "/q"))
	i := w.intake()
	w.all(i)
	check(t, w.open["main"].Close())
	w.write(record(2, "/p"), record(3, "/q"))
	if _, err := i.All(t.Context()); err == nil {
		t.Fatal("the closed store took lines")
	}
	delete(w.open, "main")
	w.home("/p", "acme", "main")
	w.home("", "", "other")
	w.write(record(4, "/p"))
	w.all(w.intake())
	if main, other := w.reasons("main", "acme"), w.reasons("other", "acme"); main != "r2 r4" || other != "r1 r3" {
		t.Errorf("%q and %q", main, other)
	}
}

func TestWaitingLinesAreTakenAfterAMistakeInTheSettingsWasCorrected(t *testing.T) {
	w := newFixture(t)
	w.home("/r", "acme", "second")
	right := w.homes["/r"]
	w.write(record(1, "/r"))
	i := w.intake()
	w.all(i)
	w.home("/r", "acme", "main")
	for n := range 3 { // the mistake is made more than once
		w.write(record(2+n, "/r"))
		w.all(i)
		w.homes["/r"] = right
		w.write(record(10+n, "/p"))
		w.all(i)
		w.home("/r", "acme", "main")
	}
	if got := w.reasons("second", "acme"); got != "r1 r2 r3 r4" {
		t.Errorf("%q", got)
	}
	w.write(record(20, "/p"))
	w.all(i)
	if got, err := intake.Waiting([]string{w.spool}); got.Lines != 0 || err != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestFileIsRemovedAfterItsProjectNamesAnotherStore(t *testing.T) {
	w := newFixture(t)
	w.home("/r", "acme", "second")
	w.write(record(1, "/r"))
	i := w.intake()
	w.all(i)
	w.home("/r", "acme", "third")
	w.now = w.now.Add(72 * time.Hour)
	w.write(record(2, "/r"))
	w.all(i)
	i.Age(2 * time.Minute)
	w.all(i)
	if w.hasFile("2026-02-05") {
		t.Error("the file of the past day remains")
	}
	if second, third := w.reasons("second", "acme"), w.reasons("third", "acme"); second != "r1" || third != "r2" {
		t.Errorf("%q and %q", second, third)
	}
}
