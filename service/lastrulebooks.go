package service

import (
	"sync"
	"time"

	"guardrails/service/fallback"
	"guardrails/service/memory"
)

// The type known keeps at most maxKnown rulebooks, and maxKnownSize is the limit of their total size. The guidelines of
// other rulebooks are read from their snapshots on disk.
const (
	maxKnown     = 1000
	maxKnownSize = memory.MaxSize
)

// The type known keeps the last rulebooks that were read without a failure, for the life of the process. While a store
// fails, these guidelines apply, even if nothing could be saved on disk.
type known struct {
	mu    sync.Mutex
	books map[memory.Key]knownBook
	// size is the sum of the sizes of all rulebooks.
	size int
}

type knownBook struct {
	book *rulebook
	// The field at is the time at which the rulebook was last found to be current.
	at time.Time
}

// keep stores a rulebook that is current at the given time.
func (k *known) keep(key memory.Key, b *rulebook, now time.Time) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.books == nil {
		k.books = map[memory.Key]knownBook{}
	}
	k.drop(key)
	for len(k.books) >= maxKnown || len(k.books) > 0 && k.size+b.size() > maxKnownSize {
		k.dropOldest()
	}
	k.books[key] = knownBook{b, now}
	k.size += b.size()
}

func (k *known) drop(key memory.Key) {
	if b, found := k.books[key]; found {
		k.size -= b.book.size()
		delete(k.books, key)
	}
}

func (k *known) dropOldest() {
	var oldest memory.Key
	var at time.Time
	for key, b := range k.books {
		if at.IsZero() || b.at.Before(at) {
			oldest, at = key, b.at
		}
	}
	k.drop(oldest)
}

// snapshot returns the last rulebook for a key, or nil.
func (k *known) snapshot(key memory.Key) *fallback.Snapshot {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	b, ok := k.books[key]
	k.mu.Unlock()
	if !ok {
		return nil
	}
	return fallback.InMemory(b.at, b.book.snapshotSettings(), b.book.plain())
}
