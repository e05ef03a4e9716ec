package store

import (
	"cmp"
	"fmt"
	"slices"
)

// Verification verifies all chains of a tenant in one pass over its entries.
type Verification struct {
	verifiers map[Chain]*Verifier
	noted     []Head
	// prunings are the newest ones of each chain of decisions.
	prunings map[Chain]Pruning
	changes  *Comparison
	compared bool
}

// NewVerification begins a verification of the chains that have a head now or had one that was noted.
func NewVerification(tenant string, heads, noted []Head) *Verification {
	v := &Verification{verifiers: map[Chain]*Verifier{}, noted: noted, prunings: map[Chain]Pruning{}, changes: newComparison(tenant)}
	for _, h := range heads {
		v.verifiers[h.Chain] = NewVerifier(h, noted...)
	}
	for _, n := range noted {
		if n.Tenant == tenant {
			v.of(n.Chain)
		}
	}
	return v
}

// of is the verifier of a chain, which may have lost its head.
func (v *Verification) of(c Chain) *Verifier {
	if v.verifiers[c] == nil {
		v.verifiers[c] = NewVerifier(Head{Chain: c}, v.noted...)
	}
	return v.verifiers[c]
}

// Next takes the next entry of a chain.
func (v *Verification) Next(c Chain, e *Entry) {
	v.of(c).Next(e)
	v.changes.note(c, e)
	if p := e.Pruning; p != nil && e.Kind == KindChange {
		pruned := Chain{c.Tenant, p.Writer, KindDecision}
		if p.Seq > v.prunings[pruned].Seq {
			v.prunings[pruned] = *p
		}
	}
}

// Unreadable takes the next entry of a chain when it is not what it should be; why says how that shows.
func (v *Verification) Unreadable(c Chain, seq int64, why string) { v.of(c).Unreadable(seq, why) }

// Guidelines begins the comparison of guidelines with the entries, of which all must have been given.
func (v *Verification) Guidelines() *Comparison {
	v.compared = true
	return v.changes
}

// Verdicts ends the verification: one verdict a chain, by writer and kind, and one for each guideline that is not what the
// audit says.
func (v *Verification) Verdicts() []Verdict {
	out := make([]Verdict, 0, len(v.verifiers))
	for chain, verifier := range v.verifiers {
		verdict := verifier.Verdict()
		verdict.explainBase(v.prunings[chain])
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

// explainBase finds the fault of a chain that begins later than it did and has no pruning that says so.
func (v *Verdict) explainBase(p Pruning) {
	explained := v.Base < p.Seq || v.Base == p.Seq && v.BaseHash == p.Hash
	if v.Base > 0 && !explained && v.Fault == nil {
		v.Fault = &Fault{1, "", Removed, fmt.Sprintf("the chain begins after entry %d, and no change says that it was pruned", v.Base)}
	}
}
