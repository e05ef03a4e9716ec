package storefault_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/internal/kernelclock"
	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// A computer has a clock that people can set, and a store.
type computer struct {
	*testing.T
	start, now   time.Time
	sinceBoot    time.Duration
	synchronized bool
	silent       bool
	store        *live.Store
	clock        *storefault.ClockWatcher
}

func newComputer(t *testing.T, driver func(store.Store) store.Store) *computer {
	t.Helper()
	start := time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)
	c := &computer{T: t, start: start, now: start, sinceBoot: time.Hour}
	file, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "data", "guardrails.db")})
	if err != nil {
		t.Fatal(err)
	}
	c.store = live.New(live.Options{Open: live.Opened(driver(file)), Location: "here", Now: time.Now})
	t.Cleanup(func() {
		if err := c.store.Close(); err != nil {
			t.Error(err)
		}
	})
	c.restart()
	return c
}

// onSQLite is the driver of a store on this computer.
func onSQLite(s store.Store) store.Store { return s }

// restart() restarts the process that watches the clock.
func (c *computer) restart() {
	c.clock = storefault.NewClockWatcher(func() time.Time { return c.now }, func() (kernelclock.Reading, bool) {
		return kernelclock.Reading{SinceBoot: c.sinceBoot, Synchronized: c.synchronized}, !c.silent
	})
}

// wait() lets time pass, whether the computer is suspended meanwhile or not.
func (c *computer) wait(d time.Duration) { c.now, c.sinceBoot = c.now.Add(d), c.sinceBoot+d }

// set() sets the clock by hand.
func (c *computer) set(by time.Duration) { c.now, c.synchronized = c.now.Add(by), false }

// decide() adds an entry to the audit.
func (c *computer) decide(id string) {
	c.Helper()
	_, err := c.store.For(live.Caller{}).Append(c.Context(), store.Entry{
		ID: id, Kind: store.KindDecision, Event: "tool_call", Time: c.now, Decision: &store.Decision{Result: "allow"},
	})
	if err != nil {
		c.Fatal(err)
	}
}

// expect() checks what is said about the clock. The parameter "want" is a part of the expected message, or "" if
// there must be no message.
func (c *computer) expect(want string) {
	c.Helper()
	err := c.clock.Check(c.Context(), c.store, "")
	said := ""
	if err != nil {
		if said = err.Error(); storefault.Of(err) != storefault.Clock {
			c.Errorf("the fault is %q", storefault.Of(err))
		}
	}
	if (said == "") != (want == "") || !strings.Contains(said, want) {
		c.Errorf("got %q, want %q", said, want)
	}
}

func TestAClockThatIsSetAheadIsNamedUntilItIsRight(t *testing.T) {
	const ahead = "was set ahead by 3h0m0s while this process ran; if the clock is still wrong, correct it; if it is correct, restart the server"
	for name, c := range map[string]struct {
		do   func(c *computer)
		want string
	}{
		"nothing happens":                    {func(*computer) {}, ""},
		"it is set ahead":                    {func(c *computer) { c.set(3 * time.Hour) }, ahead},
		"it is set ahead, and time passes":   {func(c *computer) { c.set(3 * time.Hour); c.expect(ahead); c.wait(time.Hour) }, ahead},
		"it is set ahead by a minute":        {func(c *computer) { c.set(time.Minute) }, ""},
		"it is corrected often":              {func(c *computer) { c.often(30 * time.Second) }, ""},
		"it is set ahead, and back":          {func(c *computer) { c.set(3 * time.Hour); c.expect(ahead); c.set(-3 * time.Hour) }, ""},
		"it is set ahead, and slowly back":   {func(c *computer) { c.set(10 * time.Minute); c.expect("set ahead by 10m0s"); c.often(-time.Minute) }, ""},
		"it is set back, and ahead again":    {func(c *computer) { c.set(-3 * time.Hour); c.expect("behind"); c.set(3 * time.Hour) }, ""},
		"a time service sets it ahead":       {func(c *computer) { c.set(3 * time.Hour); c.synchronized = true }, ""},
		"a time service confirms it":         {func(c *computer) { c.set(3 * time.Hour); c.expect(ahead); c.synchronized = true }, ""},
		"the process is started again":       {func(c *computer) { c.set(3 * time.Hour); c.expect(ahead); c.restart() }, ""},
		"the computer is suspended":          {func(c *computer) { c.wait(80 * time.Hour) }, ""},
		"the kernel does not answer":         {func(c *computer) { c.silent = true; c.restart(); c.set(3 * time.Hour) }, ""},
		"the kernel does not answer anymore": {func(c *computer) { c.silent = true; c.set(3 * time.Hour) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x := newComputer(t, onSQLite)
			x.decide("before")
			x.expect("")
			x.wait(time.Minute)
			c.do(x)
			x.expect(c.want)
		})
	}
}

// often() sets the clock ten times, and checks it after each time.
func (c *computer) often(by time.Duration) {
	for range 10 {
		c.wait(time.Minute)
		c.set(by)
		_ = c.clock.Check(c.Context(), c.store, "") // the test checks the result after the last time
	}
}

func TestAClockThatIsRightAgainIsNotNamed(t *testing.T) {
	c := newComputer(t, onSQLite)
	c.set(3 * time.Hour)
	c.expect("set ahead by 3h0m0s")
	c.decide("of-the-future")
	c.wait(time.Second)
	c.expect("set ahead by 3h0m0s")
	c.set(-3 * time.Hour)
	c.expect("")
	c.restart()
	c.expect("behind the newest entry of the audit; if it is wrong, correct it; if it is right, the clock was wrong when the " +
		"entry was made, and this message ends at 2026-02-05T13:00:00Z")
	c.synchronized = true
	c.expect("")
	c.synchronized = false
	c.wait(3 * time.Hour)
	c.expect("")
}

func TestTheLastEntryOfAClockThatWasAheadIsNoSignThatTheRightClockIsWrong(t *testing.T) {
	c := newComputer(t, onSQLite)
	c.set(3 * time.Hour)
	c.expect("set ahead by 3h0m0s")
	c.wait(2 * time.Second)
	c.decide("just-before")
	c.wait(time.Second)
	c.set(-3 * time.Hour)
	c.expect("")
}

func TestAClockThatIsSetBackIsNamed(t *testing.T) {
	c := newComputer(t, onSQLite)
	c.decide("before")
	c.set(-time.Minute)
	c.expect("")
	c.set(-time.Hour)
	c.expect("1h1m0s behind the newest entry of the audit")
	c.synchronized = true
	c.expect("")
}

// The type "timed" is a store that runs on other computers, so its clock can differ from the clock of this
// computer.
type timed struct {
	store.Store
	now *time.Time
}

func (s timed) Time(context.Context) (time.Time, error) { return *s.now, nil }

func TestTheClockIsComparedWithTheClockOfTheStore(t *testing.T) {
	var theirs time.Time
	c := newComputer(t, func(s store.Store) store.Store { return timed{s, &theirs} })
	theirs = c.now
	c.synchronized = true // the clock of the cluster counts, whatever the kernel says
	for name, by := range map[string]time.Duration{
		"": time.Minute, "3h0m0s ahead of the clock of here; correct the clock that is wrong": 3 * time.Hour,
		"1h0m0s behind the clock of here": -time.Hour,
	} {
		c.now = theirs.Add(by)
		c.expect(name)
		wrong, is := errors.AsType[*storefault.ClockError](c.clock.Check(t.Context(), c.store, ""))
		if is && wrong.Ahead != by {
			t.Errorf("the clock is ahead by %s", wrong.Ahead)
		}
	}
}
