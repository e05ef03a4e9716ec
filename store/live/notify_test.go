package live_test

import (
	"sync/atomic"
	"testing"
	"time"

	"guardrails/store/live"
)

func TestChangedIsCalledOnceForEveryChange(t *testing.T) {
	file := newFile(t)
	other := open(t, file)
	broken := &faulty{Store: database(t, file)}
	var calls atomic.Int32
	s := live.New(live.Options{Open: live.Opened(broken), Now: time.Now, Changed: func() { calls.Add(1) }})
	t.Cleanup(func() { check(t, s.Close()) })
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"the first read", func() { snapshotIDs(t, s, "a") }},
		{"a change of our own", func() {
			_, err := s.For(as("a")).Create(t.Context(), small("one"))
			check(t, err)
		}},
		{"a change by another process", func() {
			_, err := other.For(as("a")).Toggle(t.Context(), live.Ref{ID: "one", Version: 1})
			check(t, err)
		}},
		{"the store becomes unavailable", func() { broken.state.Store(failing) }},
		{"the store becomes available", func() { broken.state.Store(healthy) }},
	} {
		before := calls.Load()
		step.do()
		eventually(t, 5*time.Second, func() bool { return calls.Load() > before })
		if calls.Load() != before+1 {
			t.Errorf("%s: Changed was called %d times", step.name, calls.Load()-before)
		}
	}
	if got := snapshotIDs(t, s, "a"); got != "(one)" {
		t.Errorf("the guidelines are %q", got)
	}
}
