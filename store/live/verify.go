package live

import (
	"cmp"
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
	// If Full is set, Verify reads every entry. Otherwise, Verify reads all changes, the decisions that were not
	// verified before, and a part of the other decisions.
	Full bool
	// Heads are heads that the caller has kept. Verify compares the chains with these heads, and with the heads that were
	// noted outside of the store.
	Heads []store.Head
	// Slice is the approximate number of decisions that Verify reads before it stores which decisions it has verified.
	// Zero means sliceSize.
	Slice int64
}

// The constant sliceSize is the default size of a slice. A slice takes about half a minute. Each slice reads all changes
// again.
const sliceSize = 500_000

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
// heads and stores which decisions it has verified. Unless the verification is full, Verify does this after each slice.
// So if ctx ends, the next call continues with the slice that this call has not finished.
func (t *TenantStore) Verify(ctx context.Context, what Verifying) (out Verified, err error) {
	read := map[store.Chain]int64{}
	for finished := 0; ; finished++ {
		slice, more, err := t.verifySlice(ctx, what)
		if err != nil && ctx.Err() != nil && finished > 0 {
			err = store.Errorf(store.Unavailable,
				"the time did not suffice to verify the whole audit; the next verification continues where this one ended: %w", err)
		}
		if err != nil {
			return out, err
		}
		for i := range slice.Verdicts {
			v := &slice.Verdicts[i]
			if v.Kind == store.KindDecision {
				v.Skipped = max(0, v.Skipped-read[v.Chain])
				// Some entries are read in more than one slice.
				v.Entries = min(v.Entries+read[v.Chain], max(v.Entries, v.Seq-v.Base))
				read[v.Chain] = v.Entries
			}
		}
		if !more || !slice.Intact() {
			return slice, nil
		}
	}
}

// verifySlice verifies the next slice of the decisions, and all changes. If the verification is full, all decisions are
// one slice. The result "more" says that further slices are needed.
func (t *TenantStore) verifySlice(ctx context.Context, what Verifying) (out Verified, more bool, err error) {
	notes, faults, err := t.Notes()
	if err != nil {
		return out, false, err
	}
	began := t.store.now()
	point, why, err := t.point()
	if err != nil {
		return out, false, err
	}
	var known store.Known
	if !what.Full && t.store.notes != nil {
		current, err := t.Heads(ctx)
		if err != nil {
			return out, false, err
		}
		known, more = point.Slice(current, cmp.Or(what.Slice, sliceSize))
	}
	heads := notedheads.Heads(notes)
	if len(known) > 0 {
		heads = point.Later(notes)
	}
	out.Verdicts, err = readStore(ctx, t, func(s store.Store) ([]store.Verdict, error) {
		return s.Verify(ctx, t.caller.Tenant, known, append(heads, what.Heads...)...)
	})
	if err != nil {
		return out, false, err
	}
	older, err := t.olderThan(ctx, notedheads.Generation(notes))
	for _, why := range append(faults, why, older) {
		if why != "" {
			out.Verdicts = append(out.Verdicts, t.damaged(why))
		}
	}
	out.Full = point.Full
	if err != nil || !out.Intact() {
		return out, false, err
	}
	next := point.After(began, known, out.Verdicts)
	out.Full = next.Full
	return out, more, t.setPoint(ctx, next)
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
