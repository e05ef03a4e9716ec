package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func TestCollectionsAreRareInASmallServerAndOftenInALargeOne(t *testing.T) {
	for live, want := range map[uint64]int{0: 200, 4 << 20: 200, 16 << 20: 200, 32 << 20: 100, 64 << 20: 50, 100 << 20: 30, 4 << 30: 30} {
		if got := percentFor(live); got != want {
			t.Errorf("with %d MiB in use: got %d percent, want %d", live>>20, got, want)
		}
	}
}

func TestThePercentageFollowsTheMemoryAfterACollection(t *testing.T) {
	before := debug.SetGCPercent(most)
	defer debug.SetGCPercent(before)
	adjustCollections(most)
	large := make([]byte, 256<<20)
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	for range 1000 { // the percentage is adjusted soon after a collection, not at its end
		runtime.GC()
		metrics.Read(sample)
		if sample[0].Value.Uint64() == least {
			break
		}
	}
	runtime.KeepAlive(large)
	if got := sample[0].Value.Uint64(); got != least {
		t.Errorf("with 256 MiB in use: got %d percent, want %d", got, least)
	}
}
