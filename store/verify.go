package store

import (
	"fmt"
)

// Damage is what was done to a chain.
type Damage string

// The kinds of damage.
const (
	// Altered: the entry is not what was sealed.
	Altered Damage = "altered"
	// Removed: the entry is missing, and later ones are there.
	Removed Damage = "removed"
	// Reordered: the entry stands where another one belongs.
	Reordered Damage = "reordered"
	// Truncated: the entry and all after it are missing.
	Truncated Damage = "truncated"
)

// Fault is the first damage of a chain: which entry, what was done to it, and how that shows.
type Fault struct {
	Seq    int64  `json:"seq"`
	ID     string `json:"id,omitempty"`
	Damage Damage `json:"damage"`
	Why    string `json:"why"`
}

// Verdict is the result of verifying one chain.
type Verdict struct {
	Head
	// Entries counts those that were read.
	Entries int64  `json:"entries"`
	Fault   *Fault `json:"fault,omitempty"`
}

// Verifier verifies a chain entry by entry.
type Verifier struct {
	verdict Verdict
	noted   map[int64]string
	// last and prev are the newest entry that was right.
	last int64
	prev string
}

// NewVerifier begins to verify the chain of a head. Heads that were noted of other chains do not matter.
func NewVerifier(head Head, noted ...Head) *Verifier {
	v := &Verifier{verdict: Verdict{Head: head}, noted: map[int64]string{}, last: head.Base, prev: head.BaseHash}
	for _, n := range noted {
		if n.Chain == head.Chain {
			v.noted[n.Seq] = n.Hash
		}
	}
	return v
}

// Next takes the next entry.
func (v *Verifier) Next(e *Entry) {
	v.verdict.Entries++
	if v.verdict.Fault != nil {
		v.late(e)
		return
	}
	switch note, isNoted := v.noted[e.Seq]; {
	case e.Chain() != v.verdict.Chain || !e.genuine():
		v.fault(e.Seq, e.ID, Altered, "its hash is not that of its content")
	case e.Seq <= v.last:
		v.fault(e.Seq, e.ID, Reordered, fmt.Sprintf("it stands after entry %d", v.last))
	case e.Seq > v.last+1:
		v.fault(v.last+1, "", Removed, fmt.Sprintf("entry %d follows entry %d", e.Seq, v.last))
	case e.Prev != v.prev:
		v.fault(v.last, "", Altered, fmt.Sprintf("entry %d was sealed after another one", e.Seq))
	case isNoted && note != e.Hash:
		v.fault(e.Seq, e.ID, Altered, "its hash is not the one that was noted")
	default:
		v.last, v.prev = e.Seq, e.Hash
	}
}

// late looks at entries after a fault: one that was missed is there, only in the wrong place.
func (v *Verifier) late(e *Entry) {
	if f := v.verdict.Fault; f.Damage == Removed && e.Seq == f.Seq {
		f.Damage, f.ID, f.Why = Reordered, e.ID, "it stands after later entries"
	}
}

// Unreadable takes the next entry when it cannot be read, or not be what the store's own indices say.
func (v *Verifier) Unreadable(seq int64, why string) {
	v.verdict.Entries++
	if v.verdict.Fault == nil {
		v.fault(seq, "", Altered, why)
	}
}

func (v *Verifier) fault(seq int64, id string, damage Damage, why string) {
	v.verdict.Fault = &Fault{seq, id, damage, why}
}

// Verdict ends the verification: the last entry must be the head's, and nothing that was noted may be missing.
func (v *Verifier) Verdict() Verdict {
	if v.verdict.Fault != nil {
		return v.verdict
	}
	head := v.verdict.Head
	switch {
	case v.last < head.Seq:
		v.fault(v.last+1, "", Truncated, fmt.Sprintf("the chain has %d entries by its head and ends at %d", head.Seq, v.last))
	case v.last > head.Seq:
		v.fault(head.Seq, "", Altered, fmt.Sprintf("the chain's head is at %d and the chain at %d", head.Seq, v.last))
	case v.prev != head.Hash:
		v.fault(v.last, "", Altered, "its hash is not the one of the chain's head")
	}
	for seq := range v.noted {
		if seq > v.last && v.verdict.Fault == nil {
			v.fault(v.last+1, "", Truncated, fmt.Sprintf("entry %d was noted once", seq))
		}
	}
	return v.verdict
}
