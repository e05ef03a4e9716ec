package elastic

import (
	"testing"
	"time"

	"guardrails/store"
)

func TestTheBreakerAllowsOneCallAfterThePause(t *testing.T) {
	at := time.Unix(1000, 0)
	b := &breaker{now: func() time.Time { return at }}
	for _, step := range []struct {
		pass    time.Duration
		allowed bool
		worked  bool
	}{
		{0, true, false},
		{0, true, false},
		{0, true, true}, // a success resets the failures
		{0, true, false},
		{0, true, false},
		{0, true, false},
		{0, false, false},
		{breakFor - 1, false, false},
		{1, true, false}, // one call is allowed
		{0, false, false},
		{breakFor, true, true},
		{0, true, true},
	} {
		at = at.Add(step.pass)
		err := b.allow("here")
		if (err == nil) != step.allowed || err != nil && store.CodeOf(err) != store.Unavailable {
			t.Fatalf("%+v: got %v", step, err)
		}
		if err == nil {
			b.record(step.worked)
		}
	}
}

func TestVersionsAreComparedByNumber(t *testing.T) {
	for version, want := range map[string]bool{
		"8.0.0": true, "8.19.8": true, "10.1.0": true, "7.17.9": false, "8": false, "": false, "x.y": false,
	} {
		if got := atLeast(version, "8.0"); got != want {
			t.Errorf("%q: got %v", version, got)
		}
	}
}
