package service

import (
	"errors"
	"maps"
	"slices"
)

// longestWait is the largest number of turns between two attempts for a tenant.
const longestWait = 64

// perTenant does a task once for each tenant. If the task fails for a tenant, it is repeated for this tenant only. The
// wait gets longer with each attempt. The zero value is ready to use.
type perTenant struct {
	done   map[string]bool
	failed map[string]failedTenant
}

type failedTenant struct {
	err error
	// The field "wait" is the number of turns between two attempts. The field "left" is the number of turns until
	// the next attempt.
	wait, left int
}

// turn() calls the function do() for each tenant whose next attempt is due. It returns the errors of all tenants whose
// last attempt failed.
func (p *perTenant) turn(tenants []string, do func(tenant string) error) error {
	if p.done == nil {
		p.done, p.failed = map[string]bool{}, map[string]failedTenant{}
	}
	for _, tenant := range tenants {
		last := p.failed[tenant]
		if last.left--; p.done[tenant] {
			continue
		}
		if last.left > 0 {
			p.failed[tenant] = last
			continue
		}
		if err := do(tenant); err != nil {
			wait := min(max(1, 2*last.wait), longestWait)
			p.failed[tenant] = failedTenant{err, wait, wait}
			continue
		}
		p.done[tenant] = true
		delete(p.failed, tenant)
	}
	var problems []error
	for _, tenant := range slices.Sorted(maps.Keys(p.failed)) {
		problems = append(problems, p.failed[tenant].err)
	}
	return errors.Join(problems...)
}

// isDone reports whether everything is done for all of the tenants.
func (p *perTenant) isDone(tenants []string) bool {
	return !slices.ContainsFunc(tenants, func(tenant string) bool { return !p.done[tenant] })
}
