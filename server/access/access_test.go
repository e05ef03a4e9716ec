package access_test

import (
	"context"
	"testing"

	"guardrails/server/access"
)

func TestEachRoleIncludesTheOnesBeforeIt(t *testing.T) {
	roles := []access.Role{access.Nobody, access.Read, access.Decide, access.Write, access.Admin}
	for i, has := range roles {
		for j, needed := range roles {
			if got := (access.Caller{Role: has}).May(needed); got != (i >= j) {
				t.Errorf("%v may %v: %v", has, needed, got)
			}
		}
	}
}

func TestParseRoleAcceptsOnlyNamesOfRoles(t *testing.T) {
	for _, name := range access.RoleNames() {
		if r, err := access.ParseRole(name); err != nil || r.String() != name {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	for _, name := range []string{"", "nobody", "Admin", "root"} {
		if r, err := access.ParseRole(name); err == nil || r != access.Nobody {
			t.Errorf("%q was accepted as %v", name, r)
		}
	}
}

func TestAContextWithoutACallerHasNoRole(t *testing.T) {
	if c := access.From(context.Background()); c.May(access.Read) {
		t.Errorf("%+v", c)
	}
	want := access.Caller{Name: "n", Tenant: "t", Role: access.Write}
	if c := access.From(access.With(context.Background(), want)); c != want {
		t.Errorf("%+v", c)
	}
}
