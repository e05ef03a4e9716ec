package service

import (
	"fmt"
	"testing"
	"time"

	"guardrails/rules"
	"guardrails/service/memory"
	"guardrails/store"
)

func TestTheLastKnownGuidelinesInMemoryHaveALimitedSize(t *testing.T) {
	k, now := &known{}, time.Now()
	key := func(i int) memory.Key { return memory.Key{Root: fmt.Sprint(i)} }
	large := func() *rulebook {
		return &rulebook{store: &storePart{}, layers: []layer{{guidelines: store.Pointers(make([]rules.Source, maxKnownSize/3))}}}
	}
	for i := range 5 {
		k.keep(key(i), large(), now.Add(time.Duration(i)*time.Second))
		k.keep(key(i), large(), now.Add(time.Duration(i)*time.Second)) // the key is the same as before, so it counts once
	}
	for i, want := range []bool{false, false, false, true, true} {
		if got := k.snapshot(key(i)) != nil; got != want {
			t.Errorf("rulebook %d is known: %v, want %v", i, got, want)
		}
	}
	huge := &rulebook{store: &storePart{}, layers: []layer{{guidelines: make([]*rules.Source, 2*maxKnownSize)}}}
	k.keep(key(9), huge, now.Add(time.Minute))
	if len(k.books) != 1 || k.size != huge.size() {
		t.Errorf("%d rulebooks of size %d are known, want only the newest", len(k.books), k.size)
	}
}
