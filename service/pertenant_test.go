package service

import (
	"errors"
	"strings"
	"testing"
)

func TestOnlyAFailingTenantIsTriedAgainAndMoreAndMoreSeldom(t *testing.T) {
	var p perTenant
	var log strings.Builder
	broken, fails := errors.New("the chain is damaged"), true
	tenants := []string{"a", "bad", "c"}
	turn := func() error {
		log.WriteString("|")
		return p.turn(tenants, func(tenant string) error {
			log.WriteString(tenant)
			if tenant == "bad" && fails {
				return broken
			}
			return nil
		})
	}
	for range 16 {
		if err := turn(); !errors.Is(err, broken) {
			t.Errorf("after %s: %v", &log, err)
		}
	}
	if got, want := log.String(), "|abadc|bad||bad||||bad||||||||bad"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if p.isDone(tenants) {
		t.Error("the work counts as done, although one tenant failed")
	}
	fails = false
	for turns := 0; turn() != nil; turns++ {
		if turns > longestWait {
			t.Fatal("the tenant that failed is not tried again")
		}
	}
	if !p.isDone(tenants) || p.isDone([]string{"a", "new"}) {
		t.Errorf("%+v", p)
	}
	log.Reset()
	if err := turn(); err != nil || log.String() != "|" {
		t.Errorf("%s, %v", &log, err)
	}
}

func TestAFailingTenantIsTriedAgainAtLeastOnceInAMinute(t *testing.T) {
	var p perTenant
	broken, last := errors.New("the chain is damaged"), 0
	for turn := range 1000 {
		_ = p.turn([]string{"bad"}, func(string) error {
			if turn-last > longestWait {
				t.Errorf("%d turns were between two attempts", turn-last)
			}
			last = turn
			return broken
		})
	}
	if 1000-last > longestWait {
		t.Errorf("the last attempt was in turn %d", last)
	}
}
