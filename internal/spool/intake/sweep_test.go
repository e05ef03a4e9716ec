package intake_test

import (
	"os"
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

func TestFilesStayWhileAStoreIsUnavailableAndExpireWithoutOne(t *testing.T) {
	w := newFixture(t)
	w.homes["/r"] = intake.Home{Store: "second", Tenant: "acme"}
	w.write(record(1, "/r"), record(2, "/p"))
	for _, want := range []bool{true, false} {
		i := w.intake()
		w.now = w.now.Add(20 * 24 * time.Hour)
		w.all(i)
		i.Age(2 * time.Minute)
		w.all(i)
		if w.hasFile("2026-02-05") != want {
			t.Errorf("on %s the file exists: %t", w.now.Format(time.DateOnly), !want)
		}
	}
}
