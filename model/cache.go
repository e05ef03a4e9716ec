package model

import (
	"crypto/sha256"
	"encoding/json"
	"sync"
	"time"
)

const (
	cacheTime = 10 * time.Minute
	cacheSize = 1000
)

// The type "cache" keeps answers. The key of an answer is the hash of its question. If a cache is full, it drops the
// oldest answer.
type cache struct {
	now func() time.Time

	lock    sync.Mutex
	entries map[[sha256.Size]byte]cached
	// The field "order" contains the keys in the order in which they were added.
	order [][sha256.Size]byte
}

type cached struct {
	input json.RawMessage
	until time.Time
}

func (c *cache) get(key [sha256.Size]byte) (json.RawMessage, bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	found, ok := c.entries[key]
	if !ok || !c.now().Before(found.until) {
		return nil, false
	}
	return found.input, true
}

func (c *cache) put(key [sha256.Size]byte, input json.RawMessage) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.entries == nil {
		c.entries = map[[sha256.Size]byte]cached{}
	}
	if _, known := c.entries[key]; !known {
		c.order = append(c.order, key)
	}
	c.entries[key] = cached{input, c.now().Add(cacheTime)}
	if len(c.order) > cacheSize {
		delete(c.entries, c.order[0])
		c.order = c.order[1:]
	}
}
