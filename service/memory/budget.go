package memory

import "sync"

// Budget limits how many bytes the values of several Memories take together. If the values would take more, the Budget
// drops the values that have not been used for the longest time, no matter in which Memory they are. A Budget is safe
// for concurrent use.
type Budget struct {
	limit int64

	// The field mu also guards the values of the Memories.
	mu sync.Mutex
	// The field "used" is the number of bytes of all values. The field "uses" is the number of times that values
	// have been used.
	used, uses int64
	members    []member
	// The field "parts" has the parts of memory that values can share. Each of them belongs to at least one value.
	parts map[any]*sharedPart
}

// A member is a Memory whose values count toward a Budget. Budget.mu must be held when a method of a member is called.
type member interface {
	// oldest() finds the value that has not been used for the longest time, and returns the number of its last use.
	oldest() (use int64, found bool)
	dropOldest()
}

// Size is the number of bytes that a value takes.
type Size struct {
	// The field "Own" is the size of what belongs to this value only.
	Own int64
	// Shared has what the value shares with other values. It is counted once for all of them.
	Shared []Part
}

// Part is something in memory that several values share. The field "Of" identifies the part.
type Part struct {
	Of    any
	Bytes int64
}

type sharedPart struct {
	bytes int64
	// The field "by" is the number of values that share the part.
	by int
}

// NewBudget returns a Budget of the given number of bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit, parts: map[any]*sharedPart{}} }

// Used is a method that returns the number of bytes that all values together take.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// next() counts one more use and returns its number. b.mu must be held.
func (b *Budget) next() int64 {
	b.uses++
	return b.uses
}

// add() counts a value. b.mu must be held.
func (b *Budget) add(size Size) {
	b.used += size.Own
	for _, p := range size.Shared {
		shared := b.parts[p.Of]
		if shared == nil {
			shared = &sharedPart{}
			b.parts[p.Of] = shared
		}
		b.used += p.Bytes - shared.bytes // the part may have grown
		shared.bytes = p.Bytes
		shared.by++
	}
}

// remove() does the opposite of add(). b.mu must be held.
func (b *Budget) remove(size Size) {
	b.used -= size.Own
	for _, p := range size.Shared {
		shared := b.parts[p.Of]
		if shared.by--; shared.by == 0 {
			b.used -= shared.bytes
			delete(b.parts, p.Of)
		}
	}
}

// fit() drops old values until all values fit. The value that was used last stays, even if it is too large. b.mu must
// be held.
func (b *Budget) fit() {
	for b.used > b.limit {
		var first member
		least := b.uses
		for _, m := range b.members {
			if use, found := m.oldest(); found && use < least {
				first, least = m, use
			}
		}
		if first == nil {
			return
		}
		first.dropOldest()
	}
}
