package main

import "testing"

func TestCollectionsAreRareInASmallServerAndOftenInALargeOne(t *testing.T) {
	for live, want := range map[uint64]int{0: 200, 4 << 20: 200, 16 << 20: 200, 32 << 20: 100, 64 << 20: 50, 100 << 20: 30, 4 << 30: 30} {
		if got := percentFor(live); got != want {
			t.Errorf("with %d MiB in use: got %d percent, want %d", live>>20, got, want)
		}
	}
}
