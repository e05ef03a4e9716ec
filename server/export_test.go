package server

import "guardrails/service"

// Rounds returns the tenants that a server checks in the given number of rounds, if one of them has a fault.
func Rounds(all []service.TenantStore, faulty, rounds int) (out [][]service.TenantStore) {
	var f tenantFaults
	f.set(all[faulty], "older")
	for range rounds {
		out = append(out, f.due(append([]service.TenantStore{}, all...)))
	}
	return out
}

// SetFaults sets the server's own fault and the fault of another tenant.
func (s *Server) SetFaults(own, other string) {
	s.fault.Store(&own)
	s.tenantFaults.set(service.TenantStore{Tenant: "other"}, other)
}
