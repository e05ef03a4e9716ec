package service_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/service"
	"guardrails/service/fallback"
	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// guarded() opens the store as programs do. Programs may create a store, but they never replace a lost store, and they
// refuse changes that would hide a loss.
func (p *storedProject) guarded() *live.TenantStore {
	p.t.Helper()
	s, err := open.Open(p.t.Context(), &config.Config{}, open.Options{
		Env: p.env, Now: time.Now, Make: true, Seen: storefault.StoreSeen(p.env, time.Now),
	})
	check(p.t, err)
	p.t.Cleanup(func() { check(p.t, s.Close()) })
	storefault.GuardWrites(p.env, time.Now, &config.Config{}, s)
	return s.For(live.Caller{Actor: "ann"})
}

// copyOf copies the database as it is now, and returns a function that puts the copy in its place.
func (p *storedProject) copyOf() (restore func()) {
	p.t.Helper()
	for _, name := range []string{"guardrails.db", "guardrails.db-wal"} {
		text, err := os.ReadFile(filepath.Join(p.data, name))
		check(p.t, err)
		check(p.t, os.WriteFile(filepath.Join(p.data, "copy-"+name), text, 0o600))
	}
	return func() {
		p.t.Helper()
		check(p.t, os.Remove(filepath.Join(p.data, "guardrails.db-shm")))
		for _, name := range []string{"guardrails.db-wal", "guardrails.db"} {
			check(p.t, os.Rename(filepath.Join(p.data, "copy-"+name), filepath.Join(p.data, name)))
		}
	}
}

// losses() returns functions that damage a store in different ways. At first, the store has the guidelines "one" and
// "two". Afterwards, the store must not count as a newer state of the same store.
func losses() map[string]func(p *storedProject) {
	return map[string]func(p *storedProject){
		"another store with more changes": func(p *storedProject) {
			p.moveDatabaseAway()
			for i := range 4 {
				create(p.t, p.tenantStore(""), instruction(fmt.Sprint("other", i), "Another one."))
			}
		},
		"an older copy": func(p *storedProject) {
			restore := p.copyOf()
			create(p.t, p.tenantStore(""), instruction("three", "Three."))
			getContext(p.t, p.newService(false), service.Request{})
			restore()
		},
		"an older copy that was changed": func(p *storedProject) {
			restore := p.copyOf()
			create(p.t, p.tenantStore(""), instruction("three", "Three."))
			getContext(p.t, p.newService(false), service.Request{})
			restore()
			create(p.t, p.tenantStore(""), instruction("four", "Four."), instruction("five", "Five."))
		},
	}
}

// loseDecisions makes a store lose decisions, but no guidelines. A record outside of the store shows that these
// decisions existed.
func loseDecisions(p *storedProject) {
	log(p.t, p.tenantStore(""), "first")
	restore := p.copyOf()
	of := p.tenantStore("")
	log(p.t, of, "second")
	_, err := of.NoteHeads(p.t.Context())
	check(p.t, err)
	restore()
}

func log(t *testing.T, of *live.TenantStore, id string) {
	t.Helper()
	_, err := of.Append(t.Context(), store.Entry{ID: id, Kind: store.KindDecision, Event: "tool_call"})
	check(t, err)
}

func TestAnOlderOrAnotherStoreIsAnOutageUntilItIsAccepted(t *testing.T) {
	for name, lose := range losses() {
		t.Run(name, func(t *testing.T) {
			forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
				p := newUsersProject(t, "packs: []\n")
				create(t, p.tenantStore(""), instruction("one", "One."), instruction("two", "Two."))
				ask(p, service.Request{Hook: true})
				lose(p)
				// On a busy computer, the store is sometimes too slow to answer at first. This is an outage of another kind.
				var a *service.Answer
				eventually(t, time.Minute, func() bool {
					a = ask(p, service.Request{Hook: true})
					return a.Fallback != nil && strings.Contains(a.Fallback.Reason, "is a different one or an older copy")
				})
				if a.Source != fallback.SourceSnapshot || !strings.HasPrefix(ids(a), "one t") {
					t.Errorf("%s from %s", ids(a), a.Source)
				}
				contains(t, a.Fallback.Reason, "guardrails init")
				if err := p.newService(false).CheckStore(t.Context()); err == nil {
					t.Error("doctor finds nothing")
				}
				description, err := p.newService(false).AcceptStore(t.Context())
				check(t, err)
				contains(t, description, "it is accepted as it is")
				eventually(t, time.Minute, func() bool { return ask(p, service.Request{Hook: true}).Fallback == nil })
			})
		})
	}
}

