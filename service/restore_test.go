package service_test

import (
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/service/screening"
	"guardrails/store"
)

// After a restart, a server still knows which events were sent, and which users received answers that promise too much.
func TestARestartedServerKnowsTheCooldowns(t *testing.T) {
	p := newStoredProject(t, map[string]string{
		config.File: "tenant: acme\npacks: []\n", ".claude/guardrails-policies.yaml": policies +
			"  - {name: pay, when: {message_contains: salary}, actions: [{type: fire_event, event: a.pay, cooldown: 30d}]}\n" +
			"  - {name: short, when: {message_contains: salary}, actions: [{type: fire_event, event: a.short, cooldown: 1m}]}\n",
	})
	b := p.tenantStore("acme")
	first := p.server()
	promise := screening.Response{Text: "I'll always be here for you.", Common: screening.Common{User: "u-1"}}
	for range 2 {
		_, err := first.CheckResponse(t.Context(), promise)
		check(t, err)
	}
	_, err := first.CheckResponse(t.Context(), screening.Response{Text: promise.Text, Common: screening.Common{SessionID: "s-1"}})
	check(t, err)
	_, err = first.CheckMessage(t.Context(), screening.Message{Text: "the salary", Common: screening.Common{User: "u-1"}})
	check(t, err)
	end := startUpkeep(t, first)
	eventually(t, time.Minute, func() bool { return len(decisionReasons(t, b)) == 4 })
	end()

	second := p.server()
	defer startUpkeep(t, second)()
	promise.DryRun = true
	recent := func(of screening.Common) int {
		in := promise
		in.User, in.SessionID = of.User, of.SessionID
		a, err := second.CheckResponse(t.Context(), in)
		check(t, err)
		return a.Dependence.RecentCount
	}
	// This count includes the response of the request itself, although the request is a dry run.
	eventually(t, time.Minute, func() bool { return recent(screening.Common{User: "u-1"}) == 3 })
	for _, c := range []struct {
		of   screening.Common
		want int
	}{{screening.Common{SessionID: "s-1"}, 2}, {screening.Common{User: "u-2"}, 1}} {
		if got := recent(c.of); got != c.want {
			t.Errorf("%+v: %d, want %d", c.of, got, c.want)
		}
	}
	for user, suppressed := range map[string]int{"u-1": 2, "u-2": 0} {
		a, err := second.CheckMessage(t.Context(), screening.Message{Text: "the salary", Common: screening.Common{User: user, DryRun: true}})
		check(t, err)
		if len(a.Policy.Suppressed) != suppressed {
			t.Errorf("%s: suppressed %v, fired %v", user, a.Policy.Suppressed, a.Policy.Events)
		}
	}
}

// A server usually reads the checks of the last seven days. This check is 20 days old, and its cooldown has not ended.
func TestARestartedServerReadsAsFarBackAsTheLongestCooldown(t *testing.T) {
	p := newStoredProject(t, map[string]string{
		config.File: "tenant: acme\npacks: []\n", ".claude/guardrails-policies.yaml": policies +
			"  - {name: pay, when: {message_contains: salary}, actions: [{type: fire_event, event: a.pay, cooldown: 30d}]}\n",
	})
	entry := store.Entry{
		ID: "chk_1", Kind: store.KindDecision, Event: "safety_input", Time: time.Now().AddDate(0, 0, -20), Actor: "agent",
		Decision: &store.Decision{Result: "proceed"}, Context: &guideline.Context{Metadata: map[string]any{
			"details": map[string]any{"fired": []map[string]string{{"rule": "pay", "event": "a.pay"}}},
		}},
	}
	_, err := p.tenantStore("acme").Append(t.Context(), entry)
	check(t, err)
	s := p.server()
	defer startUpkeep(t, s)()
	eventually(t, time.Minute, func() bool {
		a, err := s.CheckMessage(t.Context(), screening.Message{Text: "the salary", Common: screening.Common{DryRun: true}})
		check(t, err)
		return len(a.Policy.Suppressed) == 1
	})
}
