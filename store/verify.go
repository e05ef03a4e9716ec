package store

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Damage is a kind of damage to a chain.
type Damage string

// The kinds of damage.
const (
	// Altered means that the entry has changed since it was sealed.
	Altered Damage = "altered"
	// Removed means that the entry is missing, but later entries exist.
	Removed Damage = "removed"
	// Reordered means that the entry is at the position of another entry.
	Reordered Damage = "reordered"
	// Truncated means that the entry and all later entries are missing.
	Truncated Damage = "truncated"
)

// Fault is the first damage in a chain: the entry, the kind of damage, and a description.
type Fault struct {
	Seq    int64  `json:"seq"`
	ID     string `json:"id,omitempty"`
	Damage Damage `json:"damage"`
	Why    string `json:"why"`
}

// Verdict is the result of verifying one chain.
type Verdict struct {
	Head
	// Entries is the number of entries that were read.
	Entries int64 `json:"entries"`
	// Skipped is the number of entries that were not read, because an earlier verification found them intact.
	Skipped int64  `json:"skipped,omitempty"`
	Fault   *Fault `json:"fault,omitempty"`
	// Until is the entry up to which the chain is now verified, and UntilHash is the hash of this entry. If the
	// verification was not limited, this entry is the head of the chain.
	Until     int64  `json:"-"`
	UntilHash string `json:"-"`
}

// Verifier verifies a chain entry by entry.
type Verifier struct {
	verdict Verdict
	noted   map[int64][]string
	// The fields "last" and "prev" have the number and the hash of the last correct entry. The flag "open" is true if the
	// hash is not known.
	last int64
	prev string
	open bool
	// The field "spans" has the parts of the chain that are still to be read. The field "skips" is set if these parts
	// are not the whole chain.
	spans []Span
	skips bool
	// If the flag "limited" is set, the verification reads the new entries only up to the entry "end". The field "hash"
	// is the hash of this entry. It is set when the verification has read this entry.
	limited bool
	end     int64
	hash    string
	// The field "miscounted" is a message if the store has too few or too many entries of the chain, and otherwise "".
	miscounted string
}

// NewVerifier returns a Verifier for the chain to which the parameter "head" belongs. It ignores noted heads of other
// chains.
func NewVerifier(head Head, noted ...Head) *Verifier {
	v := &Verifier{verdict: Verdict{Head: head}, noted: map[int64][]string{}}
	for _, n := range noted {
		if n.Chain == head.Chain {
			v.note(n)
		}
	}
	v.read(Span{head.Base + 1, math.MaxInt64})
	return v
}

func (v *Verifier) note(h Head) {
	if !slices.Contains(v.noted[h.Seq], h.Hash) {
		v.noted[h.Seq] = append(v.noted[h.Seq], h.Hash)
	}
}

// Next verifies the next entry.
func (v *Verifier) Next(e *Entry) {
	v.verdict.Entries++
	if v.verdict.Fault != nil {
		v.findMissing(e)
		return
	}
	v.turnTo(e.Seq)
	switch notes := v.noted[e.Seq]; {
	case e.Chain() != v.verdict.Chain || !e.IsGenuine():
		v.fault(e.Seq, e.ID, Altered, "its hash does not match its content")
	case e.Seq <= v.last:
		v.fault(e.Seq, e.ID, Reordered, fmt.Sprintf("it comes after entry %d", v.last))
	case e.Seq > v.last+1:
		v.fault(v.last+1, "", Removed, fmt.Sprintf("entry %d follows entry %d", e.Seq, v.last))
	case e.Prev != v.prev && !v.open:
		v.fault(v.last, "", Altered, fmt.Sprintf("entry %d does not have the hash of the entry before it", e.Seq))
	case len(notes) > 1 || len(notes) == 1 && notes[0] != e.Hash:
		v.fault(e.Seq, e.ID, Altered, "its hash differs from the noted one")
	default:
		v.last, v.prev, v.open = e.Seq, e.Hash, false
	}
	if e.Seq == v.end {
		v.hash = e.Hash
	}
}

// findMissing is called with each entry after a fault. If such an entry is the entry that seemed to be removed, the
// damage becomes Reordered.
func (v *Verifier) findMissing(e *Entry) {
	if f := v.verdict.Fault; f.Damage == Removed && e.Seq == f.Seq {
		f.Damage, f.ID, f.Why = Reordered, e.ID, "it comes after later entries"
	}
}

// Unreadable adds an entry that cannot be read, or that differs from the store's index. If the chain has no fault yet,
// the entry is reported as altered.
func (v *Verifier) Unreadable(seq int64, why string) {
	v.verdict.Entries++
	if v.verdict.Fault == nil {
		v.fault(seq, "", Altered, why)
	}
}

func (v *Verifier) fault(seq int64, id string, damage Damage, why string) {
	v.verdict.Fault = &Fault{seq, id, damage, why}
}

