package server_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"guardrails/server"
	"guardrails/service"
	"guardrails/store/live"
)

func TestARoundChecksFewTenantsAndEachTenantGetsItsTurn(t *testing.T) {
	in := live.New(live.Options{Location: "here", Now: time.Now})
	t.Cleanup(func() { check(t, in.Close()) })
	var all []service.TenantStore
	for i := range 50 {
		all = append(all, service.TenantStore{Store: in, Tenant: fmt.Sprintf("t%02d", i)})
	}
	times := map[service.TenantStore]int{}
	for i, round := range server.Rounds(all, 30, 6) {
		if len(round) > 21 || !slices.Contains(round, all[30]) {
			t.Errorf("round %d checks %d tenants: %v", i, len(round), round)
		}
		for _, one := range round {
			times[one]++
		}
	}
	for _, one := range all {
		if times[one] < 2 {
			t.Errorf("%s is checked %d times in 6 rounds", one.Tenant, times[one])
		}
	}
	if few := server.Rounds(all[:3], 1, 1)[0]; len(few) != 3 {
		t.Errorf("got %v", few)
	}
}
