package service

import (
	"context"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

// AddMissing adds the guidelines that a store does not have, and returns their ids. It also returns the ids of those
// that the store has with a different content, which it leaves alone. A dry run adds nothing.
func AddMissing(
	ctx context.Context, s *live.TenantStore, guidelines []guideline.Guideline, dryRun bool,
) (added, differ []string, err error) {
	planned, err := s.Import(ctx, guidelines, store.ImportOptions{OnConflict: store.UpdateOnConflict, DryRun: true})
	if err != nil {
		return nil, nil, err
	}
	for _, item := range planned.Items {
		switch item.Outcome {
		case store.ItemCreated:
			added = append(added, item.ID)
		case store.ItemUpdated:
			differ = append(differ, item.ID)
		}
	}
	if dryRun || len(added) == 0 {
		return added, differ, nil
	}
	_, err = s.Import(ctx, guidelines, store.ImportOptions{OnConflict: store.SkipOnConflict})
	return added, differ, err
}
