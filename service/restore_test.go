package service_test

import (
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/service"
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
	var sent []store.Entry
	for e, err := range b.Entries(t.Context(), store.AuditFilter{Kind: store.KindDecision}) {
		check(t, err)
		e.ID = store.SentID + e.ID // as if another computer had sent it
		sent = append(sent, e)
	}
	_, err = b.Append(t.Context(), sent...)
	check(t, err)

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

func TestATripIsCountedOnceAlthoughItIsReadAgain(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "packs: []\n"})
	p.tenantStore("")
	first, second := p.server(), p.server()
	promise := screening.Response{Text: "I'll always be here for you.", Common: screening.Common{User: "u-1"}}
	_, err := first.CheckResponse(t.Context(), promise)
	check(t, err)
	_, err = first.TakeIn(t.Context())
	check(t, err)
	for range 3 {
		check(t, second.Restore(t.Context(), second.Now()))
	}
	promise.DryRun = true
	a, err := second.CheckResponse(t.Context(), promise)
	check(t, err)
	if got := a.Dependence.RecentCount; got != 2 { // with the response of the dry run
		t.Errorf("got %d trips, want 2", got)
	}
}

// A server usually reads the checks of the last seven days. This check is 20 days old, and its cooldown has not ended.
func TestARestartedServerReadsAsFarBackAsTheLongestCooldown(t *testing.T) {
	p := newStoredProject(t, map[string]string{
		config.File: "tenant: acme\npacks: []\n", ".claude/guardrails-policies.yaml": policies +
			"  - {name: pay, when: {message_contains: salary}, actions: [{type: fire_event, event: a.pay, cooldown: 30d}]}\n",
	})
	entry := store.Entry{
		ID: "chk_1", Kind: store.KindDecision, Event: "safety_input", Time: time.Now().AddDate(0, 0, -20), Actor: "agent", Session: "s-1",
		Decision: &store.Decision{Result: "proceed"}, Context: &guideline.Context{Metadata: map[string]any{
			"details": map[string]any{"fired": []map[string]string{{"rule": "pay", "event": "a.pay"}}},
		}},
	}
	_, err := p.tenantStore("acme").Append(t.Context(), entry)
	check(t, err)
	s := p.server()
	defer startUpkeep(t, s)()
	eventually(t, time.Minute, func() bool {
		a, err := s.CheckMessage(t.Context(), screening.Message{
			Text:   "the salary",
			Common: screening.Common{SessionID: "s-1", DryRun: true},
		})
		check(t, err)
		return len(a.Policy.Suppressed) == 1
	})
}

func TestOnlySomeTurnsReadTheSettings(t *testing.T) {
	for name, stored := range map[string]bool{"with a store": true, "without a store": false} {
		t.Run(name, func(t *testing.T) {
			p := newStoredProject(t, map[string]string{config.File: "packs: []\n"})
			if stored {
				p.tenantStore("")
			}
			reads := 0
			s := service.New(service.Options{
				Env: p.env, Now: time.Now, Dir: p.root, Memory: true, Open: p.opener(false),
				Places: func(root string) config.Places { reads++; return config.PlacesOf(root, p.env) },
			})
			t.Cleanup(func() { check(t, s.Close()) })
			restore := s.Restoring(time.Now())
			check(t, restore(t.Context(), true))
			first := reads
			for range 5 {
				check(t, restore(t.Context(), true))
			}
			if first == 0 || reads != first {
				t.Errorf("the first turn read the settings %d times, and the next five turns %d times", first, reads-first)
			}
		})
	}
}

// Some records stay in the spool, for example because the store refuses the records of another tenant.
func TestCooldownsAreKnownBeforeTheSpoolIsEmptyAndCompleteAfterwards(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "packs: []\n"})
	p.tenantStore("")
	first, second := p.server(), p.server()
	promise := screening.Response{Text: "I'll always be here for you.", Common: screening.Common{User: "u-1"}}
	restore := second.Restoring(second.Now().Add(time.Hour))
	dry := promise
	dry.DryRun = true
	for i, turn := range []struct {
		settled bool
		answers int // the number of answers that are recorded before this turn
		trips   int // the number of trips that are known after this turn, including the answer of the dry run
	}{{false, 1, 2}, {false, 1, 2}, {true, 1, 4}, {true, 0, 4}} {
		for range turn.answers {
			_, err := first.CheckResponse(t.Context(), promise)
			check(t, err)
		}
		_, err := first.TakeIn(t.Context())
		check(t, err)
		check(t, restore(t.Context(), turn.settled))
		a, err := second.CheckResponse(t.Context(), dry)
		check(t, err)
		if got := a.Dependence.RecentCount; got != turn.trips {
			t.Errorf("turn %d: got %d trips, want %d", i, got, turn.trips)
		}
	}
}
