package store

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
)

// Loading checks a dump while a driver loads it. All records of the dump must belong to the tenant. The dump must be
// complete, undamaged and in order.
type Loading struct {
	// Done counts the records that were not in the store before. The driver updates these counts.
	Done Loaded
	// Chains are the chains that the dump contains.
	Chains map[Chain]*LoadedChain

	tenant       string
	heads        []Head
	verification *Verification
	comparison   *Comparison
	newest       map[string]*Revision
	last         map[Chain]int64
	// The map "own" has the ids of writes by the store's own writer for which the driver has added revisions. The flag
	// "others" is set if the driver has added revisions of other writers.
	own    map[string]bool
	others bool
}

// NewLoading returns a Loading for a dump of a tenant.
func NewLoading(tenant string) *Loading {
	return &Loading{
		Chains: map[Chain]*LoadedChain{}, tenant: tenant, newest: map[string]*Revision{}, last: map[Chain]int64{},
		own: map[string]bool{},
	}
}

// Each is a method that goes through the records of a dump. It checks each record and then calls take() with this
// record. All heads must come before the entries.
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
	return Errorf(Invalid, "a record of the dump must be exactly one head, entry or revision; use an unmodified dump")
}

func (l *Loading) head(h *Head) error {
	if l.verification != nil {
		return l.outOfOrder("a head")
	}
	if err := l.checkTenant(h.Tenant); err != nil {
		return err
	}
	if h.Kind != KindChange && h.Kind != KindDecision {
		return Errorf(Invalid, "the dump has a chain of the unknown kind %.40q; use an unmodified dump", h.Kind)
	}
	l.heads = append(l.heads, *h)
	begin := Head{Chain: h.Chain, Base: h.Base, BaseHash: h.BaseHash, Seq: h.Base, Hash: h.BaseHash}
	l.Chains[h.Chain] = &LoadedChain{begin, *h}
	return checkName("writer", h.Writer)
}

func (l *Loading) entry(e *Entry) error {
	if l.comparison != nil || e.Seq <= l.last[e.Chain()] {
		return l.outOfOrder("an entry")
	}
	l.last[e.Chain()] = e.Seq
	if err := l.checkTenant(e.Tenant); err != nil {
		return err
	}
	l.verify().Next(e.Chain(), e)
	if err := e.check(); err != nil {
		return err
	}
	if l.Chains[e.Chain()] == nil {
		return Errorf(Invalid, "the dump has an entry of the writer %.140q but no head of its chain; use an unmodified dump",
			e.Writer)
	}
	return nil
}

func (l *Loading) revision(r *Revision) error {
	if l.comparison == nil {
		l.comparison = l.verify().Guidelines()
	}
	if err := l.checkTenant(r.Guideline.TenantID); err != nil {
		return err
	}
	key := KeyOf(&r.Guideline)
	if last := l.newest[key]; last != nil && last.version() >= r.version() {
		return l.outOfOrder("a revision")
	}
	l.newest[key] = r
	l.comparison.Revision(r)
	return nil
}

// verify() returns the Verification of the dump. The first call creates the Verification from the heads of the dump. So
// read all heads before you call verify().
func (l *Loading) verify() *Verification {
	if l.verification == nil {
		l.verification = NewVerification(l.tenant, l.heads, nil, nil)
	}
	return l.verification
}

// checkTenant checks that a record belongs to the tenant. The tenant's name is part of every hash.
func (l *Loading) checkTenant(tenant string) error {
	if tenant != l.tenant {
		return Errorf(Invalid, "the dump belongs to the tenant %.140q, not to %q; load it into its own tenant",
			tenant, l.tenant)
	}
	return nil
}

func (l *Loading) outOfOrder(what string) error {
	return Errorf(Invalid, "%s of the dump is out of sequence; use an unmodified dump", what)
}

// Added is a method that is called when the driver adds a revision. The parameter "writer" is the store's own writer.
// This writer can also have made revisions in the dump, if the store is an older copy of the store from which the dump
// was made.
func (l *Loading) Added(r *Revision, writer string) {
	l.Done.Revisions++
	if l.comparison.IsBy(r.WriteID, writer) {
		l.own[r.WriteID] = true
	} else {
		l.others = true
	}
}

// OwnWrites returns the ids of those loaded writes that the store's own writer made and that the store did not have. A
// dump has no results, so the driver must store an empty result with an empty fingerprint for each of these writes. The
// store then refuses a repetition of such a write, and verification does not report a removed result.
func (l *Loading) OwnWrites() []string { return slices.Sorted(maps.Keys(l.own)) }

// Generations returns the number by which the driver must increase the generation. Each write of the store's own writer
// counts as one, because the original write also increased the generation by one. All other revisions together count as
// one.
func (l *Loading) Generations() int64 {
	n := int64(len(l.own))
	if l.others {
		n++
	}
	return n
}

// Ahead is a method that says how many entries of changes are in the dump, but not in the store. Call it after the
// heads of the dump were read.
func (l *Loading) Ahead() (n int64) {
	for chain, c := range l.Chains {
		if chain.Kind == KindChange && c.Grows() {
			n += c.Want.Seq - c.Had.Seq
		}
	}
	return n
}

// Newest returns the newest revision of every guideline in the dump. The keys of the result are the keys of the
// guidelines.
func (l *Loading) Newest() map[string]*Revision { return l.newest }

// End checks the whole dump after all of its records were read.
func (l *Loading) End() error {
	comparison := l.verify().Guidelines()
	for key, r := range l.newest {
		if r.live() {
			comparison.Listed(key, r.version())
		}
	}
	for _, v := range l.verification.Verdicts() {
		if v.Fault != nil {
			return Errorf(Invalid, "the dump is damaged at entry %d of the %ss of the writer %q: %s; use another dump",
				v.Fault.Seq, v.Kind, v.Writer, v.Fault.Why)
		}
	}
	return nil
}

// LoadedChain describes a chain in a dump. The field "Want" is the chain's head in the dump. The field "Had" is its
// head in the store before the load.
type LoadedChain struct{ Had, Want Head }

// Follows is a method that sets the field Had. It returns an error if entries are missing between Had and the first
// entry in the dump.
func (c *LoadedChain) Follows(had Head) error {
	c.Had = had
	if c.Want.Base > had.Seq {
		return Errorf(Conflict,
			"the dump starts at entry %d of the writer %s, but the store has only entries up to %d; load an older dump first",
			c.Want.Base+1, c.Want.Writer, had.Seq)
	}
	return nil
}

// Grows is a method that reports whether the dump has entries that the store did not have before.
func (c *LoadedChain) Grows() bool { return c.Want.Seq > c.Had.Seq }

// Same is a method that compares the revision r, which is in the dump, with the same version in the store (the
// parameter "had"). If they differ, Same returns a Conflict error.
func (r *Revision) Same(had *Revision) error {
	one, err := had.Digest()
	if err != nil {
		return err
	}
	if other, err := r.Digest(); err != nil || one != other {
		return errors.Join(err, Clash("guideline", KeyOf(&r.Guideline)))
	}
	return nil
}

// Clash returns the error for an item that differs between the store and a dump.
func Clash(what, id string) *Error {
	return Errorf(
		Conflict, "the %s %s differs between the store and the dump; load the dump into a store without this tenant",
		what, id,
	)
}
