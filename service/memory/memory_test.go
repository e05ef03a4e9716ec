package memory_test

import (
	"fmt"
	"testing"
	"time"

	"guardrails/service/memory"
)

const limit = 100_000

// ofSize returns a Memory whose values are their own sizes.
func ofSize(b *memory.Budget) *memory.Memory[int] {
	return memory.New(b, func(size int) memory.Size { return memory.Size{Own: int64(size)} })
}

func put(m *memory.Memory[int], name string, value int) {
	now := time.Now().Add(time.Hour) // so that no file can have changed just now
	m.Put(memory.Key{Root: name}, value, memory.Look("/none"), now, time.Time{})
}

func has(m *memory.Memory[int], name string) bool {
	_, ok := m.Get(memory.Key{Root: name}, time.Now())
	return ok
}

func TestManyValuesStayInMemory(t *testing.T) {
	m := ofSize(memory.NewBudget(limit))
	const many = 400
	for i := range many {
		put(m, fmt.Sprint(i), limit/many)
	}
	for i := range many {
		if !has(m, fmt.Sprint(i)) {
			t.Fatalf("the value %d is gone", i)
		}
	}
}

func TestTheValueThatWasNotUsedForTheLongestTimeIsDropped(t *testing.T) {
	b := memory.NewBudget(limit)
	m, other := ofSize(b), ofSize(b)
	put(m, "a", limit/2)
	put(other, "b", limit/4)
	put(m, "c", limit/4)
	if !has(m, "a") { // has() counts as a use
		t.Fatal("a is gone too early")
	}
	put(other, "d", 1)
	if !has(m, "a") || has(other, "b") || !has(m, "c") || !has(other, "d") {
		t.Errorf("a %v, b %v, c %v, d %v", has(m, "a"), has(other, "b"), has(m, "c"), has(other, "d"))
	}
	put(m, "a", 1) // the same key, now with a smaller value
	put(m, "e", limit/2)
	if !has(m, "c") || !has(other, "d") || !has(m, "a") || !has(m, "e") {
		t.Error("the size of a replaced value still counts")
	}
	if got, want := b.Used(), int64(limit/4+limit/2+2); got != want {
		t.Errorf("%d bytes are used, want %d", got, want)
	}
}

func TestAValueThatIsTooLargeForTheMemoryIsStillKeptAlone(t *testing.T) {
	m := ofSize(memory.NewBudget(limit))
	put(m, "small", 1)
	put(m, "large", 2*limit)
	if !has(m, "large") || has(m, "small") {
		t.Errorf("large %v, small %v", has(m, "large"), has(m, "small"))
	}
}

func TestWhatValuesShareCountsOnce(t *testing.T) {
	b := memory.NewBudget(limit)
	m := memory.New(b, func(v int) memory.Size {
		return memory.Size{Own: 1, Shared: []memory.Part{{Of: v % 2, Bytes: limit / 2}}}
	})
	put(m, "a", 2)
	put(m, "b", 4)
	put(m, "c", 6)
	if got := b.Used(); got != limit/2+3 || !has(m, "a") {
		t.Fatalf("%d bytes are used", got)
	}
	put(m, "d", 1) // a value with another part
	if has(m, "b") || has(m, "c") || has(m, "a") || b.Used() != limit/2+1 {
		t.Errorf("%d bytes are used", b.Used())
	}
}

func TestAValueThatGrowsCountsWithItsNewSize(t *testing.T) {
	b, sizes := memory.NewBudget(limit), map[int]int64{1: 1, 2: 1}
	m := memory.New(b, func(v int) memory.Size { return memory.Size{Own: sizes[v]} })
	put(m, "a", 1)
	put(m, "b", 2)
	sizes[2] = limit
	if !has(m, "b") || has(m, "a") || b.Used() != limit {
		t.Errorf("%d bytes are used", b.Used())
	}
}

func TestAValueThatWasReadAgainIsNotReplacedByOneThatWasMadeFromTheOldValue(t *testing.T) {
	m := ofSize(memory.NewBudget(limit))
	put(m, "a", 10)
	put(m, "a", 20) // the files have changed
	m.Replace(memory.Key{Root: "a"}, 10, 11)
	if v, _ := m.Get(memory.Key{Root: "a"}, time.Now()); v != 20 {
		t.Errorf("got %d, want 20", v)
	}
}

func TestANewerValueTakesThePlaceOfTheOldOne(t *testing.T) {
	m := ofSize(memory.NewBudget(limit))
	put(m, "a", 10)
	m.Replace(memory.Key{Root: "a"}, 10, limit-10)
	m.Replace(memory.Key{Root: "b"}, 10, 5)
	if v, _ := m.Get(memory.Key{Root: "a"}, time.Now()); v != limit-10 || has(m, "b") {
		t.Errorf("a is %d, and b is there: %v", v, has(m, "b"))
	}
	put(m, "b", 10)
	if !has(m, "a") {
		t.Error("a is gone, although both values fit")
	}
	put(m, "c", 1)
	if has(m, "b") && has(m, "a") {
		t.Error("the size of the newer value does not count")
	}
}

func TestTheLastValueIsKnownWhenItIsNotCurrentAnyMore(t *testing.T) {
	m := ofSize(memory.NewBudget(limit))
	key, later := memory.Key{Root: "a"}, time.Now().Add(2*time.Hour)
	if _, _, found := m.Last(key); found {
		t.Fatal("there is a value from the start")
	}
	put(m, "a", 10)
	m.Confirm(key, 10, later)
	m.Confirm(key, 11, later.Add(time.Hour)) // not the value of the key
	m.Forget()
	if v, at, found := m.Last(key); has(m, "a") || v != 10 || !at.Equal(later) || !found {
		t.Errorf("got %d at %s, %v; current: %v", v, at, found, has(m, "a"))
	}
}
