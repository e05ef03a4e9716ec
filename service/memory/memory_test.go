package memory_test

import (
	"fmt"
	"testing"
	"time"

	"guardrails/service/memory"
)

func put(m *memory.Memory[int], name string, value int) {
	now := time.Now().Add(time.Hour) // so that no file can have changed just now
	m.Put(memory.Key{Root: name}, value, memory.Look("/none"), now, time.Time{})
}

func has(m *memory.Memory[int], name string) bool {
	_, ok := m.Get(memory.Key{Root: name}, time.Now())
	return ok
}

func TestManyValuesStayInMemory(t *testing.T) {
	m := &memory.Memory[int]{}
	const many = 1000
	for i := range many {
		put(m, fmt.Sprint(i), i)
	}
	for i := range many {
		if !has(m, fmt.Sprint(i)) {
			t.Fatalf("the value %d is gone", i)
		}
	}
}

func TestTheValueThatWasNotUsedForTheLongestTimeIsDropped(t *testing.T) {
	m := &memory.Memory[int]{Size: func(size int) int { return size }}
	put(m, "a", memory.MaxSize/2)
	put(m, "b", memory.MaxSize/4)
	put(m, "c", memory.MaxSize/4)
	if !has(m, "a") { // has() counts as a use
		t.Fatal("a is gone too early")
	}
	put(m, "d", 1)
	if !has(m, "a") || has(m, "b") || !has(m, "c") || !has(m, "d") {
		t.Errorf("a %v, b %v, c %v, d %v", has(m, "a"), has(m, "b"), has(m, "c"), has(m, "d"))
	}
	put(m, "a", 1) // the same key, now with a smaller value
	put(m, "e", memory.MaxSize/2)
	if !has(m, "c") || !has(m, "d") || !has(m, "a") || !has(m, "e") {
		t.Error("the size of a replaced value still counts")
	}
	m.Clear()
	put(m, "f", memory.MaxSize)
	if !has(m, "f") {
		t.Error("the size of removed values still counts")
	}
}

func TestAValueThatIsTooLargeForTheMemoryIsStillKeptAlone(t *testing.T) {
	m := &memory.Memory[int]{Size: func(size int) int { return size }}
	put(m, "small", 1)
	put(m, "large", 2*memory.MaxSize)
	if !has(m, "large") || has(m, "small") {
		t.Errorf("large %v, small %v", has(m, "large"), has(m, "small"))
	}
}

func TestAValueThatWasReadAgainIsNotReplacedByOneThatWasMadeFromTheOldValue(t *testing.T) {
	m := &memory.Memory[int]{}
	put(m, "a", 10)
	put(m, "a", 20) // the files have changed
	m.Replace(memory.Key{Root: "a"}, 10, 11)
	if v, _ := m.Get(memory.Key{Root: "a"}, time.Now()); v != 20 {
		t.Errorf("got %d, want 20", v)
	}
}

func TestANewerValueTakesThePlaceOfTheOldOne(t *testing.T) {
	m := &memory.Memory[int]{Size: func(size int) int { return size }}
	put(m, "a", 10)
	m.Replace(memory.Key{Root: "a"}, 10, memory.MaxSize-10)
	m.Replace(memory.Key{Root: "b"}, 10, 5)
	if v, _ := m.Get(memory.Key{Root: "a"}, time.Now()); v != memory.MaxSize-10 || has(m, "b") {
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
