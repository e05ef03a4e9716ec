package store

import "time"

// Pruned is the event of a pruning.
const Pruned = "audit_pruned"

// Retention says which decisions stay; changes always do. At least one limit must be set.
type Retention struct {
	// Before is when decisions are old: those that happened earlier may go.
	Before time.Time
	// Keep is how many entries of the audit stay, the newest ones; decisions that happened earlier than them may go.
	Keep int
}

// Validate says what is wrong with a retention.
func (r Retention) Validate() error {
	switch {
	case r.Keep < 0:
		return Errorf(Invalid, "%d entries cannot be kept; give a number above 0", r.Keep)
	case r.Keep == 0 && r.Before.IsZero():
		return Errorf(Invalid, "the retention names neither an age nor a number; give one of them")
	}
	return nil
}

// Pruning says in the audit up to which entry the decisions of a writer were given up. Without it a chain that begins
// later than it did is damaged.
type Pruning struct {
	Writer string `json:"writer"`
	Seq    int64  `json:"seq"`
	Hash   string `json:"hash"`
}

// Cut finds where a chain of decisions is to begin. It takes the entries from the oldest one on and goes to the last old
// one before the first that is to stay; entries from the future, of a clock that is wrong, hold nothing up.
type Cut struct {
	Pruning
	before, now int64
}

// NewCut begins to look through the chain of a writer; now is the time of the pruning.
func NewCut(writer string, before, now time.Time) *Cut {
	return &Cut{Pruning: Pruning{Writer: writer}, before: before.UnixMilli(), now: now.UnixMilli()}
}

// Next takes the next entry, with its time in milliseconds, and is false when no further one is wanted.
func (c *Cut) Next(seq, at int64, hash string) bool {
	if at < c.before {
		c.Seq, c.Hash = seq, hash
	}
	return at < c.before || at > c.now
}

// Prune plans the entry that has to be in the audit before anything is gone.
func (p Planner) Prune(cut Pruning) Entry {
	return Entry{
		ID: p.Write.ID + ":" + cut.Writer, Tenant: p.Write.Tenant, Time: millisecond(p.Now), Kind: KindChange, Event: Pruned,
		Actor: p.Write.Actor, Session: p.Write.Session, Pruning: &cut,
	}
}
