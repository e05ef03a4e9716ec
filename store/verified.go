package store

import (
	"fmt"
	"math"
)

// Known has the decisions that earlier verifications found intact. A verification that knows these results reads fewer
// decisions. A verification always reads all changes, because it compares the guidelines with the changes.
type Known []Verified

// Verified says that a chain of decisions was intact up to the entry with this number and hash.
type Verified struct {
	Chain
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
	// The field "Again" is the part of the verified decisions that the next verification must read again.
	Again Span `json:"again"`
	// If Limited is set, the verification reads no decisions after the entry End, except for the newest one. End is at
	// least Seq.
	Limited bool  `json:"limited,omitempty"`
	End     int64 `json:"end,omitempty"`
	// More is set if another verification follows at once. That verification begins with the last entry that this
	// verification reads.
	More bool `json:"more,omitempty"`
}

// Span is a part of a chain: the entries from First to Last. It is empty if Last is less than First.
type Span struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// skip() sets the parts of the chain to read. It leaves out the entries that were verified before, except for the
// newest of these entries and the part in known.Again. It also leaves out the entries after known.End. Reading starts
// one entry before the part in known.Again, so that the hashes connect this part to the entries before it.
func (v *Verifier) skip(known Verified) {
	base := v.verdict.Base
	rest := Span{base + 1, math.MaxInt64}
	again := Span{1, 0}
	if known.Seq > base+1 { // otherwise, at most one of the verified entries still exists
		v.note(Head{Seq: known.Seq, Hash: known.Hash})
		rest.First = known.Seq
		if known.Again.First <= known.Again.Last {
			again = Span{max(known.Again.First-1, base+1), known.Again.Last}
		}
	}
	spans := v.limit(rest, known)
	switch first := &spans[0]; {
	case again.First > again.Last || again.First >= first.First:
	case again.Last >= first.First-1:
		first.First = again.First
	default:
		spans = append([]Span{again}, spans...)
	}
	v.read(spans...)
	v.skips = len(spans) > 1 || spans[0].First > base+1
}

// limit() divides the unread part of a chain (the parameter "rest") in two: the part that a limited verification reads,
// and the newest entry.
func (v *Verifier) limit(rest Span, known Verified) []Span {
	newest := v.verdict.Seq
	if !known.Limited || known.End >= newest-1 {
		return []Span{rest}
	}
	v.limited, v.end = true, max(known.End, v.verdict.Base)
	if v.end == v.verdict.Base {
		v.hash = v.verdict.BaseHash
	}
	if v.end < rest.First {
		return []Span{{newest, math.MaxInt64}}
	}
	return []Span{{rest.First, v.end}, {newest, math.MaxInt64}}
}

// read() sets which parts of the chain are still to be read.
func (v *Verifier) read(spans ...Span) {
	v.spans = spans
	v.last, v.prev, v.open = spans[0].First-1, "", true
	if v.last == v.verdict.Base {
		v.prev, v.open = v.verdict.BaseHash, false
	}
}

// turnTo is called before the entry with the number seq is verified. If the current part of the chain was read to its
// end and the entry comes after this part, turnTo moves to the next part.
func (v *Verifier) turnTo(seq int64) {
	if len(v.spans) > 1 && v.last == v.spans[0].Last && seq > v.last {
		v.read(v.spans[1:]...)
	}
}

// Partial is a method that reports whether the verification skips entries.
func (v *Verification) Partial() bool {
	for _, verifier := range v.verifiers {
		if verifier.skips {
			return true
		}
	}
	return false
}

// Continues is a method that reports whether another verification follows at once. That verification begins with the
// last entry of each part.
func (v *Verification) Continues() bool { return v.more }

// Spans returns the parts of a chain that must be read, in order.
func (v *Verification) Spans(c Chain) []Span { return v.verifier(c).spans }

// Unread is a method that returns the noted heads whose entries are in parts of the chains that are not read. The
// caller must look up these entries. If an entry is missing or differs from the head, the caller must call the method
// Lacks.
func (v *Verification) Unread() (out []Head) {
	for _, h := range v.noted {
		if verifier := v.verifiers[h.Chain]; verifier != nil && !verifier.reads(h.Seq) {
			out = append(out, h)
		}
	}
	return out
}

func (v *Verifier) reads(seq int64) bool {
	for _, s := range v.spans {
		if seq >= s.First && seq <= s.Last {
			return true
		}
	}
	return seq <= v.verdict.Base
}

// Lacks is a method that adds a fault for a noted head whose entry is missing in the chain or has another hash.
func (v *Verification) Lacks(h Head) {
	v.verifier(h.Chain).found(h.Seq, Altered, "it is missing, or its hash differs from the noted one")
}

// Counted is a method that checks the number of entries in a chain. The parameter "entries" is the number of entries
// that the store has, including the entries that are not read.
func (v *Verification) Counted(c Chain, entries int64) {
	verifier := v.verifier(c)
	if want := verifier.verdict.Seq - verifier.verdict.Base; entries != want {
		verifier.miscounted = fmt.Sprintf(
			"the chain must have %d entries, but the store has %d; run guardrails audit verify --full to find the difference",
			want, entries)
	}
}

// CountedAll compares the number of entries of the tenant with the number of entries in its chains.
func (v *Verification) CountedAll(entries, inChains int64) {
	if entries != inChains {
		why := fmt.Sprintf("the tenant has %d entries, but its chains have %d; "+
			"run guardrails audit verify --full to find the difference", entries, inChains)
		v.verifier(Chain{Tenant: v.changes.tenant, Kind: KindChange}).found(0, Altered, why)
	}
}

// Misplaced is a method that adds a fault for an entry that comes, in the order of the store, before an entry of the
// same chain with a lower number.
func (v *Verification) Misplaced(c Chain, seq int64) {
	v.verifier(c).found(seq, Reordered, "in the store, it stands before an entry with a lower number")
}

// found() records a fault of the chain, unless the chain has one already.
func (v *Verifier) found(seq int64, damage Damage, why string) {
	if v.verdict.Fault == nil {
		v.fault(seq, "", damage, why)
	}
}