func TestAStoreThatLacksDecisionsIsNamedUntilItIsAccepted(t *testing.T) {
	accept := map[string]func(p *storedProject) error{
		"by init": func(p *storedProject) error {
			description, err := p.newService(false).AcceptStore(t.Context())
			contains(t, description, "its audit lacks entry 2 of the decisions", "it is accepted as it is")
			return err
		},
		"by audit accept": func(p *storedProject) error {
			_, err := p.guarded().AcceptHeads(t.Context())
			return err
		},
	}
	for name, accept := range accept {
		t.Run(name, func(t *testing.T) {
			p := newUsersProject(t, "packs: []\n")
			create(t, p.tenantStore(""), instruction("one", "One."))
			loseDecisions(p)
			if a := getContext(t, p.newService(false), service.Request{Hook: true}); a.Fallback != nil || ids(a) != "one" {
				t.Errorf("the guidelines are complete, but the answer is %s %v", ids(a), a.Fallback)
			}
			if _, err := p.tenantStore("").NoteHeads(t.Context()); err == nil || !strings.Contains(err.Error(), "lacks entry 2") {
				t.Errorf("the loss was noted as if the store were complete: %v", err)
			}
			if err := p.newService(false).CheckStore(t.Context()); err == nil || !strings.Contains(err.Error(), "lacks entry 2") {
				t.Errorf("doctor finds %v", err)
			}
			check(t, accept(p))
			_, err := p.tenantStore("").NoteHeads(t.Context())
			check(t, err)
			check(t, p.newService(false).CheckStore(t.Context()))
		})
	}
}

func TestAStoreThatLacksChangesIsNotChangedUntilItIsAccepted(t *testing.T) {
	losses := losses()
	losses["a copy that lacks only decisions"] = loseDecisions
	for name, lose := range losses {
		t.Run(name, func(t *testing.T) {
			p := newUsersProject(t, "packs: []\n")
			create(t, p.tenantStore(""), instruction("one", "One."), instruction("two", "Two."))
			getContext(t, p.newService(false), service.Request{Hook: true})
			lose(p)
			changes := map[string]func(s *live.TenantStore) error{
				"create": func(s *live.TenantStore) error {
					_, err := s.Create(t.Context(), instruction("new", "New."))
					return err
				},
				"import": func(s *live.TenantStore) error {
					_, err := s.Import(t.Context(), []guideline.Guideline{instruction("new2", "New.")}, store.ImportOptions{})
					return err
				},
				"append": func(s *live.TenantStore) error {
					_, err := s.Append(t.Context(), store.Entry{ID: "d", Kind: store.KindDecision, Event: "tool_call"})
					return err
				},
				"prune": func(s *live.TenantStore) error {
					_, err := s.Prune(t.Context(), store.Retention{Keep: 1})
					return err
				},
			}
			for change, try := range changes {
				if err := try(p.guarded()); store.CodeOf(err) != store.ReadOnly || !strings.Contains(err.Error(), "guardrails init") {
					t.Errorf("%s: %v", change, err)
				}
			}
			_, err := p.newService(false).AcceptStore(t.Context())
			check(t, err)
			for change, try := range changes {
				if err := try(p.guarded()); err != nil {
					t.Errorf("%s after the store was accepted: %v", change, err)
				}
			}
		})
	}
}

func TestALostStoreIsNotMadeAnewUntilItIsAccepted(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	create(t, p.guarded(), instruction("one", "One."))
	getContext(t, p.newService(false), service.Request{})
	p.moveDatabaseAway()
	if _, err := p.guarded().Heads(t.Context()); !errors.Is(err, store.ErrMissing) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(p.data); !os.IsNotExist(err) {
		t.Error("the lost database was created again")
	}
	description, err := p.newService(false).AcceptStore(t.Context())
	check(t, err)
	contains(t, description, "does not exist any more, and hooks have seen 1 change to")
	_, err = p.guarded().Heads(context.Background())
	check(t, err)
}

// This case is harmless: the store is the newest one, and has more changes than this computer has seen.
func TestAStoreWithMoreChangesIsUsedAndChanged(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		create(t, p.guarded(), instruction("one", "One."))
		ask(p, service.Request{Hook: true})
		create(t, p.guarded(), instruction("two", "Two."), instruction("three", "Three."))
		eventually(t, time.Minute, func() bool {
			a := ask(p, service.Request{Hook: true})
			return a.Fallback == nil && ids(a) == "one three two"
		})
		create(t, p.guarded(), instruction("four", "Four."))
	})
}

// Someone restores an older copy and then loads a dump of the newer store into it. Nobody has to accept the store.
func TestAnOlderCopyIsUsedAgainWhenANewerDumpWasLoaded(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	create(t, p.tenantStore(""), instruction("one", "One."))
	log(t, p.tenantStore(""), "first")
	restore := p.copyOf()
	of := p.tenantStore("")
	create(t, of, instruction("two", "Two."), instruction("three", "Three."))
	log(t, of, "second")
	_, err := of.NoteHeads(t.Context())
	check(t, err)
	getContext(t, p.newService(false), service.Request{})
	var dump []store.Record
	for r, err := range of.Dump(t.Context()) {
		check(t, err)
		dump = append(dump, r)
	}
	restore()
	if p.newService(false).CheckStore(t.Context()) == nil {
		t.Fatal("the older copy is not noticed")
	}
	guarded := p.guarded()
	_, err = guarded.Load(t.Context(), func(yield func(store.Record, error) bool) {
		for _, r := range dump {
			if !yield(r, nil) {
				return
			}
		}
	})
	check(t, err)
	check(t, p.newService(false).CheckStore(t.Context()))
	if a := getContext(t, p.newService(false), service.Request{}); a.Fallback != nil || ids(a) != "one three two" {
		t.Errorf("%s, %+v", ids(a), a.Fallback)
	}
	create(t, guarded, instruction("four", "Four."))
	found, err := guarded.Verify(t.Context(), live.Verifying{})
	check(t, err)
	if !found.Intact() {
		t.Errorf("%+v", found.Verdicts)
	}
}
