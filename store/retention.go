package store

import "time"

// Pruned is the event type of a pruning.
const Pruned = "audit_pruned"

// Retention selects the decisions that Prune keeps. Changes are always kept. At least one limit must be set.
type Retention struct {
	// Before is the time before which decisions may be deleted.
	Before time.Time
	// Keep is the number of newest audit entries to keep. Decisions older than all of them may be deleted.
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

// Pruning is the audit's record of a pruning: the last deleted decision of a writer. A chain whose beginning is missing
// is damaged unless a Pruning explains it.
type Pruning struct {
	Writer string `json:"writer"`
	Seq    int64  `json:"seq"`
	Hash   string `json:"hash"`
}

// Cut finds the last entry that may be deleted from a chain of decisions. It reads entries, oldest first, until the
// first one that must be kept. An entry with a time in the future, caused by a wrong clock, does not stop it.
type Cut struct {
	Pruning
	before, now int64
}

// NewCut returns the Cut of a writer's chain. now is the time of the pruning.
func NewCut(writer string, before, now time.Time) *Cut {
	return &Cut{Pruning: Pruning{Writer: writer}, before: before.UnixMilli(), now: now.UnixMilli()}
}

// Next reads the next entry. at is its time in milliseconds. It returns false if no further entry is needed.
func (c *Cut) Next(seq, at int64, hash string) bool {
	if at < c.before {
		c.Seq, c.Hash = seq, hash
	}
	return at < c.before || at > c.now
}

// Prune plans the audit entry that must be stored before anything is deleted.
func (p Planner) Prune(cut Pruning) Entry {
	return Entry{
		ID: p.Write.ID + ":" + cut.Writer, Tenant: p.Write.Tenant, Time: millisecond(p.Now), Kind: KindChange, Event: Pruned,
		Actor: p.Write.Actor, Session: p.Write.Session, Pruning: &cut,
	}
}
