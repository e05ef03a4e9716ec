package live_test

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/store/live"
)

// decide() appends n decisions to the audit of a tenant.
func decide(t *testing.T, s *live.Store, tenant string, from, n int) {
	t.Helper()
	for i := range n {
		_, err := s.For(as(tenant)).Append(t.Context(), decision(fmt.Sprint("d", from+i), "r"))
		check(t, err)
	}
}

// received() returns the ids of the decisions that a listener receives.
func received(l *live.Listener) (ids string, missed int64) {
	events, missed, _ := l.Next()
	var list []string
	for i := range events {
		list = append(list, events[i].Entry.ID)
	}
	return strings.Join(list, " "), missed
}

func TestASlowListenerLearnsHowManyEventsItMissed(t *testing.T) {
	s := open(t, newFile(t))
	slow, quick := s.Listen("a", ""), s.Listen("a", "")
	defer slow.Close()
	defer quick.Close()
	got, counted := 0, int64(0)
	for i := range 30 {
		decide(t, s, "a", 10*i, 10)
		events, missed, _ := quick.Next()
		got, counted = got+len(events), counted+missed
	}
	if got != 300 || counted != 0 {
		t.Errorf("the quick listener got %d events and missed %d", got, counted)
	}
	events, missed, _ := slow.Next()
	if missed == 0 || int64(len(events))+missed != 300 || events[len(events)-1].Entry.ID != "d299" {
		t.Errorf("the slow listener got %d events and missed %d", len(events), missed)
	}
}

func TestAListenerContinuesAfterTheLastEventItSaw(t *testing.T) {
	s := open(t, newFile(t))
	first := s.Listen("a", "")
	decide(t, s, "a", 1, 2)
	events, _, _ := first.Next()
	first.Close()
	decide(t, s, "a", 3, 2)
	for _, c := range []struct {
		after, want string
		missed      int64
	}{
		{events[0].ID, "d2 d3 d4", 0},
		{events[1].ID, "d3 d4", 0},
		{"", "", 0},
		{events[1].ID + "9", "", live.Unknown},
		{strings.Replace(events[1].ID, "-", "x-", 1), "", live.Unknown},
		{"x", "", live.Unknown},
	} {
		again := s.Listen("a", c.after)
		if got, missed := received(again); got != c.want || missed != c.missed {
			t.Errorf("after %q: got %q, missed %d", c.after, got, missed)
		}
		again.Close()
	}
}

func TestAListenerThatWasAwayForTooLongLearnsThatItMissedEvents(t *testing.T) {
	s := open(t, newFile(t))
	old := s.Listen("a", "")
	decide(t, s, "a", 1, 3)
	position := func() string { _, _, _ = old.Next(); return old.Position() }()
	old.Close()
	for i := range 100 {
		s.Listen(fmt.Sprint("tenant", i), "").Close()
	}
	now := s.Listen("a", "")
	defer now.Close()
	decide(t, s, "a", 4, 5)
	again := s.Listen("a", position)
	defer again.Close()
	if got, missed := received(again); got != "" || missed != live.Unknown {
		t.Errorf("got %q, missed %d", got, missed)
	}
}

func TestLargeEventsDoNotFillTheMemory(t *testing.T) {
	s := open(t, newFile(t))
	l := s.Listen("a", "")
	defer l.Close()
	for i := range 40 {
		_, err := s.For(as("a")).Append(t.Context(), decision(fmt.Sprint("d", i), strings.Repeat("x", 14<<10)))
		check(t, err)
	}
	events, missed, _ := l.Next()
	if missed == 0 || len(events) > 30 || len(events)+int(missed) != 40 {
		t.Errorf("%d events of about 60 KiB wait, %d are missed", len(events), missed)
	}
}

func TestAListenerIsWokenByTheNextEvent(t *testing.T) {
	s := open(t, newFile(t))
	l := s.Listen("a", "")
	defer l.Close()
	_, _, changed := l.Next()
	select {
	case <-changed:
		t.Error("woken without an event")
	default:
	}
	decide(t, s, "a", 1, 1)
	<-changed
	if got, _ := received(l); got != "d1" {
		t.Errorf("got %q", got)
	}
}
