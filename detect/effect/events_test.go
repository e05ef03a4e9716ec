package effect_test

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/internal/fortests/golden"
)

func TestTheNumbersOfEventsNeverChange(t *testing.T) {
	var b strings.Builder
	numbers, names := map[int]bool{}, map[effect.Event]bool{}
	for _, e := range effect.Events() {
		if e.Number < 1 || e.Number > 63 || numbers[e.Number] {
			t.Errorf("%s: the number %d is used twice or is not between 1 and 63", e.Event, e.Number)
		}
		if names[e.Event] || e.Meaning == "" {
			t.Errorf("%s is listed twice or has no meaning", e.Event)
		}
		if e.Event.Number() != e.Number || effect.EventByNumber(e.Number) != e.Event {
			t.Errorf("%s is not found by its name or its number", e.Event)
		}
		numbers[e.Number], names[e.Event] = true, true
	}
	for number := range 64 {
		if event := effect.EventByNumber(number); event != "" {
			fmt.Fprintf(&b, "%d %s\n", number, event)
		}
	}
	// Only add lines to this list. A number in it must never stand for another event.
	golden.Check(t, *update, "testdata/events.txt", b.String())

	sum := fnv.New32a()
	sum.Write([]byte(b.String()))
	if want := fmt.Sprintf("%08x", sum.Sum32()); effect.TableHash != want {
		t.Errorf("the list of events has changed: set TableHash to %q", want)
	}
}

func TestUnknownEventsHaveNoNumber(t *testing.T) {
	if n := effect.Event("comit").Number(); n != 0 {
		t.Errorf("an unknown event has the number %d", n)
	}
	if e := effect.EventByNumber(63); e != "" {
		t.Errorf("number 63 is %q", e)
	}
}

func TestLookingUpAnEventAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { _ = effect.TooLarge.Number() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
