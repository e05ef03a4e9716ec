package store

import "time"

// Pruned is the event in audit entries that have a Pruning.
const Pruned = "audit_pruned"

// Retention selects the decisions that Prune keeps. Prune always keeps changes. At least one limit must be set.
type Retention struct {
	// The field Before limits the age of decisions. Decisions from before this time may be deleted.
	Before time.Time
	// The field Keep is how many of the newest audit entries are kept. Decisions that are older than these entries may be
	// deleted.
	Keep int
}

// Validate checks the limits.
func (r Retention) Validate() error {
	switch {
	case r.Keep < 0:
		return Errorf(Invalid, "cannot keep %d entries; use a number above 0", r.Keep)
	case r.Keep == 0 && r.Before.IsZero():
		return Errorf(Invalid, "the retention has no limit; set an age or a number of entries")
	}
	return nil
}

// Pruning is the part of an audit entry that says which decisions were deleted. It names the last deleted decision of a
// writer. If the beginning of a chain is missing without a Pruning, the chain is damaged.
type Pruning struct {
	Writer string `json:"writer"`
	Seq    int64  `json:"seq"`
	Hash   string `json:"hash"`
}

// Cut finds the last entry of a chain that Prune may delete. It reads the entries in order, from the oldest entry up to
// the first entry that must be kept. If the time of an entry is in the future, a clock was wrong, so Cut also reads the
// next entry.
type Cut struct {
	Pruning
	before, now int64
}

// NewCut returns a Cut for a writer's chain. Entries that are older than the time in the parameter "before" may be
// deleted. The parameter "now" is the time of the pruning.
func NewCut(writer string, before, now time.Time) *Cut {
	return &Cut{Pruning: Pruning{Writer: writer}, before: before.UnixMilli(), now: now.UnixMilli()}
}

// Next reads the next entry. The parameter "at" is the time of the entry, in milliseconds since 1970. Next returns
// false if the caller need not read further entries.
func (c *Cut) Next(seq, at int64, hash string) bool {
	if at < c.before {
		c.Seq, c.Hash = seq, hash
	}
	return at < c.before || at > c.now
}

// Prune is a method that returns the audit entry that must be stored before anything is deleted.
func (p Planner) Prune(cut Pruning) Entry {
	return Entry{
		ID: p.Write.ID + ":" + cut.Writer, Tenant: p.Write.Tenant, Time: millisecond(p.Now), Kind: KindChange, Event: Pruned,
		Actor: p.Write.Actor, Session: p.Write.Session, Pruning: &cut,
	}
}
