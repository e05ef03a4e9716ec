package service

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
)

// TenantStore names a tenant of an open store.
type TenantStore struct {
	Store  *live.Store
	Tenant string
}

// TenantStores returns, for all open stores, the tenants whose guidelines are in memory. The order is always the same.
func (s *Service) TenantStores() (out []TenantStore) {
	if s.stores == nil {
		return nil
	}
	for _, opened := range s.stores.openStores() {
		for _, tenant := range opened.Tenants() {
			out = append(out, TenantStore{opened, tenant})
		}
	}
	slices.SortFunc(out, TenantStore.Compare)
	return out
}

// Compare compares two tenants by the locations of their stores and by their names.
func (t TenantStore) Compare(with TenantStore) int {
	return cmp.Or(cmp.Compare(t.Store.Location(), with.Store.Location()), cmp.Compare(t.Tenant, with.Tenant))
}

// Fault returns an error if something is wrong with the tenant's part of the store: it lacks data that it had before,
// its guidelines cannot be read, or it cannot be changed. A store that does not answer is no fault of a tenant, so the
// result "isKnown" is then false.
func (t TenantStore) Fault(ctx context.Context) (isKnown bool, err error) {
	if err = t.Store.ReadError(t.Tenant); err == nil {
		err = t.Store.Writable(ctx, t.Tenant)
	}
	isKnown = err == nil || ctx.Err() == nil && (storefault.Named(err) != "" || store.CodeOf(err) != store.Unavailable)
	return isKnown, err
}

// TenantError says what is wrong with a tenant's part of the store.
type TenantError struct {
	Tenant string
	Err    error
}

// mostTenants is the largest number of tenants that CheckOtherTenants checks.
const mostTenants = 200

// CheckOtherTenants checks the store of the service's own project for the other tenants whose audit this computer has
// noted. It returns an error for each tenant whose part of the store lacks something. It ends when the context ends. The
// result "unchecked" is the number of tenants that were not checked.
func (s *Service) CheckOtherTenants(ctx context.Context) (out []TenantError, unchecked int, err error) {
	from, own, err := s.storeOf(ctx, "")
	if errors.Is(err, live.ErrNoStore) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	tenants, unchecked, err := from.OtherNotedTenants(own.Tenant, mostTenants)
	for i, tenant := range tenants {
		if ctx.Err() != nil {
			return out, unchecked + len(tenants) - i, err
		}
		c := *own
		c.Tenant = tenant
		switch lacking := s.lacking(ctx, from, &c); {
		case lacking != nil:
			out = append(out, TenantError{tenant, lacking})
		case ctx.Err() != nil:
			unchecked++ // the check was interrupted
		}
	}
	return out, unchecked, err
}
