package store

import (
	"context"
	"iter"
)

// Loading checks a dump while a driver loads it: that it is of the tenant, in order, whole and not damaged.
type Loading struct {
	// Done counts what was not there before; the driver does.
	Done Loaded
	// Chains are those of the dump.
	Chains map[Chain]*LoadedChain

	tenant       string
	heads        []Head
	verification *Verification
	comparison   *Comparison
	newest       map[string]*Revision
	last         map[Chain]int64
}

// NewLoading begins to check a dump for a tenant.
func NewLoading(tenant string) *Loading {
	return &Loading{Chains: map[Chain]*LoadedChain{}, tenant: tenant, newest: map[string]*Revision{}, last: map[Chain]int64{}}
}

// Each gives a driver every record of a dump. Those before it are there, its chain too, and by itself nothing is wrong with
// it.
func (l *Loading) Each(ctx context.Context, dump iter.Seq2[Record, error], take func(Record) error) error {
	for r, err := range dump {
		if err == nil && ctx.Err() != nil {
			err = Interrupted(ctx)
		}
		if err == nil {
			err = l.next(r)
		}
		if err == nil {
			err = take(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *Loading) next(r Record) error {
	switch {
	case r.Head != nil && r.Entry == nil && r.Revision == nil:
		return l.head(r.Head)
	case r.Entry != nil && r.Head == nil && r.Revision == nil:
		return l.entry(r.Entry)
	case r.Revision != nil && r.Head == nil && r.Entry == nil:
		return l.revision(r.Revision)
	}
	return Errorf(Invalid, "a record of the dump is not one of head, entry and revision; use a dump as it was written")
}

func (l *Loading) head(h *Head) error {
	if l.verification != nil {
		return l.outOfOrder(" head")
	}
	if err := l.ours(h.Tenant); err != nil {
		return err
	}
	if h.Kind != KindChange && h.Kind != KindDecision {
		return Errorf(Invalid, "the dump has a chain of the unknown kind %.40q; use a dump as it was written", h.Kind)
	}
	l.heads = append(l.heads, *h)
	begin := Head{Chain: h.Chain, Base: h.Base, BaseHash: h.BaseHash, Seq: h.Base, Hash: h.BaseHash}
	l.Chains[h.Chain] = &LoadedChain{begin, *h}
	return checkName("writer", h.Writer)
}

func (l *Loading) entry(e *Entry) error {
	if l.comparison != nil || e.Seq <= l.last[e.Chain()] {
		return l.outOfOrder("n entry")
	}
	l.last[e.Chain()] = e.Seq
	if err := l.ours(e.Tenant); err != nil {
		return err
	}
	l.begun().Next(e.Chain(), e)
	if err := e.check(); err != nil {
		return err
	}
	if l.Chains[e.Chain()] == nil {
		return Errorf(Invalid, "the dump has an entry of the writer %.140q, and no head of its chain; use a dump as it was written", e.Writer)
	}
	return nil
}

func (l *Loading) revision(r *Revision) error {
	if l.comparison == nil {
		l.comparison = l.begun().Guidelines()
	}
	if err := l.ours(r.Guideline.TenantID); err != nil {
		return err
	}
	id := r.Guideline.ID
	if last := l.newest[id]; last != nil && last.version() >= r.version() {
		return l.outOfOrder(" revision")
	}
	l.newest[id] = r
	l.comparison.Revision(r)
	return nil
}

// begun is the verification, which needs all heads.
func (l *Loading) begun() *Verification {
	if l.verification == nil {
		l.verification = NewVerification(l.tenant, l.heads, nil)
	}
	return l.verification
}

// ours refuses what belongs to another tenant: its name is in every hash.
func (l *Loading) ours(tenant string) error {
	if tenant != l.tenant {
		return Errorf(Invalid, "the dump is of the tenant %.140q and not of %q; load it there", tenant, l.tenant)
	}
	return nil
}

func (l *Loading) outOfOrder(what string) error {
	return Errorf(Invalid, "a%s of the dump is not where it belongs; use a dump as it was written", what)
}

// Newest are the newest revisions of all guidelines in the dump.
func (l *Loading) Newest() map[string]*Revision { return l.newest }

// End says what is wrong with the dump as a whole.
func (l *Loading) End() error {
	comparison := l.begun().Guidelines()
	for id, r := range l.newest {
		if r.live() {
			comparison.Listed(id, r.version())
		}
	}
	for _, v := range l.verification.Verdicts() {
		if v.Fault != nil {
			return Errorf(Invalid, "the dump is damaged at entry %d of the %ss of the writer %q: %s; use another one", v.Fault.Seq, v.Kind, v.Writer, v.Fault.Why)
		}
	}
	return nil
}
