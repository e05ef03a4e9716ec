package limit_test

import (
	"fmt"
	"testing"

	"guardrails/server/access"
	"guardrails/server/limit"
)

// take() calls Enter for a caller until it fails, and returns the number of places that the caller got.
func take(g *limit.Gate, who access.Caller) int {
	n := 0
	for g.Enter(who) {
		n++
	}
	return n
}

func TestACallerGetsNoMoreThanItsLimit(t *testing.T) {
	g := limit.New(64, 8)
	if got := take(g, access.Caller{Name: "a"}); got != 8 {
		t.Errorf("got %d", got)
	}
}

func TestManyTokensOfATenantLeaveRoomForOtherTenants(t *testing.T) {
	g := limit.New(64, 8)
	greedy := 0
	for i := range 20 {
		greedy += take(g, access.Caller{Name: fmt.Sprint("token", i), Tenant: "greedy"})
	}
	if greedy != 33 {
		t.Errorf("one tenant got %d of 64", greedy)
	}
	for i := range 4 {
		if got := take(g, access.Caller{Name: "one", Tenant: fmt.Sprint("tenant", i)}); got == 0 {
			t.Errorf("tenant %d got none", i)
		}
	}
}

func TestWhatACallerReturnsIsFree(t *testing.T) {
	g := limit.New(1, 1)
	a, b := access.Caller{Name: "a"}, access.Caller{Name: "b"}
	if !g.Enter(a) || g.Enter(a) || g.Enter(b) {
		t.Error("the limit does not hold")
	}
	g.Leave(a)
	if !g.Enter(b) {
		t.Error("what was returned is not free")
	}
}