// Verdict is a method that finishes the verification. It checks that the last entry matches the head and that no noted
// entry is missing.
func (v *Verifier) Verdict() Verdict {
	if v.skips {
		v.verdict.Skipped = max(0, v.verdict.Seq-v.verdict.Base-v.verdict.Entries)
	}
	if v.verdict.Fault != nil {
		return v.verdict
	}
	head := v.verdict.Head
	v.verdict.Until, v.verdict.UntilHash = head.Seq, head.Hash
	if v.limited {
		v.verdict.Until, v.verdict.UntilHash = v.end, v.hash
	}
	v.turnTo(math.MaxInt64)
	if v.open && v.last >= head.Seq {
		v.last, v.prev = head.Seq, head.Hash // all entries of the last part are missing
	}
	switch {
	case v.last < head.Seq:
		why := fmt.Sprintf("its head says that the chain has %d entries, but the chain ends at entry %d", head.Seq, v.last)
		v.fault(v.last+1, "", Truncated, why)
	case v.last > head.Seq:
		v.fault(
			head.Seq, "", Altered, fmt.Sprintf("the head of the chain is entry %d, but the chain ends at entry %d", head.Seq,
				v.last),
		)
	case v.prev != head.Hash:
		v.fault(v.last, "", Altered, "its hash differs from the head of the chain")
	}
	highest := int64(0)
	for seq := range v.noted {
		highest = max(highest, seq)
	}
	if highest > v.last && v.verdict.Fault == nil {
		why := fmt.Sprintf("the chain ends at entry %d, but earlier it reached entry %d", v.last, highest)
		v.fault(v.last+1, "", Truncated, why)
	}
	if v.miscounted != "" {
		v.found(0, Removed, v.miscounted)
	}
	return v.verdict
}

// Verification verifies all chains of a tenant in one pass over its entries.
type Verification struct {
	verifiers map[Chain]*Verifier
	noted     []Head
	// The field "prunings" has the newest pruning of each chain of decisions.
	prunings map[Chain]Pruning
	changes  *Comparison
	compared bool
	// The flag "more" is set if another verification follows.
	more bool
}

// NewVerification returns a Verification for all chains that have a head or a noted head. The parameter "known" has the
// entries that earlier verifications found intact. The Verification skips these entries, except for the parts that must
// be read again.
func NewVerification(tenant string, heads []Head, known Known, noted []Head) *Verification {
	v := &Verification{
		verifiers: map[Chain]*Verifier{}, noted: noted, prunings: map[Chain]Pruning{}, changes: newComparison(tenant),
	}
	for _, h := range heads {
		v.verifiers[h.Chain] = NewVerifier(h, noted...)
	}
	for _, n := range noted {
		if n.Tenant == tenant {
			v.verifier(n.Chain)
		}
	}
	for _, k := range known {
		if k.Tenant == tenant && k.Kind == KindDecision {
			v.verifier(k.Chain).skip(k)
			v.more = v.more || k.More
		}
	}
	return v
}

// verifier() returns the verifier of a chain. It adds a verifier for a chain that has no head.
func (v *Verification) verifier(c Chain) *Verifier {
	if v.verifiers[c] == nil {
		v.verifiers[c] = NewVerifier(Head{Chain: c}, v.noted...)
	}
	return v.verifiers[c]
}

// Next verifies the next entry of a chain.
func (v *Verification) Next(c Chain, e *Entry) {
	v.verifier(c).Next(e)
	v.changes.addEntry(c, e)
	if p := e.Pruning; p != nil && e.Kind == KindChange {
		pruned := Chain{c.Tenant, p.Writer, KindDecision}
		if p.Seq > v.prunings[pruned].Seq {
			v.prunings[pruned] = *p
		}
	}
}

// Unreadable adds an entry of a chain that cannot be read. The parameter "why" is the reason.
func (v *Verification) Unreadable(c Chain, seq int64, why string) { v.verifier(c).Unreadable(seq, why) }

// Guidelines returns a Comparison, which compares guidelines with the entries. Add all entries before you call
// Guidelines.
func (v *Verification) Guidelines() *Comparison {
	v.compared = true
	return v.changes
}

// Verdicts ends the verification. It returns one verdict for each chain, ordered by writer and kind, and one for each
// guideline that differs from the audit.
func (v *Verification) Verdicts() []Verdict {
	out := make([]Verdict, 0, len(v.verifiers))
	for chain, verifier := range v.verifiers {
		verdict := verifier.Verdict()
		verdict.checkBase(v.prunings[chain])
		out = append(out, verdict)
	}
	slices.SortFunc(out, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(a.Writer, b.Writer), cmp.Compare(a.Kind, b.Kind))
	})
	if v.compared {
		out = append(out, v.changes.verdicts()...)
	}
	return out
}

// checkBase reports a fault if the beginning of a chain is missing and no audit entry says that it was pruned.
func (v *Verdict) checkBase(p Pruning) {
	explained := v.Base < p.Seq || v.Base == p.Seq && v.BaseHash == p.Hash
	if v.Base > 0 && !explained && v.Fault == nil {
		why := fmt.Sprintf("the chain begins after entry %d, but no audit entry says that it was pruned", v.Base)
		v.Fault = &Fault{1, "", Removed, why}
	}
}
