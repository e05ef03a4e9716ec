package intake_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/internal/spool/intake"
)

func (w *fixture) hasFile(day string) bool {
	_, err := os.Lstat(w.file(day))
	return err == nil
}

func TestCompletedFilesOfPastDaysAreRemoved(t *testing.T) {
	w := newFixture(t)
	w.write(record(1, "/p"))
	i := w.intake()
	w.all(i)
	i.Age(2 * time.Minute)
	w.all(i)
	if !w.hasFile("2026-02-05") {
		t.Fatal("today's file was removed")
	}
	w.now = w.now.Add(72 * time.Hour)
	w.write(record(2, "/p"))
	w.all(i)
	if !w.hasFile("2026-02-05") {
		t.Fatal("the file was removed less than a minute after its last change")
	}
	i.Age(2 * time.Minute)
	w.all(i)
	if w.hasFile("2026-02-05") || !w.hasFile("2026-02-08") {
		t.Error("the file of the past day remains, or today's file was removed")
	}
	// A hook whose clock is slow creates the file of that day again.
	w.now = w.now.Add(-72 * time.Hour)
	w.write(record(3, "/p"))
	w.all(i)
	if got := w.reasons("main", "acme"); got != "r1 r2 r3" {
		t.Errorf("%s", got)
	}
}

func TestUnfinishedLineOfAPastDayIsDamaged(t *testing.T) {
	w := newFixture(t)
	appendTo(t, w.file("2026-02-01"), record(1, "/p")[:30])
	i := w.intake()
	w.all(i)
	i.Age(2 * time.Minute)
	w.all(i)
	if n, err := intake.Damaged(w.spool); n != 1 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if w.hasFile("2026-02-01") {
		t.Error("the file was not removed")
	}
}

// The clock of a server can be ahead by any time.
func TestRecordsStayWhileTheirStoreIsUnavailable(t *testing.T) {
	for name, elsewhere := range map[string]bool{"a store": false, "a remote server": true} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.homes["/r"] = intake.Home{Store: "second", Tenant: "acme", Elsewhere: elsewhere}
			w.write(record(1, "/r"), record(2, "/p"))
			w.now = w.now.AddDate(20, 0, 0)
			i := w.intake()
			w.all(i)
			i.Age(2 * time.Minute)
			if r := w.all(i); !w.hasFile("2026-02-05") || r.GivenUp != 0 {
				t.Fatalf("the file was removed: %+v", r)
			}
			w.home("/r", "acme", "second")
			w.all(w.intake())
			if got := w.reasons("second", "acme"); got != "r1" {
				t.Errorf("the store got %q", got)
			}
		})
	}
}

func TestRecordsWithoutAStoreAreGivenUpAfterThirtyDaysAndCounted(t *testing.T) {
	w := newFixture(t)
	none := intake.Home{Tenant: "acme", NoStore: true}
	w.homes[""], w.homes["/r"] = none, none
	w.write(record(1, "/r"), record(2, "/p"), record(3, "/r"))
	for _, givenUp := range []int{0, 2} {
		i := w.intake()
		w.now = w.now.Add(20 * 24 * time.Hour)
		w.all(i)
		i.Age(2 * time.Minute)
		if r := w.all(i); r.GivenUp != givenUp || w.hasFile("2026-02-05") != (givenUp == 0) {
			t.Errorf("on %s: %d records were given up, the file exists: %t",
				w.now.Format(time.DateOnly), r.GivenUp, w.hasFile("2026-02-05"))
		}
	}
	// When the project gets a store, its audit says what is missing.
	w.home("/r", "acme", "main")
	w.all(w.intake())
	var gaps []string
	for _, e := range w.entries("main", "acme") {
		if e.Event != "gap" {
			continue
		}
		gaps = append(gaps, e.Event+" "+e.Decision.Result+" "+fmt.Sprint(e.Context.Metadata["calls"])+": "+e.Decision.Reason)
	}
	want := "gap given_up 2: records of 2026-02-05 were removed from the spool, because there was no store for 30 days: 2"
	if got := strings.Join(gaps, "\n"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// The settings of a project can have a mistake, for example in the name of its store. This project then has the same
// cursor as the projects without a store.
func TestRecordsOfAProjectWithAMistakeInItsSettingsAreNotGivenUp(t *testing.T) {
	w := newFixture(t)
	w.homes[""], w.homes["/p"] = intake.Home{NoStore: true}, intake.Home{NoStore: true}
	w.homes["/r"] = intake.Home{Tenant: "acme"}
	w.write(record(1, "/p"), record(2, "/r"))
	w.now = w.now.AddDate(0, 0, 40)
	i := w.intake()
	w.all(i)
	i.Age(2 * time.Minute)
	if r := w.all(i); r.GivenUp != 0 || !w.hasFile("2026-02-05") {
		t.Fatalf("the file was removed: %+v", r)
	}
	w.home("/r", "acme", "main")
	w.all(w.intake())
	if got := w.reasons("main", "acme"); got != "r2" {
		t.Errorf("the store got %q", got)
	}
}

func TestTheRecordOfAGapHasTheProjectAndTheTenantOfTheRecordsThatAreMissing(t *testing.T) {
	w := newFixture(t)
	none := intake.Home{Tenant: "acme", NoStore: true}
	w.homes[""], w.homes["/p"], w.homes["/r"] = none, none, none
	w.write(record(1, "/p"), record(2, "/r"), record(3, "/r", `,"tenant_id":"other"`), record(4, "/r"))
	for range 2 { // records of gaps are given up too
		w.now = w.now.AddDate(0, 0, 40)
		i := w.intake()
		w.all(i)
		i.Age(2 * time.Minute)
		if r := w.all(i); r.GivenUp != 4 {
			t.Errorf("%d records were given up", r.GivenUp)
		}
	}
	w.home("/p", "acme", "one")
	w.home("/r", "acme", "two")
	w.all(w.intake())
	for _, c := range []struct {
		store, tenant string
		want          string
	}{{"one", "acme", "/p 1"}, {"two", "acme", "/r 2"}, {"two", "other", "/r 1"}} {
		var got []string
		for _, e := range w.entries(c.store, c.tenant) {
			got = append(got, fmt.Sprint(e.Context.Metadata["project"], " ", e.Context.Metadata["calls"]))
		}
		if gaps := strings.Join(got, ", "); gaps != c.want {
			t.Errorf("the store %s has for the tenant %s: %q, want %q", c.store, c.tenant, gaps, c.want)
		}
	}
}
