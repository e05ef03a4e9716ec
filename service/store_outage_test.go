package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/service"
	"guardrails/service/fallback"
)

func (p *storedProject) moveDatabaseAway() (putBack func()) {
	p.t.Helper()
	check(p.t, os.Rename(p.data, p.data+".away"))
	return func() { check(p.t, os.Rename(p.data+".away", p.data)) }
}

func TestAMissingDatabaseIsAnOutageUntilItIsBack(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		create(t, p.tenantStore(""), instruction("one", "One."))
		hook := service.Request{Hook: true}
		if a := ask(p, hook); a.Source != service.SourceStore || ids(a) != "one" {
			t.Fatalf("%s %s", a.Source, ids(a))
		}
		putBack := p.moveDatabaseAway()
		var a *service.Answer
		eventually(t, time.Minute, func() bool { a = ask(p, hook); return a.Fallback != nil })
		if a.Source != fallback.SourceSnapshot || ids(a) != "one" || a.Fallback.Mode != config.AskUser {
			t.Errorf("%s %s %+v", a.Source, ids(a), a.Fallback)
		}
		contains(t, a.Fallback.Reason, "guardrails.db", "guardrails init")
		contains(t, strings.Join(a.Notices, "\n"), "the last known good guidelines apply (1, read at 20")
		chosen := hook
		chosen.Choice = fallback.ChoiceOpen
		if a := ask(p, chosen); a.Source != fallback.SourceOpen || ids(a) != "" {
			t.Errorf("after choosing no guidelines: %s %s", a.Source, ids(a))
		}
		putBack()
		eventually(t, time.Minute, func() bool { a = ask(p, hook); return a.Fallback == nil })
		if a.Source != service.SourceStore || ids(a) != "one" {
			t.Errorf("%s %s", a.Source, ids(a))
		}
		if o, err := p.newService(false).Outage(p.root); o != nil || err != nil {
			t.Errorf("%+v %v", o, err)
		}
	})
}

func TestAServiceStartedDuringAnOutageUsesTheLastKnownGuidelines(t *testing.T) {
	for name, settings := range map[string]string{
		"the default store":  "packs: []\n",
		"a configured store": "packs: []\nstore: sqlite:DATA/guardrails.db\n",
	} {
		t.Run(name, func(t *testing.T) {
			forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
				p := newStoredProject(t, nil)
				p.user(strings.ReplaceAll(settings, "DATA", p.data))
				create(t, p.tenantStore(""), instruction("one", "One."))
				getContext(t, p.newService(false), service.Request{Hook: true})
				putBack := p.moveDatabaseAway()
				a := ask(p, service.Request{Hook: true})
				if a.Fallback == nil || a.Source != fallback.SourceSnapshot || ids(a) != "one" {
					t.Fatalf("%+v %s %s", a.Fallback, a.Source, ids(a))
				}
				contains(t, a.Fallback.Reason, p.data)
				putBack()
				eventually(t, time.Minute, func() bool { return ask(p, service.Request{Hook: true}).Fallback == nil })
			})
		})
	}
}

// The user sees one notice per outage, even if the store fails with several different errors. Notices are compared by
// their text, so the reason must stay the same.
func TestAnOutageKeepsItsFirstReason(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		create(t, p.tenantStore(""), instruction("one", "One."))
		hook := service.Request{Hook: true, Context: guideline.Context{SessionID: "s"}}
		ask(p, hook)
		p.moveDatabaseAway()
		var first *service.Answer
		eventually(t, time.Minute, func() bool { first = ask(p, hook); return first.Fallback != nil })
		check(t, os.MkdirAll(p.data, 0o700))
		check(t, os.WriteFile(filepath.Join(p.data, "guardrails.db"),
			[]byte("this is no database at all, and longer than a header of one hundred bytes, which every database of this kind begins with"), 0o600))
		for end := time.Now().Add(1500 * time.Millisecond); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			if a := ask(p, hook); a.Fallback == nil || a.Fallback.Reason != first.Fallback.Reason ||
				strings.Join(a.Notices, "") != strings.Join(first.Notices, "") {
				t.Fatalf("%+v %q, want %+v %q", a.Fallback, a.Notices, first.Fallback, first.Notices)
			}
		}
	})
}

