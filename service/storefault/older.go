package storefault

import (
	"context"
	"errors"
	"sync"
	"time"

	"guardrails/config"
	"guardrails/service/fallback"
	"guardrails/store"
	"guardrails/store/live"
)

// askTime limits how long a request waits for a store to report whether it still has everything that was seen in it.
const askTime = time.Second

// CheckNotOlder returns an error if a store lacks changes that this computer has seen. The caller's mark may be
// outdated, so CheckNotOlder asks the store before it returns the error. If the store does not answer in time,
// CheckNotOlder only compares the number of changes.
func CheckNotOlder(ctx context.Context, of *live.TenantStore, place string, seen, now fallback.Mark) error {
	if now.Includes(seen) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if now.Changes < seen.Changes {
		generation, err := of.Generation(ctx)
		if err != nil {
			return err
		}
		if now.Changes = live.ChangeCount(generation); now.Changes < seen.Changes {
			return &fallback.OlderStoreError{Place: place, Has: now.Changes, Seen: seen.Changes}
		}
	}
	missing, err := of.Holds(ctx, seen.Heads...)
	if err == nil && len(missing) > 0 {
		return &fallback.OlderStoreError{Place: place, Has: now.Changes, Seen: seen.Changes}
	}
	return nil
}

// CheckNoted returns an error if a store lacks entries of the audit that were noted outside of it. If the store does
// not answer in time, CheckNoted returns no error.
func CheckNoted(ctx context.Context, of *live.TenantStore) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if err := of.CheckNoted(ctx); IsLoss(err) {
		return err
	}
	return nil
}

// IsLoss reports whether err says that a store lacks something that this computer has seen in it.
func IsLoss(err error) bool {
	_, older := errors.AsType[*fallback.OlderStoreError](err)
	_, lost := errors.AsType[*live.LostEntriesError](err)
	return older || lost
}

// StoreSeen returns a function that reports whether this computer has ever read guidelines from a store at a place.
func StoreSeen(env func(string) string, now func() time.Time) func(place string) bool {
	return (&fallback.Keeper{Env: env, Now: now}).WasSeen
}

// writeGuard keeps processes from changing a store that lacks changes that this computer has seen. A change would hide
// the loss, and the change itself would be lost when the newer store is restored.
type writeGuard struct {
	keeper *fallback.Keeper
	key    string
	opened *live.Store

	mu sync.Mutex
	// The field "checked" maps each tenant to the time at which the store was last found to lack nothing of the
	// tenant.
	checked map[string]time.Time
}

// guardEvery is how long the result of a check is valid.
const guardEvery = time.Second

// GuardWrites protects the store that the settings name. While this store lacks changes that this computer has already
// seen, new changes are refused.
func GuardWrites(env func(string) string, now func() time.Time, c *config.Config, opened *live.Store) {
	g := &writeGuard{
		keeper: &fallback.Keeper{Env: env, Now: now}, key: c.StoreKey(), opened: opened, checked: map[string]time.Time{},
	}
	opened.Guard(g.check)
}

func (g *writeGuard) check(ctx context.Context, tenant string) error {
	g.mu.Lock()
	last := g.checked[tenant]
	g.mu.Unlock()
	if time.Since(last) < guardEvery {
		return nil
	}
	place := g.opened.Location()
	seen := g.keeper.Watermark(fallback.StoreID{Place: place, Settings: g.key, Tenant: tenant})
	of := g.opened.For(live.Caller{Tenant: tenant})
	err := CheckNotOlder(ctx, of, place, seen, fallback.Mark{})
	if err == nil {
		err = CheckNoted(ctx, of)
	}
	if IsLoss(err) {
		return store.Errorf(store.ReadOnly, "nothing can be changed: %w", err)
	}
	if err == nil {
		g.mu.Lock()
		g.checked[tenant] = time.Now()
		g.mu.Unlock()
	}
	return err
}
