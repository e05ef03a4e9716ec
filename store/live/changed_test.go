package live_test

import (
	"sync/atomic"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/live"
)

// Whoever keeps answers is told to ask anew, and is answered by what the guidelines have become.
func TestThoseWhoKeepAnswersAreToldWhateverBecomesAnother(t *testing.T) {
	file := newFile(t)
	theirs := open(t, file)
	s := &troubled{Store: database(t, file)}
	var told atomic.Int32
	c := live.New(live.Options{Store: s, Now: time.Now, Changed: func() { told.Add(1) }})
	t.Cleanup(func() { check(t, c.Close()) })
	for _, step := range []struct {
		name string
		does func()
	}{
		{"the first read", func() { seen(t, c, "a") }},
		{"a change of our own", func() {
			_, err := c.For(as("a")).Create(t.Context(), small("one"))
			check(t, err)
		}},
		{"a change of others", func() {
			_, err := theirs.For(as("a")).Toggle(t.Context(), store.Ref{ID: "one", Version: 1})
			check(t, err)
		}},
		{"the store goes away", func() { s.state.Store(failing) }},
		{"the store comes back", func() { s.state.Store(well) }},
	} {
		before := told.Load()
		step.does()
		eventually(t, 5*time.Second, func() bool { return told.Load() > before })
		if told.Load() != before+1 {
			t.Errorf("%s: told %d times", step.name, told.Load()-before)
		}
	}
	if got := seen(t, c, "a"); got != "(one)" {
		t.Errorf("the guidelines are %q", got)
	}
}
