package service_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/changemark"
	"guardrails/internal/private"
	"guardrails/internal/spool"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
)

// startUpkeep runs Upkeep in the background. end() stops Upkeep and waits until Upkeep has returned.
func startUpkeep(t *testing.T, s *service.Service) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Upkeep(ctx, func(problem string, err error) { t.Errorf("%s: %v", problem, err) })
	}()
	return func() { cancel(); <-done }
}

func (p *storedProject) spool(records ...string) {
	p.t.Helper()
	for _, r := range records {
		check(p.t, spool.Append(p.vars["XDG_STATE_HOME"]+"/guardrails", time.Now(),
			[]byte(strings.ReplaceAll(r, "ROOT", p.root))))
	}
}

func decisionReasons(t *testing.T, b *live.TenantStore) (reasons []string) {
	t.Helper()
	for e, err := range b.Entries(t.Context(), store.AuditFilter{}) {
		check(t, err)
		if e.Kind == store.KindDecision {
			reasons = append(reasons, e.Decision.Reason)
		}
	}
	return reasons
}

const denied = `{"time":"2026-02-05T09:00:00Z","kind":"decision","outcome":"deny","session_id":"s1","project":"ROOT","reason":"pushes"}`

func TestAServerAddsHookRecordsAndLoggedDecisionsToTheAudit(t *testing.T) {
	p := newStoredProject(t, map[string]string{
		config.File:                 "tenant: acme\npacks: []\n",
		".claude/guardrails/a.yaml": rule("g", "action: {type: instruction}"),
	})
	b := p.tenantStore("acme")
	s := p.server()
	end := startUpkeep(t, s)
	p.spool(denied)
	eventually(t, 5*time.Second, func() bool { return len(decisionReasons(t, b)) == 1 })
	logged, err := s.LogDecision(t.Context(),
		service.Decision{
			GuidelineID: "g", Result: "approved", Reason: "reported",
			Context: guideline.Context{SessionID: "s1"},
		})
	check(t, err)
	end() // acknowledged decisions are in the audit by now
	page, err := b.Audit(t.Context(), store.AuditQuery{})
	check(t, err)
	if page.Total != 2 || page.Items[0].ID != logged.AuditID || page.Items[0].Decision.Result != "approved" ||
		page.Items[0].Event != "gate" {
		t.Errorf("%+v", page.Items)
	}
}

func TestSessionsAreNotifiedOfChangedFiles(t *testing.T) {
	p := newStoredProject(t, map[string]string{
		config.File:                 "packs: []\n",
		".claude/guardrails/a.yaml": rule("a", "action: {type: instruction}"),
	})
	s := p.server()
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { s.Watch(ctx) })
	defer watching.Wait()
	defer cancel()
	notified := func() time.Time {
		dir, err := private.Runtime(func(name string) string { return p.vars[name] })
		check(t, err)
		at, _ := dir.Seen(changemark.Name)
		return at
	}
	// The two ids have different lengths, so the size of the file changes. The file's time could stay the same, because
	// both writes can happen within one tick of the file system's clock.
	for _, id := range []string{"bb", "ccc"} {
		getContext(t, s, service.Request{Hook: true})
		before := notified()
		p.write(".claude/guardrails/a.yaml", rule(id, "action: {type: instruction}"))
		getContext(t, s, service.Request{Hook: true}) // another session sees the change at once
		eventually(t, 5*time.Second, func() bool { return notified().After(before) })
		if got := ids(getContext(t, s, service.Request{Hook: true})); got != id {
			t.Errorf("got %s, want %s", got, id)
		}
	}
}

func TestACommandAddsTheSpoolToTheAuditOnce(t *testing.T) {
	p := newUsersProject(t, "tenant: acme\n")
	b := p.tenantStore("acme")
	p.spool(denied, denied)
	waiting, err := p.newService(false).Backlog()
	if err != nil || waiting.Lines != 2 {
		t.Errorf("%+v %v", waiting, err)
	}
	for range 2 {
		_, err := p.newService(false).TakeIn(t.Context())
		check(t, err)
	}
	if got := decisionReasons(t, b); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if waiting, err := p.newService(false).Backlog(); err != nil || waiting.Lines != 0 {
		t.Errorf("%+v %v", waiting, err)
	}
}

