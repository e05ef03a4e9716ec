package store

import (
	"context"
	"slices"

	"guardrails/guideline"
)

// Moment identifies a state of the guidelines of a tenant.
type Moment struct {
	Generation int64
	// Heads are the heads of the audit's chains at this moment.
	Heads []Head
	// Position is the position at which the driver continues to read the log of changes, and Mark identifies the change at
	// this position. Only the driver knows what the two values mean.
	Position int64
	Mark     string
}

// Set is every guideline of a tenant at one moment.
type Set struct {
	Guidelines []guideline.Guideline
	Moment
}

// Changes is what changed in the guidelines of a tenant after an earlier moment. The field Moment is the later moment.
type Changes struct {
	// The field "Changed" has the guidelines that were added or changed, and Removed has the keys of the guidelines
	// that were deleted. Both lists are ordered by key, and no guideline is in both.
	Changed []guideline.Guideline
	Removed []string
	// The field "Whole" is set if Changed has every guideline, and not only the guidelines that changed after the earlier
	// moment.
	Whole bool
	Moment
}

// Whole is a method that returns the set as Changes that contain every guideline.
func (s *Set) Whole() Changes { return Changes{Changed: s.Guidelines, Whole: true, Moment: s.Moment} }

// ContinuedBy reports whether the given moment may be a later state of the same store. To be certain, check that the
// store still has the entries of the heads that ChangeHeads returns.
func (m *Moment) ContinuedBy(later *Moment) bool {
	return len(m.ChangeHeads()) > 0 && m.Generation <= later.Generation && m.Position <= later.Position
}

// ChangeHeads returns the heads of the chains of changes. A store that has the entries of these heads has all changes
// that were made until this moment.
func (m *Moment) ChangeHeads() []Head {
	return slices.DeleteFunc(slices.Clone(m.Heads), func(h Head) bool { return h.Kind != KindChange })
}

// GenerationOf returns the generation of one tenant.
func GenerationOf(ctx context.Context, r Reader, tenant string) (int64, error) {
	all, err := r.Generations(ctx, tenant)
	if err != nil {
		return 0, err
	}
	return all[0], nil
}
