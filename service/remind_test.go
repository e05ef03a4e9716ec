package service_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/service"
	"guardrails/service/screening"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

const salaryPolicy = policies +
	"  - {name: pay, when: {message_contains: salary}, actions: [{type: fire_event, event: a.pay, cooldown: 30d}]}\n"

// Without a server, each request has a process of its own.
func TestWithoutAServerTheCooldownsOfEarlierProcessesCount(t *testing.T) {
	promise := screening.Response{Text: "I'll always be here for you."}
	for _, c := range []struct {
		name       string
		of         screening.Common
		who, other string
	}{
		{name: "a user", of: screening.Common{User: "u-1"}},
		{name: "a session", of: screening.Common{SessionID: "s-1"}},
	} {
		for _, place := range []string{"the spool, without a store", "the spool", "the audit"} {
			t.Run(c.name+", records in "+place, func(t *testing.T) {
				p := newStoredProject(t, map[string]string{
					config.File: "packs: []\n", ".claude/guardrails-policies.yaml": salaryPolicy,
				})
				if place != "the spool, without a store" {
					p.tenantStore("")
				}
				next := func() *service.Service {
					if place == "the audit" {
						_, err := p.newService(false).TakeIn(t.Context())
						check(t, err)
						check(t, os.RemoveAll(filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", "spool")))
					}
					return p.newService(false)
				}
				in := promise
				in.Common = c.of
				for i := 1; i <= 3; i++ {
					a, err := next().CheckResponse(t.Context(), in)
					check(t, err)
					if a.Dependence.RecentCount != i || a.Dependence.Active != (i == 3) {
						t.Errorf("answer %d: %+v", i, a.Dependence)
					}
				}
				for i, want := range []string{"fired", "suppressed", "suppressed"} {
					a, err := next().CheckMessage(t.Context(), screening.Message{Text: "the salary", Common: c.of})
					check(t, err)
					got := map[bool]string{true: "fired", false: "suppressed"}[len(a.Policy.Events) == 1]
					if got != want || len(a.Policy.Events)+len(a.Policy.Suppressed) != 1 {
						t.Errorf("message %d: %+v", i+1, a.Policy)
					}
				}
				in.User, in.SessionID = in.User+"other", in.SessionID+"other"
				a, err := next().CheckResponse(t.Context(), in)
				check(t, err)
				if a.Dependence.RecentCount != 1 {
					t.Errorf("another person: %+v", a.Dependence)
				}
			})
		}
	}
}

func TestWithoutAServerTheNextPromptSaysThatAnswersPromisedTooMuch(t *testing.T) {
	p := newProject(t, nil)
	p.user("safety: {mode: enforce}\n")
	for range 3 {
		if a := p.reply(p.service(), "hello", "I'll always be here for you."); strings.Contains(a.Note, "promised") {
			t.Fatalf("too early: %q", a.Note)
		}
	}
	r := service.Request{Prompt: "hello", Hook: true, MainThread: true}
	r.SessionID = "s-1"
	contains(t, p.ask(r).Note, "In your last answers, you promised always to be there")
	r.SessionID = "s-2"
	lacks(t, p.ask(r).Note, "promised")
}

// A process can check the answers of several people.
func TestReadingTheChecksOfOnePersonDoesNotCountTheChecksOfAnotherPersonTwice(t *testing.T) {
	p := newProject(t, map[string]string{config.File: "packs: []\n"})
	s := p.service()
	for i, c := range []struct {
		user string
		want int
	}{{"ann", 1}, {"bob", 1}, {"ann", 2}} {
		a, err := s.CheckResponse(t.Context(), screening.Response{
			Text: "I'll always be here for you.", Common: screening.Common{User: c.user},
		})
		check(t, err)
		if a.Dependence.RecentCount != c.want {
			t.Errorf("answer %d: %d trips of %s, want %d", i+1, a.Dependence.RecentCount, c.user, c.want)
		}
	}
}

// queried records the queries of the audit.
type queried struct {
	store.Store
	queries []store.AuditQuery
}

func (q *queried) Query(ctx context.Context, tenant string, query store.AuditQuery) (store.Page[store.Entry], error) {
	q.queries = append(q.queries, query)
	return q.Store.Query(ctx, tenant, query)
}

func TestBeforeAPromptOnlyTheAnswersOfTheLastHourAreRead(t *testing.T) {
	p := newStoredProject(t, map[string]string{".claude/guardrails-policies.yaml": salaryPolicy})
	p.user("safety: {mode: enforce}\n")
	p.tenantStore("")
	opened, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(p.data, "guardrails.db")})
	check(t, err)
	seen := &queried{Store: opened}
	s := service.New(service.Options{
		Env: p.env, Now: func() time.Time { return p.now }, Dir: p.root,
		Open: func(context.Context, *config.Config) (*live.Store, error) {
			return live.New(live.Options{Open: live.Opened(seen), Location: "recorded", Now: time.Now}), nil
		},
	})
	defer func() { check(t, s.Close()) }()
	p.promptOf(s, "hello")
	if len(seen.queries) != 1 || seen.queries[0].Event != "safety_output" || !seen.queries[0].From.Equal(p.now.Add(-time.Hour)) {
		t.Errorf("%+v", seen.queries)
	}
}
