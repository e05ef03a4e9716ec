package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The limits of a percentage. The percentage says how much memory may be allocated until Go collects garbage, compared
// with the memory in use. Go's default of 100 is wrong for every server. A server that uses little memory would collect
// garbage after every few requests, and each collection takes as long as answering these requests. A server with many
// guidelines would need twice the memory of its guidelines.
const (
	most, least = 200, 30
	// room is how many bytes may be allocated until the next collection, unless the limits say otherwise.
	room = 32 << 20
	// adjustEvery is how often the percentage is adjusted.
	adjustEvery = time.Second
)

// adjustCollections adapts the percentage to the memory in use, again and again until the context is done.
func adjustCollections(ctx context.Context) {
	tick := time.NewTicker(adjustEvery)
	defer tick.Stop()
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for current := most; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(sample)
		if wanted := percentFor(sample[0].Value.Uint64()); wanted != current {
			current = wanted
			debug.SetGCPercent(current)
		}
	}
}

// percentFor returns the percentage for a number of bytes in use. It is a multiple of ten, so that it changes rarely.
func percentFor(live uint64) int {
	percent := room * 100 / max(live, 1) / 10 * 10
	return int(min(most, max(least, percent)))
}
