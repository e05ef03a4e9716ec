package rest

import (
	"sync"

	"guardrails/server/access"
)

// gate limits how many requests are handled at the same time, in total and for each caller.
type gate struct {
	most, each int

	mu     sync.Mutex
	all    int
	inside map[access.Caller]int
}

func newGate(most, each int) *gate {
	return &gate{most: most, each: each, inside: map[access.Caller]int{}}
}

// enter reports whether a request of a caller may begin. If it returns true, the caller of enter must call leave() at the end
// of the request.
func (g *gate) enter(who access.Caller) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all == g.most || g.inside[who] == g.each {
		return false
	}
	g.all++
	g.inside[who]++
	return true
}

func (g *gate) leave(who access.Caller) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all--
	if g.inside[who]--; g.inside[who] == 0 {
		delete(g.inside, who)
	}
}
