package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The limits of the percentage for debug.SetGCPercent. The percentage is the memory that may be allocated until Go
// collects garbage, relative to the memory in use. Go's default of 100 does not fit: a server that uses little memory
// would collect garbage after every few requests, and each collection would take as long as answering these requests. A
// server with many guidelines would need twice the memory that its guidelines use.
const (
	standard    = 100 // Go's default
	most, least = 200, 30
	// The constant "room" is how many bytes may be allocated until the next collection. The limits above can change
	// this number.
	room = 32 << 20
)

// adjustCollections adapts the percentage to the memory in use, now and after each collection. A timer would react too
// late, because a server that reads many guidelines triples its memory within a second. The parameter "current" is the
// present percentage.
func adjustCollections(current int) {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	wanted := percentFor(sample[0].Value.Uint64())
	if wanted != current {
		debug.SetGCPercent(wanted)
	}
	// Nothing refers to the marker, so the next collection frees it, and Go then calls adjustCollections.
	runtime.AddCleanup(new(marker), adjustCollections, wanted)
}

// The type "marker" contains a pointer. Go puts small values without pointers together and frees them together, so a
// marker without a pointer could live too long.
type marker struct{ _ *byte }

// percentFor returns the percentage for a number of bytes in use. The percentage is a multiple of ten, so that it
// changes rarely.
func percentFor(live uint64) int {
	percent := room * 100 / max(live, 1) / 10 * 10
	return int(min(most, max(least, percent)))
}
