package server

import (
	"context"
	"slices"
	"sync"
	"time"

	"guardrails/service"
	"guardrails/service/storefault"
)

// tenantFaults has the faults of tenants whose guidelines are in memory. The store as a whole works in spite of these
// faults. For example, an older copy has replaced the part of the store that belongs to one tenant.
type tenantFaults struct {
	mu sync.Mutex
	// The field "found" has the faults in the order in which they were found.
	found []tenantFault
	// The field "last" is the tenant that was checked last.
	last service.TenantStore
}

type tenantFault struct {
	service.TenantStore
	name string
}

// The limits of one round: how many tenants it checks, and how long it may take. Each check asks the store a few
// questions, so a server with a thousand tenants checks each of them once in about four minutes.
const (
	tenantsAtOnce = 20
	roundTime     = 4 * time.Second
)

// first() returns the name of the fault that was found first, or "".
func (f *tenantFaults) first() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.found) == 0 {
		return ""
	}
	return f.found[0].name
}

// due() returns the tenants that the next round checks: the next ones in the order of all tenants, and the tenant whose
// fault the function first() reports. So first() stops reporting a fault soon after the fault has ended.
func (f *tenantFaults) due(all []service.TenantStore) []service.TenantStore {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range f.found {
		if !slices.Contains(all, one.TenantStore) {
			all = append(all, one.TenantStore)
		}
	}
	slices.SortFunc(all, service.TenantStore.Compare)
	at := 0
	if f.last.Store != nil {
		at = slices.IndexFunc(all, func(t service.TenantStore) bool { return t.Compare(f.last) > 0 })
		at = max(at, 0)
	}
	round := slices.Concat(all[at:], all[:at])
	round = round[:min(len(round), tenantsAtOnce)]
	if len(round) > 0 {
		f.last = round[len(round)-1]
	}
	if len(f.found) > 0 && !slices.Contains(round, f.found[0].TenantStore) {
		round = append(round, f.found[0].TenantStore)
	}
	return round
}

// set() records the fault of a tenant. The empty name means that the tenant has no fault. set() returns the name of the
// fault that the tenant had before.
func (f *tenantFaults) set(of service.TenantStore, name string) (before string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := slices.IndexFunc(f.found, func(one tenantFault) bool { return one.TenantStore == of })
	if at >= 0 {
		before = f.found[at].name
	}
	switch {
	case at < 0 && name != "":
		f.found = append(f.found, tenantFault{of, name})
	case at >= 0 && name != "":
		f.found[at].name = name
	case at >= 0:
		f.found = slices.Delete(f.found, at, at+1)
	}
	return before
}

// checkTenants checks some of the tenants whose guidelines are in memory, except for the server's own tenant, and logs
// the faults that begin and end.
func (s *Server) checkTenants(ctx context.Context, own service.TenantStore) {
	all := slices.DeleteFunc(s.own.TenantStores(), func(t service.TenantStore) bool { return t == own })
	ctx, cancel := context.WithTimeout(ctx, roundTime)
	defer cancel()
	for _, one := range s.tenantFaults.due(all) {
		isKnown, err := one.Fault(ctx)
		if !isKnown {
			continue
		}
		fault := storefault.Of(err)
		switch before := s.tenantFaults.set(one, fault); fault {
		case before:
		case "":
			s.log.Info("the store works again for a tenant", "tenant", one.Tenant, "store", one.Store.Location())
		default:
			s.log.Error("something is wrong with a tenant's part of the store; its decisions wait in local files",
				"tenant", one.Tenant, "store", one.Store.Location(), "fault", fault, "error", err)
		}
	}
}
