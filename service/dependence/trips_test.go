package dependence_test

import (
	"strconv"
	"testing"
	"time"

	"guardrails/service/dependence"
)

// The times in the audit have a precision of one millisecond.
func TestTwoTripsOfThePersonInOneMillisecondAreTwo(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	var trips dependence.Trips
	for range 2 { // a server reads the audit again once the spool is empty
		for _, id := range []string{"chk_1", "chk_2", "chk_3"} {
			trips.Note("ann", "", id, now)
		}
		trips.Note("ann", "", "chk_4", now.Add(-time.Second))
	}
	if d := trips.Count("ann", "", false, now, true); d.RecentCount != 4 {
		t.Errorf("got %d trips, want 4", d.RecentCount)
	}
}

func TestTheMemoryForTripsIsLimited(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for name, c := range map[string]struct {
		trips  int
		person func(i int) string
		// The field "most" is the largest number of trips that may be kept.
		most int
	}{
		"of one person":     {5000, func(int) string { return "ann" }, 1000},
		"of many people":    {250_000, strconv.Itoa, 200_000},
		"of hasty visitors": {50_000, strconv.Itoa, 50_000},
	} {
		var trips dependence.Trips
		var last bool
		for i := range c.trips {
			now = now.Add(time.Millisecond)
			last = trips.Count(c.person(i), "", true, now, false).RecentCount > 0
		}
		if kept := trips.Kept(); kept > c.most || !last {
			t.Errorf("%s: %d trips are kept; the newest counts: %v", name, kept, last)
		}
	}
	for name, count := range map[string]struct{ people, trips, most int }{
		"of one person": {1, 5000, 1000}, "of many people": {250_000, 250_000, 200_000},
	} {
		var trips dependence.Trips
		for i := range count.trips {
			now = now.Add(time.Second)
			trips.Note(strconv.Itoa(i%count.people), "", "chk_"+strconv.Itoa(i), now)
		}
		if kept := trips.Kept(); kept > count.most {
			t.Errorf("%s, from the audit: %d trips are kept", name, kept)
		}
	}
	var trips dependence.Trips
	for range 5000 {
		now = now.Add(time.Millisecond)
		trips.Count("ann", "", true, now, false)
	}
	if d := trips.Count("ann", "", false, now, true); !d.Active || d.RecentCount < 500 {
		t.Errorf("the cooldown of a person with very many trips: %+v", d)
	}
}
