// Package limit limits the connections, the streams of events and the long answers that callers hold at the same time.
// The package shares these resources fairly among the callers.
package limit

import (
	"sync"

	"guardrails/server/access"
)

// Gate has a limited number of places. It counts the places that each caller holds. A place stands for one connection,
// stream or answer. A Gate is safe for concurrent use.
type Gate struct {
	most, each int

	mu       sync.Mutex
	all      int
	byCaller map[access.Caller]int
	byTenant map[string]int
}

// New returns a gate. The parameter "most" is the number of places of the gate. The parameter "each" is the
// largest number of places that one caller can hold.
func New(most, each int) *Gate {
	return &Gate{most: most, each: each, byCaller: map[access.Caller]int{}, byTenant: map[string]int{}}
}

// Enter gives a caller one more place, and reports whether the limits allow this. If Enter returns true, a call of
// Leave must later give the place back. A tenant that holds N places gets another place only if at least N places are
// free. So the last free places are kept for tenants that hold few places. A tenant with many tokens cannot shut out
// the other tenants.
func (g *Gate) Enter(who access.Caller) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	free, held := g.most-g.all, g.byTenant[who.Tenant]
	if free == 0 || g.byCaller[who] == g.each || g.most > 1 && held > free {
		return false
	}
	g.all++
	g.byCaller[who]++
	g.byTenant[who.Tenant]++
	return true
}

// Leave gives back one place that a caller holds.
func (g *Gate) Leave(who access.Caller) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all--
	if g.byCaller[who]--; g.byCaller[who] == 0 {
		delete(g.byCaller, who)
	}
	if g.byTenant[who.Tenant]--; g.byTenant[who.Tenant] == 0 {
		delete(g.byTenant, who.Tenant)
	}
}