func TestADecisionDuringAnOutageIsAddedToTheAuditOnce(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	b := p.tenantStore("")
	create(t, b, instruction("one", "One."))
	getContext(t, p.newService(false), service.Request{Hook: true})
	putBack := p.moveDatabaseAway()
	logged, err := p.newService(false).LogDecision(t.Context(),
		service.Decision{GuidelineID: "one", Result: "rejected", Reason: "no"})
	check(t, err)
	if _, err := p.newService(false).TakeIn(t.Context()); err != nil && store.CodeOf(err) != store.Unavailable {
		t.Errorf("%v", err)
	}
	putBack()
	for range 2 {
		_, err = p.newService(false).TakeIn(t.Context())
		check(t, err)
	}
	entries, err := p.tenantStore("").Audit(t.Context(), store.AuditQuery{AuditFilter: store.AuditFilter{Event: "gate"}})
	check(t, err)
	if entries.Total != 1 || entries.Items[0].ID != logged.AuditID || entries.Items[0].Guideline != "one" ||
		entries.Items[0].Version != 1 {
		t.Errorf("%+v", entries.Items)
	}
}

func TestRecordsAreGivenUpOnlyIfThereWasNeverAStore(t *testing.T) {
	for name, settings := range map[string]string{
		"the default store": "packs: []\n", "a named store": "packs: []\nstore: sqlite:DATA/guardrails.db\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := newUsersProject(t, "")
			p.user(strings.ReplaceAll(settings, "DATA", p.data))
			create(t, p.tenantStore(""), instruction("one", "One."))
			getContext(t, p.newService(false), service.Request{Hook: true})
			p.spool(denied, denied)
			putBack := p.moveDatabaseAway()
			if p.newService(false).GivesUpRecords(t.Context(), p.root) {
				t.Error("the records of a store that is away can be removed")
			}
			putBack()
			_, err := p.newService(false).TakeIn(t.Context())
			check(t, err)
			if got := decisionReasons(t, p.tenantStore("")); len(got) != 2 {
				t.Errorf("%q", got)
			}
		})
	}
	p := newUsersProject(t, "packs: []\n")
	if !p.newService(false).GivesUpRecords(t.Context(), p.root) {
		t.Error("a project that never had a store keeps its records for ever")
	}
}

func TestRecordsAreNotGivenUpIfItIsNotKnownWhetherThereWasAStore(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	create(t, p.tenantStore(""), instruction("one", "One."))
	getContext(t, p.newService(false), service.Request{Hook: true})
	p.moveDatabaseAway()
	seen, err := filepath.Glob(filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", "seen", "*"))
	check(t, err)
	for _, file := range seen { // a folder cannot be read as a file
		check(t, os.Remove(file))
		check(t, os.Mkdir(file, 0o700))
	}
	if len(seen) == 0 || p.newService(false).GivesUpRecords(t.Context(), p.root) {
		t.Errorf("the records can be removed; files about the store: %d", len(seen))
	}
}

func TestOldDecisionsAreRemovedAndChangesAreKept(t *testing.T) {
	p := newUsersProject(t, "audit: {keep_days: 30}\npacks: []\n")
	b := p.tenantStore("")
	create(t, b, instruction("one", "One."))
	for _, days := range []int{60, 25, 18, 11, 1} {
		_, err := b.Append(t.Context(), store.Entry{
			ID: fmt.Sprint("d", days), Kind: store.KindDecision, Event: "decision", Time: time.Now().AddDate(0, 0, -days),
			Decision: &store.Decision{Result: "deny", Reason: fmt.Sprint(days, " days ago")},
		})
		check(t, err)
	}
	end := startUpkeep(t, p.server())
	defer end()
	eventually(t, 5*time.Second, func() bool {
		return strings.Join(decisionReasons(t, b), ", ") == "25 days ago, 18 days ago, 11 days ago, 1 days ago"
	})
	page, err := b.Audit(t.Context(), store.AuditQuery{})
	check(t, err)
	var events []string
	for _, e := range page.Items {
		events = append(events, e.Event+" by "+e.Actor)
	}
	if got := strings.Join(events, ", "); !strings.Contains(got, "guideline_created by ann") ||
		!strings.Contains(got, "audit_pruned by guardrails") {
		t.Errorf("%s", got)
	}
}

func TestOldDecisionsOfAllTenantsAreRemoved(t *testing.T) {
	p := newUsersProject(t, "audit: {keep_days: 30}\npacks: []\n")
	tenants := map[string]bool{"": true, "with-a-token": true, "asked": true, "unknown": false}
	recent := []int{25, 18, 11, 1} // without recent decisions, the server would not trust the clock
	for tenant := range tenants {
		b := p.tenantStore(tenant)
		for _, days := range append([]int{60}, recent...) {
			_, err := b.Append(t.Context(), store.Entry{
				ID: fmt.Sprint("d", days), Kind: store.KindDecision, Event: "decision", Time: time.Now().AddDate(0, 0, -days),
				Decision: &store.Decision{Result: "deny", Reason: fmt.Sprint(days, " days ago")},
			})
			check(t, err)
		}
	}
	s := service.New(service.Options{
		Env: p.env, Now: time.Now, Dir: p.root, Memory: true, Open: p.opener(false),
		Tenants: func() []string { return []string{"with-a-token"} },
	})
	t.Cleanup(func() { check(t, s.Close()) })
	from, _, err := s.Store(t.Context(), "")
	check(t, err)
	_, err = from.Snapshot(t.Context(), "asked")
	check(t, err)
	end := startUpkeep(t, s)
	defer end()
	for tenant, removed := range tenants {
		if removed {
			eventually(t, time.Minute, func() bool { return len(decisionReasons(t, p.tenantStore(tenant))) == len(recent) })
		}
	}
}

// Without a server, hooks run the program guardrails for their requests. This program empties the spool from time to
// time.
func TestQuestionsOfHooksEmptyTheSpoolEveryTenMinutes(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "packs: []\n"})
	b := p.tenantStore("")
	later := time.Duration(0)
	s := service.New(service.Options{
		Env: p.env, Now: func() time.Time { return time.Now().Add(later) }, Dir: p.root, Open: p.opener(false),
	})
	for _, c := range []struct {
		later time.Duration
		want  int
	}{{0, 1}, {time.Minute, 1}, {11 * time.Minute, 3}} {
		p.spool(denied)
		later = c.later
		check(t, s.Relieve(t.Context()))
		if got := len(decisionReasons(t, b)); got != c.want {
			t.Errorf("after %v the audit has %d decisions, want %d", c.later, got, c.want)
		}
	}
	check(t, s.Close())
}

