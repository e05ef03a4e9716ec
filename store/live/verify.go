package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"guardrails/internal/private"
	"guardrails/store"
	"guardrails/store/notedheads"
)

// Verifying says what Verify reads.
type Verifying struct {
	// Full makes Verify read every entry. Otherwise, Verify reads all changes, the decisions that were not verified
	// before, and a part of the other decisions.
	Full bool
	// Heads are heads that the caller has kept. Verify compares the chains with these heads, and with the heads that were
	// noted outside of the store.
	Heads []store.Head
}

// Verified is the result of Verify.
type Verified struct {
	Verdicts []store.Verdict
	// Full is the time when the last verification that read every entry began. It is zero if no such verification is
	// known.
	Full time.Time
}

// Intact reports whether the verification found no damage.
func (v *Verified) Intact() bool {
	return !slices.ContainsFunc(v.Verdicts, func(v store.Verdict) bool { return v.Fault != nil })
}

// Verify finds entries that were altered, removed, reordered or cut off, and guidelines that differ from the audit. It
// compares the chains with the heads that were noted outside of the store. If the audit is intact, Verify notes the
// heads and stores which decisions it has verified.
func (t *TenantStore) Verify(ctx context.Context, what Verifying) (out Verified, err error) {
	notes, faults, err := t.Notes()
	if err != nil {
		return out, err
	}
	began := t.store.now()
	point, why, err := t.point()
	if err != nil {
		return out, err
	}
	var known store.Known
	if !what.Full {
		known = point.Known()
	}
	heads := notedheads.Heads(notes)
	if len(known) > 0 {
		heads = point.Later(notes)
	}
	out.Verdicts, err = readStore(ctx, t, func(s store.Store) ([]store.Verdict, error) {
		return s.Verify(ctx, t.caller.Tenant, known, append(heads, what.Heads...)...)
	})
	if err != nil {
		return out, err
	}
	older, err := t.olderThan(ctx, notedheads.Generation(notes))
	for _, why := range append(faults, why, older) {
		if why != "" {
			out.Verdicts = append(out.Verdicts, t.damaged(why))
		}
	}
	out.Full = point.Full
	if err != nil || !out.Intact() {
		return out, err
	}
	next := point.After(began, known, out.Verdicts)
	out.Full = next.Full
	return out, t.setPoint(ctx, next)
}

// point() returns the stored Point, which says which decisions earlier verifications have read. If somebody has altered
// the stored Point, the result "why" is a message about it, and no decision counts as verified.
func (t *TenantStore) point() (p notedheads.Point, why string, err error) {
	if t.store.notes == nil {
		return p, "", nil
	}
	p, err = t.store.notes.Point(t.caller.Tenant)
	if errors.Is(err, private.ErrUnsigned) {
		return notedheads.Point{}, err.Error(), nil
	}
	return p, "", err
}

// setPoint notes the heads, and stores which decisions were verified.
func (t *TenantStore) setPoint(ctx context.Context, p notedheads.Point) error {
	if _, err := t.note(ctx, notedheads.Note{}); err != nil || t.store.notes == nil {
		return err
	}
	return t.store.notes.SetPoint(t.caller.Tenant, p)
}