func TestAConfiguredStoreThatNeverExistedIsAnOutage(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "store: sqlite:/nowhere/at/all.db\nfallback_mode: static_rules\n")
		a := ask(p, service.Request{Hook: true})
		if a.Fallback == nil || a.Fallback.Mode != config.StaticRules || a.Source != fallback.SourceStatic ||
			a.Count == 0 {
			t.Fatalf("%+v %s %d", a.Fallback, a.Source, a.Count)
		}
		contains(t, a.Fallback.Reason, "/nowhere/at/all.db does not exist")
	})
}

func TestADamagedDatabaseIsAnOutageAndIsNotChanged(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		check(t, os.MkdirAll(p.data, 0o700))
		file := filepath.Join(p.data, "guardrails.db")
		check(t, os.WriteFile(file, []byte(strings.Repeat("no database ", 1000)), 0o600))
		if a := ask(p, service.Request{Hook: true}); a.Fallback == nil || a.Source != fallback.SourceStatic {
			t.Errorf("%+v %s", a.Fallback, a.Source)
		}
		if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "no database ") {
			t.Errorf("%v %.20s", err, text)
		}
	})
}

// If an empty database replaced a deleted database, all guidelines would be gone. If an old copy replaced the database,
// some guidelines would be gone.
func TestAStoreWithFewerChangesThanHooksSawIsAnOutageUntilItIsAccepted(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: [core]\n")
		create(t, p.tenantStore(""), instruction("one", "One."), instruction("two", "Two."))
		hook := service.Request{Hook: true}
		before := ask(p, hook)
		p.moveDatabaseAway()
		create(t, p.tenantStore(""), instruction("other", "Another one."))
		var a *service.Answer
		eventually(t, time.Minute, func() bool {
			a = ask(p, hook)
			return a.Fallback != nil && strings.Contains(a.Fallback.Reason, "hooks have seen 2 changes to guidelines in it")
		})
		if a.Source != fallback.SourceSnapshot || ids(a) != ids(before) {
			t.Errorf("%s %s, want %s", a.Source, ids(a), ids(before))
		}
		contains(t, strings.Join(a.Notices, "\n"), "is a different one or an older copy", "but it has only 1; ",
			"guardrails init")
		description, err := p.newService(false).AcceptStore(t.Context())
		check(t, err)
		contains(t, description, "but it has only 1; it is accepted as it is")
		eventually(t, time.Minute, func() bool { a = ask(p, hook); return a.Fallback == nil })
		if description, err := p.newService(false).AcceptStore(t.Context()); description != "" || err != nil {
			t.Errorf("%q %v", description, err)
		}
		contains(t, ids(a), "other")
	})
}

// A store that was moved away and back is accepted without a question, even if its guidelines have changed since then.
func TestARestoredStoreIsAcceptedWithoutAQuestion(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		create(t, p.tenantStore(""), instruction("one", "One."), instruction("two", "Two."))
		hook := service.Request{Hook: true}
		ask(p, hook)
		putBack := p.moveDatabaseAway()
		eventually(t, time.Minute, func() bool { return ask(p, hook).Fallback != nil })
		putBack()
		create(t, p.tenantStore(""), instruction("three", "Three."))
		eventually(t, time.Minute, func() bool {
			a := ask(p, hook)
			return a.Fallback == nil &&
				ids(a) == "one three two"
		})
	})
}

// A store counts the changes of each tenant separately.
func TestEachTenantHasItsOwnWatermark(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		create(t, p.tenantStore(""), instruction("one", "One."), instruction("two", "Two."))
		create(t, p.tenantStore("b"), instruction("theirs", "Theirs."))
		hook := service.Request{Hook: true}
		ask(p, hook)
		theirs := hook
		theirs.TenantID = "b"
		if a := ask(p, theirs); a.Fallback != nil || ids(a) != "theirs" {
			t.Errorf("%+v %s", a.Fallback, ids(a))
		}
	})
}