func TestWithoutAStoreTheSpoolStays(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "packs: []\n"})
	p.spool(denied)
	s := service.New(service.Options{Env: p.env, Now: time.Now, Dir: p.root, Open: p.opener(false)})
	check(t, s.Relieve(t.Context()))
	if waiting, err := s.Backlog(); err != nil || waiting.Lines != 1 {
		t.Errorf("%+v, %v", waiting, err)
	}
}

// Another server on another computer, with the same store, must have a decision that this server has acknowledged.
func TestAnAcknowledgedDecisionIsInTheAuditOfOtherServers(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	other := p.tenantStore("")
	create(t, other, instruction("one", "One."))
	s := p.server()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				logged, err := s.LogDecision(t.Context(), service.Decision{GuidelineID: "one", Result: "approved", Reason: "r"})
				if err != nil {
					t.Error(err)
					return
				}
				page, err := other.Audit(t.Context(), store.AuditQuery{
					AuditFilter: store.AuditFilter{Kind: store.KindDecision}, Paging: store.Paging{Page: 1, Size: 100},
				})
				if err != nil || !slices.ContainsFunc(page.Items, func(e store.Entry) bool { return e.ID == logged.AuditID }) {
					t.Errorf("%s is not among %d entries: %v", logged.AuditID, len(page.Items), err)
				}
			}
		})
	}
	all.Wait()
}

func TestADecisionIsAcknowledgedWhileTheStoreIsBusy(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	create(t, p.tenantStore(""), instruction("one", "One."))
	s := p.server()
	getContext(t, s, service.Request{})
	unlock := p.lockDatabase()
	defer unlock()
	began := time.Now()
	_, err := s.LogDecision(t.Context(), service.Decision{GuidelineID: "one", Result: "approved", Reason: "r"})
	if took := time.Since(began); err != nil || took > 5*time.Second {
		t.Errorf("after %s: %v", took, err)
	}
}

// lockDatabase locks the database, as another process does while it writes, until unlock is called.
func (p *storedProject) lockDatabase() (unlock func()) {
	p.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(p.data, "guardrails.db"))
	check(p.t, err)
	conn, err := db.Conn(p.t.Context())
	check(p.t, err)
	_, err = conn.ExecContext(p.t.Context(), "BEGIN IMMEDIATE")
	check(p.t, err)
	return func() { check(p.t, errors.Join(conn.Close(), db.Close())) }
}
