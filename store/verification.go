package store

import (
	"cmp"
	"slices"
)

// Verification verifies all chains of a tenant in one pass over its entries.
type Verification struct {
	verifiers map[Chain]*Verifier
	noted     []Head
}

// NewVerification begins a verification of the chains that have a head now or had one that was noted.
func NewVerification(tenant string, heads, noted []Head) *Verification {
	v := &Verification{verifiers: map[Chain]*Verifier{}, noted: noted}
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
func (v *Verification) Next(c Chain, e *Entry) { v.of(c).Next(e) }

// Unreadable takes the next entry of a chain when it is not what it should be; why says how that shows.
func (v *Verification) Unreadable(c Chain, seq int64, why string) { v.of(c).Unreadable(seq, why) }

// Verdicts ends the verification: one verdict a chain, by writer and kind.
func (v *Verification) Verdicts() []Verdict {
	out := make([]Verdict, 0, len(v.verifiers))
	for _, verifier := range v.verifiers {
		out = append(out, verifier.Verdict())
	}
	slices.SortFunc(out, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(a.Writer, b.Writer), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}
