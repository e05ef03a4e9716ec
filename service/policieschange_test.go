package service_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/store"
	"guardrails/store/live"
)

// policyChanges returns the numbers of rules in the audit entries about changed policies, oldest first.
func policyChanges(t *testing.T, of *live.TenantStore) string {
	t.Helper()
	var out []string
	for e, err := range of.Entries(t.Context(), store.AuditFilter{Kind: store.KindChange, Event: store.PoliciesChanged}) {
		check(t, err)
		if len(e.Changes) != 3 || !strings.Contains(string(e.Changes[0].New), "guardrails-policies.yaml") || e.Actor != "guardrails" {
			t.Errorf("%+v", e)
		}
		out = append(out, string(e.Changes[2].Old)+"-"+string(e.Changes[2].New))
	}
	return strings.Join(out, " ")
}

func TestEachChangeOfThePoliciesInForceIsInTheAudit(t *testing.T) {
	const name = ".claude/guardrails-policies.yaml"
	const one = policies + "  - {name: a, actions: [{type: stop}]}\n"
	const two = one + "  - {name: b, actions: [{type: stop}]}\n"
	p := newStoredProject(t, map[string]string{config.File: "tenant: acme\npacks: []\n", name: one})
	of := p.tenantStore("acme")
	end := startUpkeep(t, p.server())
	has := func(want string) {
		t.Helper()
		eventually(t, time.Minute, func() bool { return policyChanges(t, of) == want })
	}
	has("0-1")
	p.write(name, two)
	has("0-1 1-2")
	p.write(name, one)
	has("0-1 1-2 2-1")
	end()

	check(t, os.Remove(p.path(name)))
	for range 2 { // two servers of one project
		defer startUpkeep(t, p.server())()
	}
	has("0-1 1-2 2-1 1-0")
	p.write(name, two)
	has("0-1 1-2 2-1 1-0 0-2")
}

func TestABrokenPolicyFileIsNoChangeOfThePoliciesInForce(t *testing.T) {
	const name = ".claude/guardrails-policies.yaml"
	const one = policies + "  - {name: a, actions: [{type: stop}]}\n"
	p := newStoredProject(t, map[string]string{config.File: "packs: []\n", name: one})
	of, s := p.tenantStore(""), p.server()
	for i, text := range []string{one, "version: 1\nrules: [{}]\n", one, one + "  - {name: b, actions: [{type: stop}]}\n"} {
		p.write(name, text)
		p.checked(s, "hello")
		check(t, s.RecordPolicies(t.Context()))
		if got, want := policyChanges(t, of), []string{"0-1", "0-1", "0-1", "0-1 1-2"}[i]; got != want {
			t.Errorf("after text %d: got %q, want %q", i, got, want)
		}
	}
}
